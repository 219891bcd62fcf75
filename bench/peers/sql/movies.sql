-- The Movies Dataset: movies_metadata.csv, ratings.csv, credits.csv.
--
-- A @relation is a temporary table when what is asked for reads it more than once, else a view, so that nothing is
-- computed twice and nothing for nobody. See README.md for what is done to give DuckDB its best chance.

-- @parameters
SET VARIABLE q1_countries = 'Argentina,Spain';
SET VARIABLE q1_from_year = 2000;
SET VARIABLE q1_to_year = 2009;
SET VARIABLE q2_top = 5;
SET VARIABLE q3_country = 'Argentina';
SET VARIABLE q3_since_year = 2000;
SET VARIABLE q4_country = 'Argentina';
SET VARIABLE q4_since_year = 2000;
SET VARIABLE q4_top = 10;
SET VARIABLE q5_english_us_since_2000 = false;

-- @relation movies
-- Genres stay text: q1 alone reads them, of a handful of rows.
SELECT integer_of(id) AS id, title, genres, python_names(production_countries) AS countries, original_language,
  CAST(substring(release_date, 1, 4) AS INTEGER) AS year,
  CAST(budget AS DECIMAL(18,4)) AS budget, CAST(revenue AS DECIMAL(18,4)) AS revenue
FROM read_csv(getvariable('data') || '/movies_metadata.csv', auto_detect = false, header = true, delim = ',',
  quote = '"', escape = '"', strict_mode = false, ignore_errors = true, columns = {
    'adult': 'VARCHAR', 'belongs_to_collection': 'VARCHAR', 'budget': 'VARCHAR', 'genres': 'VARCHAR',
    'homepage': 'VARCHAR', 'id': 'VARCHAR', 'imdb_id': 'VARCHAR', 'original_language': 'VARCHAR',
    'original_title': 'VARCHAR', 'overview': 'VARCHAR', 'popularity': 'VARCHAR', 'poster_path': 'VARCHAR',
    'production_companies': 'VARCHAR', 'production_countries': 'VARCHAR', 'release_date': 'VARCHAR',
    'revenue': 'VARCHAR', 'runtime': 'VARCHAR', 'spoken_languages': 'VARCHAR', 'status': 'VARCHAR',
    'tagline': 'VARCHAR', 'title': 'VARCHAR', 'video': 'VARCHAR', 'vote_average': 'VARCHAR',
    'vote_count': 'VARCHAR'})
WHERE integer_of(id) IS NOT NULL AND title IS NOT NULL AND genres IS NOT NULL
  AND regexp_full_match(release_date, '[0-9]{4}-[0-9]{2}-[0-9]{2}') AND overview IS NOT NULL
  AND production_countries IS NOT NULL AND spoken_languages IS NOT NULL
  AND TRY_CAST(budget AS DECIMAL(18,4)) IS NOT NULL AND TRY_CAST(revenue AS DECIMAL(18,4)) IS NOT NULL;

-- @relation ratings
-- Read as numbers by the scanner itself, which is faster than text and a cast; a row that does not parse is left
-- out by ignore_errors. The two columns nobody reads stay text, so that they are not parsed.
SELECT movieId, rating
FROM read_csv(getvariable('data') || '/ratings.csv', auto_detect = false, header = true, delim = ',',
  quote = '"', escape = '"', strict_mode = false, ignore_errors = true, columns = {
    'userId': 'VARCHAR', 'movieId': 'BIGINT', 'rating': 'DECIMAL(9,4)', 'timestamp': 'VARCHAR'})
WHERE movieId IS NOT NULL AND rating IS NOT NULL;

-- @relation credits
SELECT "cast" AS cast_cell, integer_of(id) AS id
FROM read_csv(getvariable('data') || '/credits.csv', auto_detect = false, header = true, delim = ',',
  quote = '"', escape = '"', strict_mode = false, ignore_errors = true, columns = {
    'cast': 'VARCHAR', 'crew': 'VARCHAR', 'id': 'VARCHAR'});

-- @query q1 reads movies
SELECT id, title, python_names(genres) AS genres
FROM movies
WHERE list_has_all(countries, string_split(getvariable('q1_countries'), ','))
  AND year BETWEEN getvariable('q1_from_year') AND getvariable('q1_to_year')
ORDER BY ALL;

-- @query q2 reads movies
SELECT countries[1] AS country, sum(budget) AS budget
FROM movies
WHERE len(countries) = 1
GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT getvariable('q2_top');

-- @query q3 reads movies ratings
WITH means AS (
  SELECT m.id, m.title, avg(r.rating) AS mean_rating
  FROM ratings r JOIN movies m ON m.id = r.movieId
  WHERE list_contains(m.countries, getvariable('q3_country')) AND m.year >= getvariable('q3_since_year')
  GROUP BY 1, 2)
(SELECT 'max' AS which, * FROM means ORDER BY mean_rating DESC, id, title LIMIT 1)
UNION ALL
(SELECT 'min' AS which, * FROM means ORDER BY mean_rating, id, title LIMIT 1);

-- @query q4 reads movies credits
-- Casts are parsed after the join: some two hundred of forty-five thousand.
WITH casts AS MATERIALIZED (
  SELECT cast_cell
  FROM credits c JOIN movies m USING (id)
  WHERE list_contains(m.countries, getvariable('q4_country')) AND m.year >= getvariable('q4_since_year'))
SELECT actor, count(*) AS movies
FROM (SELECT unnest(python_names(cast_cell)) AS actor FROM casts)
GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT getvariable('q4_top');

-- @query q5_eligible reads movies
-- What q5 can say without a sentiment model: the films it weighs, and their ratios.
SELECT id, CAST(revenue AS DOUBLE) / CAST(budget AS DOUBLE) AS ratio
FROM movies
WHERE budget <> 0 AND revenue <> 0 AND (NOT getvariable('q5_english_us_since_2000')
  OR original_language = 'en' AND list_contains(countries, 'United States of America') AND year >= 2000)
ORDER BY ALL;
