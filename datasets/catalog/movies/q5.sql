-- Mean revenue per budget by sentiment of the overview
-- Sentiment is judged by the lexicon of VADER; other models give other answers
-- $english_us_since_2000 BOOLEAN = false
-- $sentiment VARCHAR IN (lexicon) = lexicon
SELECT sentiment, avg(ratio) AS mean_ratio, count(*) AS movies
FROM (
  SELECT sentiment(overview, $sentiment) AS sentiment, revenue / budget AS ratio
  FROM movies
  WHERE budget <> 0 AND revenue <> 0
    AND (NOT $english_us_since_2000
      OR original_language = 'en' AND list_contains(countries, 'United States of America') AND year(release_date) >= 2000)
)
GROUP BY sentiment
ORDER BY sentiment;
