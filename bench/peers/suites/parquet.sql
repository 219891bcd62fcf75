-- What Parquet files are typically asked.

-- @query count_text
SELECT count(*) AS n FROM events WHERE kind = 'buy';

-- @query sums
SELECT sum(pieces) AS pieces, sum(price) AS price, avg(score) AS score, count(weight) AS weights FROM events;

-- @query filter_number
SELECT count(*) AS n, sum(price) AS price FROM events WHERE score < 50000 AND pieces >= 10;

-- @query group_few
SELECT kind, count(*) AS n, avg(price) AS price FROM events GROUP BY kind ORDER BY kind;

-- @query group_texts
SELECT city, kind, count(*) AS n, sum(pieces) AS pieces FROM events GROUP BY city, kind ORDER BY n DESC, city, kind LIMIT 20;

-- @query group_many
SELECT page, count(*) AS n FROM events GROUP BY page ORDER BY n DESC, page LIMIT 10;

-- @query group_numbers
SELECT customer, sum(price) AS price FROM events GROUP BY customer ORDER BY price DESC, customer LIMIT 10;

-- @query top
SELECT id, moment, page, price FROM events ORDER BY score DESC, id LIMIT 10;

-- @query distinct
SELECT count(DISTINCT customer) AS customers, count(DISTINCT page) AS pages FROM events;

-- @query like_few
SELECT count(*) AS n FROM events WHERE page LIKE '%/search/%7';

-- @query like_many
SELECT count(*) AS n FROM events WHERE note LIKE '%angry%';

-- @query extremes
SELECT min(id) AS first, max(moment) AS last, min(score) AS least, max(note) AS note FROM events;

-- @query days
SELECT day, count(*) AS n, sum(price) AS price FROM events WHERE day BETWEEN DATE '2021-03-01' AND DATE '2021-03-31' GROUP BY day ORDER BY day;

-- @query join
SELECT country, count(*) AS n, sum(price) AS price FROM events JOIN customers USING (customer) WHERE since >= DATE '2015-01-01' GROUP BY country ORDER BY country;

-- @query point
SELECT * FROM events WHERE id = 321098;

-- @query absent
SELECT count(*) AS n, min(moment) AS first FROM events WHERE city = 'city 77b';
