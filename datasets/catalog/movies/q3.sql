-- Films of a country since a year with the highest and the lowest mean rating
-- $country VARCHAR = Argentina
-- $since_year BIGINT = 2000
WITH means AS (
  SELECT id, title, avg(rating) AS mean_rating
  FROM national JOIN ratings ON movie_id = id
  GROUP BY id, title
)
SELECT 'max' AS which, * FROM (FROM means ORDER BY mean_rating DESC, id, title LIMIT 1)
UNION ALL
SELECT 'min' AS which, * FROM (FROM means ORDER BY mean_rating, id, title LIMIT 1)
ORDER BY which;
