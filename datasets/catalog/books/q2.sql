-- Authors with titles in a number of distinct decades
-- $min_decades BIGINT = 10
SELECT author, count(*) AS decades
FROM (SELECT DISTINCT unnest(authors) AS author, year(published_date) // 10 AS decade FROM books)
GROUP BY author
HAVING decades >= $min_decades
ORDER BY author;
