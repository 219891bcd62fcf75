-- steam.sql in ClickHouse's SQL, with the default parameters. See movies.clickhouse.sql.

-- @relation games
-- The header has 39 names over 40 values, so it is skipped and the names are given.
SELECT integer_of(AppID) AS app_id, Name AS name, year_of(`Release date`) AS year,
  lower(trimBoth(Windows)) = 'true' AS windows, lower(trimBoth(Mac)) = 'true' AS mac,
  lower(trimBoth(Linux)) = 'true' AS linux,
  arrayMap(g -> trimBoth(g), splitByChar(',', lower(Genres))) AS genres,
  toInt64(trunc(toDecimal64OrNull(`Average playtime forever`, 4))) AS average_playtime_forever
FROM file('$data/games.csv', CSV, '
  AppID String, Name String, `Release date` String, `Estimated owners` String, `Peak CCU` String, `Required age` String,
  Price String, Discount String, `DLC count` String, `About the game` String, `Supported languages` String,
  `Full audio languages` String, Reviews String, `Header image` String, Website String, `Support url` String,
  `Support email` String, Windows String, Mac String, Linux String, `Metacritic score` String, `Metacritic url` String,
  `User score` String, Positive String, Negative String, `Score rank` String, Achievements String,
  Recommendations String, Notes String, `Average playtime forever` String, `Average playtime two weeks` String,
  `Median playtime forever` String, `Median playtime two weeks` String, Developers String, Publishers String,
  Categories String, Genres String, Tags String, Screenshots String, Movies Nullable(String)')
WHERE Movies IS NOT NULL AND integer_of(AppID) IS NOT NULL AND Name != '' AND Windows != '' AND Mac != ''
  AND Linux != '' AND Genres != '' AND `Release date` != ''
  AND toDecimal64OrNull(`Average playtime forever`, 4) IS NOT NULL AND Positive != '' AND Negative != ''
SETTINGS input_format_csv_skip_first_lines = 1

-- @relation scores
SELECT app_id, countIf(review_score > 0) AS positive, countIf(review_score < 0) AS negative
FROM file('$data/reviews.csv', CSVWithNames, '
  app_id Int64, review_text String, review_score Int32, review_votes Nullable(String)')
WHERE review_votes IS NOT NULL AND review_text != ''
GROUP BY app_id

-- @query q1 reads games
SELECT countIf(windows) AS windows, countIf(mac) AS mac, countIf(linux) AS linux FROM games

-- @query q2 reads games
SELECT app_id, name, average_playtime_forever
FROM games
WHERE has(genres, 'indie') AND year BETWEEN 2010 AND 2019
ORDER BY average_playtime_forever DESC, app_id, name LIMIT 10

-- @query q3 reads games scores
SELECT app_id, name, sum(positive) AS positive_reviews
FROM (SELECT assumeNotNull(app_id) AS app_id, name FROM games WHERE has(genres, 'indie')) AS g
JOIN (SELECT app_id, positive FROM scores WHERE positive > 0) AS s USING (app_id)
GROUP BY app_id, name ORDER BY positive_reviews DESC, app_id, name LIMIT 5

-- @relation negatives reads games scores
SELECT app_id, name, sum(negative) AS negative_reviews
FROM (SELECT assumeNotNull(app_id) AS app_id, name FROM games WHERE has(genres, 'action')) AS g
JOIN (SELECT app_id, negative FROM scores WHERE negative > 0) AS s USING (app_id)
GROUP BY app_id, name

-- @query q5 reads negatives negatives
SELECT * FROM negatives
WHERE negative_reviews >= (SELECT quantileExactInclusive(0.9)(negative_reviews) FROM negatives)
ORDER BY app_id, name
