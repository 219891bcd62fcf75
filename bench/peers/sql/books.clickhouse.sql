-- books.sql in ClickHouse's SQL, with the default parameters. See movies.clickhouse.sql.

-- @relation books
SELECT Title AS title, authors AS authors_cell, categories AS categories_cell, publisher, year_of(publishedDate) AS year
FROM file('$data/books_data.csv', CSVWithNames, '
  Title String, authors String, publisher String, publishedDate String, categories String, ratingsCount Nullable(String)')
WHERE ratingsCount IS NOT NULL AND title != '' AND authors_cell != '' AND categories_cell != '' AND year IS NOT NULL

-- @relation title_scores reads books
-- What q3 and q4 share, added up by title before the join.
SELECT Title AS title, count() AS reviews, sum(`review/score`) AS score
FROM file('$data/Books_rating.csv', CSVWithNames, '
  Title String, `review/score` Decimal(9, 4), `review/text` Nullable(String)')
WHERE `review/text` IS NOT NULL AND title != '' AND title IN (SELECT title FROM books WHERE year BETWEEN 1990 AND 1999)
GROUP BY title

-- @query q1 reads books
SELECT title, python_strings(authors_cell) AS authors, publisher
FROM books
WHERE year BETWEEN 2000 AND 2023 AND position(lowerUTF8(title), 'distributed') > 0
  AND has(python_strings(categories_cell), 'Computers')
ORDER BY title, authors, publisher

-- @query q2 reads books
SELECT author, count(DISTINCT intDiv(year, 10)) AS decades
FROM (SELECT arrayJoin(python_strings(authors_cell)) AS author, year FROM books)
GROUP BY author HAVING decades >= 10 ORDER BY author

-- @query q3 reads books title_scores
SELECT title, python_strings(authors_cell) AS authors, sum(s.reviews) AS reviews
FROM (SELECT title, authors_cell FROM books WHERE year BETWEEN 1990 AND 1999) AS b JOIN title_scores AS s USING (title)
GROUP BY title, authors HAVING reviews >= 500 ORDER BY title, authors

-- @query q4 reads books title_scores
SELECT title, toFloat64(sum(s.score)) / sum(s.reviews) AS mean_score, sum(s.reviews) AS reviews
FROM (SELECT title, authors_cell FROM books WHERE year BETWEEN 1990 AND 1999) AS b JOIN title_scores AS s USING (title)
GROUP BY title, python_strings(authors_cell) AS authors HAVING reviews >= 500
ORDER BY mean_score DESC, title, authors LIMIT 10
