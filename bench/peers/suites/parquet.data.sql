-- Events as Parquet files hold them: numbers, texts that repeat and texts that do not, days in order, decimals and nulls.
-- $scale 1 has 5 million events.

-- @macros
CREATE MACRO rnd(i, salt, n) AS CAST(hash(i, salt) % n AS BIGINT);
CREATE MACRO rows() AS CAST($scale * 5000000 AS BIGINT);

-- @table events id BIGINT, moment TIMESTAMP, day DATE, customer INTEGER, kind VARCHAR, city VARCHAR, page VARCHAR, note VARCHAR, pieces INTEGER, price DECIMAL(12,2), score DOUBLE, weight DOUBLE, code BIGINT
SELECT i, TIMESTAMP '2020-01-01' + to_seconds(i * 30 + rnd(i, 1, 30)), DATE '2020-01-01' + CAST(i * 30 // 86400 AS INTEGER), rnd(i, 2, 200000),
  list_extract(['view', 'click', 'cart', 'buy', 'return', 'search', 'login', 'logout'], rnd(i, 3, 8)::INTEGER + 1), 'city ' || rnd(i, 4, 500),
  'https://example.com/' || list_extract(['shop', 'news', 'help', 'search'], rnd(i, 5, 4)::INTEGER + 1) || '/' || rnd(i, 6, 100000),
  CASE WHEN rnd(i, 7, 4) > 0 THEN 'note ' || hash(i, 8) || ' of ' || list_extract(['somebody content', 'somebody angry', 'nobody'], rnd(i, 9, 3)::INTEGER + 1) END,
  CASE WHEN rnd(i, 10, 10) > 0 THEN rnd(i, 11, 50) END, rnd(i, 12, 10000000) / 100, rnd(i, 13, 1000000007) / 1000, CASE WHEN rnd(i, 14, 5) > 0 THEN rnd(i, 15, 1000) / 8 END, CAST(hash(i, 16) >> 1 AS BIGINT)
FROM range(rows()) t(i);

-- @table customers customer INTEGER, country VARCHAR, since DATE
SELECT i, 'country ' || rnd(i, 20, 60), DATE '2000-01-01' + rnd(i, 21, 7000)::INTEGER FROM range(200000) t(i);
