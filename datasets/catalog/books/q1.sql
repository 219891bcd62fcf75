-- Books of a category and a range of years with a word in the title
-- $category VARCHAR = Computers
-- $from_year BIGINT = 2000
-- $to_year BIGINT = 2023
-- $word VARCHAR = distributed
SELECT title, authors, publisher
FROM books
WHERE list_contains(categories, $category) AND year(published_date) BETWEEN $from_year AND $to_year
  AND contains(lower(title), lower($word))
ORDER BY title, authors, publisher;
