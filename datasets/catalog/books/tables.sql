-- Amazon Books Reviews (Kaggle, mohamedbakhet)

CREATE TABLE books (
  title          VARCHAR   NOT NULL HEADER 'Title',
  authors        VARCHAR[] NOT NULL FORMAT texts,
  categories     VARCHAR[] NOT NULL FORMAT texts,
  published_date VARCHAR   NOT NULL FORMAT year HEADER 'publishedDate',
  publisher      VARCHAR   FORMAT text
) FROM 'books_data.csv';

-- A review names its book by title.
CREATE TABLE reviews (
  title VARCHAR NOT NULL HEADER 'Title',
  score DECIMAL NOT NULL HEADER 'review/score',
  text  VARCHAR FORMAT text HEADER 'review/text'
) FROM 'Books_rating.csv';

-- Books of a range of years with a number of reviews.
CREATE VIEW popular AS
SELECT title, authors, count(*) AS reviews, avg(score) AS mean_score
FROM books JOIN reviews USING (title)
WHERE year(published_date) BETWEEN $from_year AND $to_year
GROUP BY title, authors
HAVING reviews >= $min_reviews;
