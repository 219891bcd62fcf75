-- Games of a genre with more than a number of positive reviews in a language
-- Languages are told by the n-gram tables of eld; other models give other answers
-- $genre VARCHAR = action
-- $language VARCHAR IN (any, am, ar, az, be, bg, bn, ca, cs, da, de, el, en, es, et, eu, fa, fi, fr, gu, he, hi, hr, hu, hy, is, it, ja, ka, kn, ko, ku, lo, lt, lv, ml, mr, ms, nl, no, or, pa, pl, pt, ro, ru, sk, sl, sq, sr, sv, ta, te, th, tl, tr, uk, ur, vi, yo, zh) = en
-- $min_positive BIGINT = 50000
SELECT app_id, name, count(*) AS positive_reviews
FROM games JOIN reviews USING (app_id)
WHERE list_contains(genres, lower($genre)) AND review_score > 0
  AND ($language = 'any' OR language(review_text) = $language)
GROUP BY app_id, name
HAVING positive_reviews > $min_positive
ORDER BY app_id;
