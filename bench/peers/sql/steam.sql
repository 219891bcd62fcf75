-- Steam: games.csv, reviews.csv. The notes at the head of movies.sql hold here as well.

-- @parameters
SET VARIABLE q2_genre = 'indie';
SET VARIABLE q2_from_year = 2010;
SET VARIABLE q2_to_year = 2019;
SET VARIABLE q2_top = 10;
SET VARIABLE q3_genre = 'indie';
SET VARIABLE q3_top = 5;
SET VARIABLE q4_genre = 'action';
SET VARIABLE q4_language = 'any';
SET VARIABLE q4_min_positive = 50000;
SET VARIABLE q5_genre = 'action';
SET VARIABLE q5_percentile = 0.9::DOUBLE;

-- @relation games
-- The file has 39 names over 40 values: 'DiscountDLC count' is two columns. The names are given here, which mends
-- it for a file with or without the empty fortieth name.
SELECT integer_of(AppID) AS app_id, Name AS name, year_of("Release date") AS year,
  lower(trim(Windows)) = 'true' AS windows, lower(trim(Mac)) = 'true' AS mac, lower(trim(Linux)) = 'true' AS linux,
  list_transform(string_split(lower(Genres), ','), lambda g: trim(g)) AS genres,
  CAST(trunc(TRY_CAST("Average playtime forever" AS DECIMAL(18,4))) AS BIGINT) AS average_playtime_forever
FROM read_csv(getvariable('data') || '/games.csv', auto_detect = false, header = true, delim = ',',
  quote = '"', escape = '"', strict_mode = false, ignore_errors = true, columns = {
    'AppID': 'VARCHAR', 'Name': 'VARCHAR', 'Release date': 'VARCHAR', 'Estimated owners': 'VARCHAR',
    'Peak CCU': 'VARCHAR', 'Required age': 'VARCHAR', 'Price': 'VARCHAR', 'Discount': 'VARCHAR',
    'DLC count': 'VARCHAR', 'About the game': 'VARCHAR', 'Supported languages': 'VARCHAR',
    'Full audio languages': 'VARCHAR', 'Reviews': 'VARCHAR', 'Header image': 'VARCHAR', 'Website': 'VARCHAR',
    'Support url': 'VARCHAR', 'Support email': 'VARCHAR', 'Windows': 'VARCHAR', 'Mac': 'VARCHAR',
    'Linux': 'VARCHAR', 'Metacritic score': 'VARCHAR', 'Metacritic url': 'VARCHAR', 'User score': 'VARCHAR',
    'Positive': 'VARCHAR', 'Negative': 'VARCHAR', 'Score rank': 'VARCHAR', 'Achievements': 'VARCHAR',
    'Recommendations': 'VARCHAR', 'Notes': 'VARCHAR', 'Average playtime forever': 'VARCHAR',
    'Average playtime two weeks': 'VARCHAR', 'Median playtime forever': 'VARCHAR',
    'Median playtime two weeks': 'VARCHAR', 'Developers': 'VARCHAR', 'Publishers': 'VARCHAR',
    'Categories': 'VARCHAR', 'Genres': 'VARCHAR', 'Tags': 'VARCHAR', 'Screenshots': 'VARCHAR',
    'Movies': 'VARCHAR'})
WHERE integer_of(AppID) IS NOT NULL AND Name IS NOT NULL AND Windows IS NOT NULL AND Mac IS NOT NULL
  AND Linux IS NOT NULL AND Genres IS NOT NULL AND "Release date" IS NOT NULL
  AND TRY_CAST("Average playtime forever" AS DECIMAL(18,4)) IS NOT NULL
  AND Positive IS NOT NULL AND Negative IS NOT NULL;

-- @relation scores
-- Reviews are counted per game before anything is joined: q3, q4 and q5 all read these few thousand rows. That the
-- text is not empty must be looked at, for a review without one is rejected.
SELECT app_id, count(*) FILTER (review_score > 0) AS positive, count(*) FILTER (review_score < 0) AS negative
FROM read_csv(getvariable('data') || '/reviews.csv', auto_detect = false, header = true, delim = ',',
  quote = '"', escape = '"', strict_mode = false, ignore_errors = true, columns = {
    'app_id': 'BIGINT', 'app_name': 'VARCHAR', 'review_text': 'VARCHAR', 'review_score': 'INTEGER',
    'review_votes': 'VARCHAR'})
WHERE app_id IS NOT NULL AND review_text IS NOT NULL AND review_score IS NOT NULL
GROUP BY 1;

-- @query q1 reads games
SELECT count(*) FILTER (windows) AS windows, count(*) FILTER (mac) AS mac, count(*) FILTER (linux) AS linux
FROM games;

-- @query q2 reads games
SELECT app_id, name, average_playtime_forever
FROM games
WHERE list_contains(genres, getvariable('q2_genre'))
  AND year BETWEEN getvariable('q2_from_year') AND getvariable('q2_to_year')
ORDER BY 3 DESC, 1, 2 LIMIT getvariable('q2_top');

-- @query q3 reads games scores
SELECT app_id, name, sum(positive) AS positive_reviews
FROM scores JOIN games USING (app_id)
WHERE list_contains(genres, getvariable('q3_genre')) AND positive > 0
GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT getvariable('q3_top');

-- @query q4_any_language reads games scores
-- q4 with every language counted.
SELECT app_id, name, sum(positive) AS positive_reviews
FROM scores JOIN games USING (app_id)
WHERE list_contains(genres, getvariable('q4_genre')) AND positive > 0
GROUP BY 1, 2 HAVING sum(positive) > getvariable('q4_min_positive') ORDER BY 1, 2;

-- @query q5 reads games scores
WITH c AS MATERIALIZED (
  SELECT app_id, name, sum(negative) AS negative_reviews
  FROM scores JOIN games USING (app_id)
  WHERE list_contains(genres, getvariable('q5_genre')) AND negative > 0
  GROUP BY 1, 2)
SELECT * FROM c
WHERE negative_reviews >= (SELECT quantile_cont(CAST(negative_reviews AS BIGINT), getvariable('q5_percentile')) FROM c)
ORDER BY 1, 2;
