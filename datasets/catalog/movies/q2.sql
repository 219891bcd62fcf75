-- Countries by money spent on films of one country only
-- $top BIGINT = 5
SELECT countries[1] AS country, sum(budget) AS budget
FROM movies
WHERE len(countries) = 1
GROUP BY country
ORDER BY budget DESC, country
LIMIT $top;
