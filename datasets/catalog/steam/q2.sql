-- Games of a genre and a range of years by average playtime
-- $genre VARCHAR = indie
-- $from_year BIGINT = 2010
-- $to_year BIGINT = 2019
-- $top BIGINT = 10
SELECT app_id, name, average_playtime_forever
FROM games
WHERE list_contains(genres, lower($genre)) AND year(release_date) BETWEEN $from_year AND $to_year
ORDER BY average_playtime_forever DESC, app_id
LIMIT $top;
