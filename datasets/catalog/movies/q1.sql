-- Films produced by all of the countries in a range of years
-- $countries VARCHAR[] = Argentina,Spain
-- $from_year BIGINT = 2000
-- $to_year BIGINT = 2009
SELECT id, title, genres
FROM movies
WHERE list_has_all(countries, $countries) AND year(release_date) BETWEEN $from_year AND $to_year
ORDER BY id, title;
