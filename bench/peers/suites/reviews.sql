-- What reviews in JSON lines are typically asked.

-- @query count
SELECT count(*) AS n FROM reviews;

-- @query mean
SELECT avg(overall) AS mean, max(unixReviewTime) AS last, count(reviewerName) AS named FROM reviews WHERE verified;

-- @query products
SELECT asin, count(*) AS n, avg(overall) AS mean FROM reviews GROUP BY asin ORDER BY n DESC, asin LIMIT 10;

-- @query lengths
SELECT overall, avg(length(reviewText)) AS length FROM reviews GROUP BY overall ORDER BY overall;

-- @query like
SELECT count(*) AS n FROM reviews WHERE reviewText LIKE '%never again%' AND overall <= 2;

-- @query pattern
SELECT count(*) AS n FROM reviews WHERE regexp_matches(reviewText, 'refund(ed)?|returned');

-- @query words
SELECT word, count(*) AS n FROM (SELECT unnest(string_split(reviewText, ' ')) AS word FROM reviews) GROUP BY word ORDER BY n DESC, word LIMIT 10;

-- @query helpful
SELECT sum(helpful[1]) AS yes, sum(helpful[2]) AS votes FROM reviews;

-- @query latest
SELECT overall, count(*) AS n FROM (SELECT * FROM reviews QUALIFY row_number() OVER (PARTITION BY reviewerID ORDER BY unixReviewTime DESC, asin) = 1) GROUP BY overall ORDER BY overall;

-- @query formats
SELECT style.format AS format, count(*) AS n, avg(overall) AS mean FROM reviews GROUP BY ALL ORDER BY ALL;

-- @query longest
SELECT asin, summary, length(reviewText) AS length FROM reviews ORDER BY length DESC, asin, summary LIMIT 5;
