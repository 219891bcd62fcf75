-- The Movies Dataset (Kaggle, rounakbanik)

CREATE TABLE movies (
  id                BIGINT    NOT NULL,
  title             VARCHAR   NOT NULL,
  genres            VARCHAR[] NOT NULL FORMAT names,
  release_date      VARCHAR   NOT NULL FORMAT date,
  overview          VARCHAR   NOT NULL,
  countries         VARCHAR[] NOT NULL FORMAT names HEADER 'production_countries',
  spoken_languages  VARCHAR   NOT NULL,
  budget            DECIMAL   NOT NULL,
  revenue           DECIMAL   NOT NULL,
  original_language VARCHAR   FORMAT text
) FROM 'movies_metadata.csv';

-- A rating's movieId is the id of a film, as the published answers have it.
CREATE TABLE ratings (
  user_id  BIGINT  FORMAT int HEADER 'userId',
  movie_id BIGINT  NOT NULL HEADER 'movieId',
  rating   DECIMAL NOT NULL
) FROM 'ratings.csv' OR 'ratings_small.csv';

CREATE TABLE credits (
  id         BIGINT    NOT NULL,
  cast_names VARCHAR[] FORMAT names HEADER 'cast'
) FROM 'credits.csv';

-- The films of a country since a year.
CREATE VIEW national AS
SELECT id, title
FROM movies
WHERE list_contains(countries, $country) AND year(release_date) >= $since_year;
