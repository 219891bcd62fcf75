-- Games of a genre at or over a percentile of negative reviews
-- $genre VARCHAR = action
-- $percentile DECIMAL = 0.9
WITH disliked AS (
  SELECT app_id, name, count(*) AS negative_reviews
  FROM games JOIN reviews USING (app_id)
  WHERE list_contains(genres, lower($genre)) AND review_score < 0
  GROUP BY app_id, name
)
FROM disliked
WHERE negative_reviews >= (SELECT quantile_cont(negative_reviews, $percentile) FROM disliked)
ORDER BY app_id;
