-- Games of a genre by positive reviews
-- $genre VARCHAR = indie
-- $top BIGINT = 5
SELECT app_id, name, count(*) AS positive_reviews
FROM games JOIN reviews USING (app_id)
WHERE list_contains(genres, lower($genre)) AND review_score > 0
GROUP BY app_id, name
ORDER BY positive_reviews DESC, app_id
LIMIT $top;
