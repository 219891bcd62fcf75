-- Actors by films of a country since a year
-- $country VARCHAR = Argentina
-- $since_year BIGINT = 2000
-- $top BIGINT = 10
SELECT actor, count(*) AS movies
FROM (SELECT unnest(cast_names) AS actor FROM national JOIN credits USING (id))
GROUP BY actor
ORDER BY movies DESC, actor
LIMIT $top;
