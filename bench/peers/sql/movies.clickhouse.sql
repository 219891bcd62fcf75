-- movies.sql in ClickHouse's SQL, with the default parameters. What a @relation is stands there, and in README.md how
-- ClickHouse is brought to the rules for rows: the last column is NULL where a row has too few cells.

-- @relation movies
SELECT integer_of(f.id) AS id, title, genres, python_names(production_countries) AS countries,
  toInt32(substring(release_date, 1, 4)) AS year,
  toDecimal64OrNull(f.budget, 4) AS budget
FROM file('$data/movies_metadata.csv', CSVWithNames, '
  budget String, genres String, id String, overview String, production_countries String, release_date String,
  revenue String, spoken_languages String, title String, vote_count Nullable(String)') AS f
WHERE vote_count IS NOT NULL AND integer_of(f.id) IS NOT NULL AND title != '' AND genres != ''
  AND match(release_date, '^[0-9]{4}-[0-9]{2}-[0-9]{2}$') AND overview != '' AND production_countries != ''
  AND spoken_languages != '' AND toDecimal64OrNull(f.budget, 4) IS NOT NULL AND toDecimal64OrNull(revenue, 4) IS NOT NULL

-- @relation ratings
SELECT movieId, rating
FROM file('$data/ratings.csv', CSVWithNames, 'movieId Int64, rating Decimal(9, 4)')

-- @relation credits
SELECT cast AS cast_cell, integer_of(f.id) AS id
FROM file('$data/credits.csv', CSVWithNames, 'cast String, id Nullable(String)') AS f
WHERE f.id IS NOT NULL

-- @query q1 reads movies
SELECT assumeNotNull(id) AS id, title, python_names(genres) AS genres
FROM movies
WHERE hasAll(countries, ['Argentina', 'Spain']) AND year BETWEEN 2000 AND 2009
ORDER BY id, title, genres

-- @query q2 reads movies
SELECT countries[1] AS country, sum(budget) AS budget
FROM movies
WHERE length(countries) = 1
GROUP BY country ORDER BY budget DESC, country LIMIT 5

-- @relation means reads movies ratings
SELECT id, title, sum(s) / sum(n) AS mean_rating
FROM (SELECT movieId, sum(toFloat64(rating)) AS s, count() AS n FROM ratings GROUP BY movieId) AS r
JOIN (SELECT id, title FROM movies WHERE has(countries, 'Argentina') AND year >= 2000) AS m ON m.id = r.movieId
GROUP BY id, title

-- @query q3 reads means means
SELECT * FROM (
  SELECT 'max' AS which, * FROM (SELECT * FROM means ORDER BY mean_rating DESC, id, title LIMIT 1)
  UNION ALL
  SELECT 'min' AS which, * FROM (SELECT * FROM means ORDER BY mean_rating, id, title LIMIT 1))
ORDER BY which

-- @query q4 reads movies credits
SELECT actor, count() AS movies
FROM (
  SELECT arrayJoin(python_names(cast_cell)) AS actor
  FROM credits AS c JOIN (SELECT id FROM movies WHERE has(countries, 'Argentina') AND year >= 2000) AS m ON c.id = m.id)
GROUP BY actor ORDER BY movies DESC, actor LIMIT 10
