-- Books of a range of years with a number of reviews
-- $from_year BIGINT = 1990
-- $to_year BIGINT = 1999
-- $min_reviews BIGINT = 500
SELECT title, authors, reviews
FROM popular
ORDER BY title, authors;
