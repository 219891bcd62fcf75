-- Amazon Books Reviews: books_data.csv, Books_rating.csv. The notes at the head of movies.sql hold here as well.

-- @parameters
SET VARIABLE q1_category = 'Computers';
SET VARIABLE q1_from_year = 2000;
SET VARIABLE q1_to_year = 2023;
SET VARIABLE q1_word = 'distributed';
SET VARIABLE q2_min_decades = 10;
SET VARIABLE q3_from_year = 1990;
SET VARIABLE q3_to_year = 1999;
SET VARIABLE q3_min_reviews = 500;
SET VARIABLE q4_from_year = 1990;
SET VARIABLE q4_to_year = 1999;
SET VARIABLE q4_min_reviews = 500;
SET VARIABLE q4_top = 10;
SET VARIABLE q5_category = 'Fiction';

-- @relation books
-- The lists stay text, and are parsed by the queries that read them, after their cheaper filters.
SELECT Title AS title, authors AS authors_cell, categories AS categories_cell, publisher,
  year_of(publishedDate) AS year
FROM read_csv(getvariable('data') || '/books_data.csv', auto_detect = false, header = true, delim = ',',
  quote = '"', escape = '"', strict_mode = false, ignore_errors = true, columns = {
    'Title': 'VARCHAR', 'description': 'VARCHAR', 'authors': 'VARCHAR', 'image': 'VARCHAR',
    'previewLink': 'VARCHAR', 'publisher': 'VARCHAR', 'publishedDate': 'VARCHAR', 'infoLink': 'VARCHAR',
    'categories': 'VARCHAR', 'ratingsCount': 'VARCHAR'})
WHERE Title IS NOT NULL AND authors IS NOT NULL AND categories IS NOT NULL AND year_of(publishedDate) IS NOT NULL;

-- @relation reviews
SELECT Title AS title, "review/score" AS score
FROM read_csv(getvariable('data') || '/Books_rating.csv', auto_detect = false, header = true, delim = ',',
  quote = '"', escape = '"', strict_mode = false, ignore_errors = true, columns = {
    'Id': 'VARCHAR', 'Title': 'VARCHAR', 'Price': 'VARCHAR', 'User_id': 'VARCHAR', 'profileName': 'VARCHAR',
    'review/helpfulness': 'VARCHAR', 'review/score': 'DECIMAL(9,4)', 'review/time': 'VARCHAR',
    'review/summary': 'VARCHAR', 'review/text': 'VARCHAR'})
WHERE Title IS NOT NULL AND "review/score" IS NOT NULL;

-- @relation title_scores reads books reviews
-- What q3 and q4 share: the reviews of the titles that either may want, added up by title before the join.
SELECT title, count(*) AS reviews, sum(score) AS score
FROM reviews
WHERE title IN (SELECT title FROM books
  WHERE year BETWEEN least(getvariable('q3_from_year'), getvariable('q4_from_year'))
    AND greatest(getvariable('q3_to_year'), getvariable('q4_to_year')))
GROUP BY 1;

-- @query q1 reads books
SELECT title, python_strings(authors_cell) AS authors, coalesce(publisher, '') AS publisher
FROM books
WHERE year BETWEEN getvariable('q1_from_year') AND getvariable('q1_to_year')
  AND contains(lower(title), getvariable('q1_word'))
  AND list_contains(python_strings(categories_cell), getvariable('q1_category'))
ORDER BY ALL;

-- @query q2 reads books
SELECT author, count(DISTINCT year // 10) AS decades
FROM (SELECT unnest(python_strings(authors_cell)) AS author, year FROM books)
GROUP BY 1 HAVING decades >= getvariable('q2_min_decades') ORDER BY 1;

-- @query q3 reads books title_scores
SELECT title, python_strings(authors_cell) AS authors, CAST(sum(reviews) AS BIGINT) AS reviews
FROM title_scores JOIN books USING (title)
WHERE year BETWEEN getvariable('q3_from_year') AND getvariable('q3_to_year')
GROUP BY 1, 2 HAVING sum(title_scores.reviews) >= getvariable('q3_min_reviews') ORDER BY 1, 2;

-- @query q4 reads books title_scores
SELECT title, sum(score) / sum(title_scores.reviews) AS mean_score, CAST(sum(title_scores.reviews) AS BIGINT) AS reviews
FROM title_scores JOIN books USING (title)
WHERE year BETWEEN getvariable('q4_from_year') AND getvariable('q4_to_year')
GROUP BY title, python_strings(authors_cell) HAVING sum(title_scores.reviews) >= getvariable('q4_min_reviews')
ORDER BY mean_score DESC, title, python_strings(authors_cell) LIMIT getvariable('q4_top');

-- @query q5_candidates reads books reviews
-- What q5 can say without a sentiment model: the titles whose reviews it weighs.
SELECT title, count(*) AS reviews
FROM reviews JOIN books USING (title)
WHERE list_contains(python_strings(categories_cell), getvariable('q5_category'))
GROUP BY 1 ORDER BY 1;
