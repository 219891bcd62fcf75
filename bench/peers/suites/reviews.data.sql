-- Reviews of products as they are published: JSON lines of long texts, numbers, lists and objects. $scale 1 has 400,000 reviews.

-- @macros
CREATE MACRO rnd(i, salt, n) AS CAST(hash(i, salt) % n AS BIGINT);
CREATE MACRO rows() AS CAST($scale * 400000 AS BIGINT);
CREATE MACRO word(i, k) AS list_extract(['the', 'a', 'of', 'and', 'to', 'in', 'it', 'is', 'was', 'that', 'I', 'this', 'for', 'book', 'read', 'great', 'good', 'story', 'time', 'not', 'love', 'bad',
  'never again', 'it''s', 'movie', 'game', 'characters', 'wonderful', 'end', '"really"', 'café', 'returned'], rnd(i, k, CASE WHEN k % 16 = 0 THEN 32 ELSE 29 END)::INTEGER + 1);
CREATE MACRO words(i, n) AS list_aggregate(list_transform(range(n), k -> word(i, k)), 'string_agg', ' ');

-- @table reviews reviewerID VARCHAR, asin VARCHAR, reviewerName VARCHAR, helpful BIGINT[], reviewText VARCHAR, overall DOUBLE, verified BOOLEAN, summary VARCHAR, unixReviewTime BIGINT, style STRUCT("format" VARCHAR)
SELECT 'A' || lpad(CAST(rnd(i, 901, 90000) AS VARCHAR), 13, '0'), 'B' || lpad(CAST(rnd(i, 902, 20000) AS VARCHAR), 9, '0'), CASE WHEN rnd(i, 903, 10) > 0 THEN word(i, 904) || ' reader' END,
  [rnd(i, 905, 10), rnd(i, 906, 10)], words(i, 5 + rnd(i, 907, 195)), rnd(i, 908, 5) + 1, rnd(i, 909, 3) > 0, words(i + 1000000007, 1 + rnd(i, 910, 5)), 1200000000 + rnd(i, 911, 200000000),
  {'format': list_extract(['Hardcover', 'Paperback', 'Kindle'], rnd(i, 912, 3)::INTEGER + 1)}
FROM range(rows()) t(i);
