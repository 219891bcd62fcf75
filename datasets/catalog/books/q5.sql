-- Titles of a category at or over a percentile of mean review sentiment
-- Sentiment is judged by the lexicon of VADER; other models give other answers
-- $category VARCHAR = Fiction
-- $percentile DECIMAL = 0.9
-- $sentiment VARCHAR IN (lexicon) = lexicon
WITH felt AS (
  SELECT title, avg(polarity(text, $sentiment)) AS mean_sentiment
  FROM books JOIN reviews USING (title)
  WHERE list_contains(categories, $category)
  GROUP BY title
)
FROM felt
WHERE mean_sentiment >= (SELECT quantile_cont(mean_sentiment, $percentile) FROM felt)
ORDER BY title;
