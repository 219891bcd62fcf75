-- Steam games and reviews (Kaggle, fronkongames and andrewmvd)

-- The header has one name too few. Shooter is no genre but a tag: the questions about
-- shooters are about the genre Action.
CREATE TABLE games (
  app_id                   BIGINT    NOT NULL HEADER 'AppID',
  name                     VARCHAR   NOT NULL HEADER 'Name',
  windows                  BOOLEAN   NOT NULL HEADER 'Windows',
  mac                      BOOLEAN   NOT NULL HEADER 'Mac',
  linux                    BOOLEAN   NOT NULL HEADER 'Linux',
  genres                   VARCHAR[] NOT NULL FORMAT commalist HEADER 'Genres',
  tags                     VARCHAR[] FORMAT commalist HEADER 'Tags',
  release_date             VARCHAR   NOT NULL HEADER 'Release date',
  average_playtime_forever BIGINT    NOT NULL HEADER 'Average playtime forever',
  positive                 VARCHAR   NOT NULL HEADER 'Positive',
  negative                 VARCHAR   NOT NULL HEADER 'Negative'
) FROM 'games.csv' HEADER 'DiscountDLC count' IS ('Discount', 'DLC count');

CREATE TABLE reviews (
  app_id       BIGINT  NOT NULL,
  review_text  VARCHAR NOT NULL,
  review_score BIGINT  NOT NULL
) FROM 'reviews.csv' OR 'dataset.csv';
