-- What people ask of a file every day.

-- @query count
SELECT count(*) AS n FROM sales;

-- @query first
SELECT * FROM sales ORDER BY id LIMIT 20;

-- @query top
SELECT id, seller, price FROM sales ORDER BY price DESC, id LIMIT 10;

-- @query months
SELECT date_trunc('month', moment) AS month, count(*) AS n, sum(pieces) AS pieces, avg(price) AS price FROM sales GROUP BY month ORDER BY month;

-- @query items
SELECT item, count(*) AS n, sum(pieces * price) AS money FROM sales GROUP BY item ORDER BY money DESC;

-- @query sellers
SELECT seller, count(DISTINCT shop) AS shops, max(price) AS price FROM sales GROUP BY seller HAVING count(*) > 50 ORDER BY seller LIMIT 100;

-- @query cities
SELECT city, sum(price) AS money FROM sales JOIN shops USING (shop) WHERE opened < DATE '2010-01-01' GROUP BY city ORDER BY city;

-- @query missing
SELECT count(*) AS n, count(DISTINCT shop) AS shops FROM sales WHERE shop NOT IN (SELECT shop FROM shops);

-- @query words
SELECT count(*) AS n FROM sales WHERE note LIKE '%angry%' AND note NOT LIKE 'order 1%';

-- @query pattern
SELECT regexp_extract(note, 'was (.*)$', 1) AS mood, count(*) AS n FROM sales WHERE note IS NOT NULL GROUP BY mood ORDER BY mood;

-- @query quartiles
SELECT shop, quantile_cont(price, 0.25) AS low, median(price) AS middle, quantile_cont(price, 0.75) AS high FROM sales GROUP BY shop ORDER BY shop LIMIT 100;

-- @query best
SELECT shop, id, price FROM sales QUALIFY row_number() OVER (PARTITION BY shop ORDER BY price DESC, id) <= 3 ORDER BY shop, price DESC, id LIMIT 100;

-- @query running
SELECT day, sum(sum(pieces)) OVER (ORDER BY day) AS pieces FROM sales GROUP BY day ORDER BY day;

-- @query pivot
SELECT * FROM (PIVOT (SELECT year(day) AS year, item, pieces FROM sales) ON item USING sum(pieces) GROUP BY year) ORDER BY year;

-- @query twice
SELECT seller, moment, count(*) AS n FROM sales GROUP BY seller, moment HAVING count(*) > 1 ORDER BY seller, moment LIMIT 100;

-- @query sorted
SELECT count(*) AS n, max(place) AS place FROM (SELECT row_number() OVER (ORDER BY note, id) AS place FROM sales);

-- @query summary
SELECT column_name, min, max FROM (SUMMARIZE SELECT id, shop, seller, pieces FROM sales) ORDER BY column_name;
