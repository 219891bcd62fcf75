-- Those of q3 with the best mean score
-- $from_year BIGINT = 1990
-- $to_year BIGINT = 1999
-- $min_reviews BIGINT = 500
-- $top BIGINT = 10
SELECT title, mean_score, reviews
FROM popular
ORDER BY mean_score DESC, title, authors
LIMIT $top;
