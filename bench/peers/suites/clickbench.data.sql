-- A table like that of ClickBench, with the columns that its questions read: $scale 1 has 10 million rows. A few sites,
-- words and addresses are most of what there is, as there.

-- @macros
CREATE MACRO rnd(i, salt, n) AS CAST(hash(i, salt) % n AS BIGINT);
CREATE MACRO skewed(i, salt, n) AS CAST(floor(pow(hash(i, salt) % 1000003 / 1000003, 3) * n) AS BIGINT);
CREATE MACRO rows() AS greatest(CAST($scale * 10000000 AS BIGINT), 1000);
CREATE MACRO word(i, salt, words) AS words[rnd(i, salt, len(words)) + 1];
CREATE MACRO url(n) AS format('http://{}.ru/{}/{}', ['example', 'google', 'yandex', 'news', 'auto'][n % 5 + 1], ['index', 'catalog', 'search', 'map'][n % 4 + 1], n);

-- @table hits WatchID BIGINT, JavaEnable BIGINT, Title VARCHAR, GoodEvent BIGINT, EventTime TIMESTAMP, EventDate DATE, CounterID BIGINT, ClientIP BIGINT, RegionID BIGINT, UserID BIGINT, OS BIGINT, URL VARCHAR, Referer VARCHAR, IsRefresh BIGINT, ResolutionWidth BIGINT, MobilePhone BIGINT, MobilePhoneModel VARCHAR, TraficSourceID BIGINT, SearchEngineID BIGINT, SearchPhrase VARCHAR, AdvEngineID BIGINT, WindowClientWidth BIGINT, WindowClientHeight BIGINT, IsLink BIGINT, IsDownload BIGINT, DontCountHits BIGINT, RefererHash BIGINT, URLHash BIGINT
SELECT CAST(hash(i, 1) >> 1 AS BIGINT), rnd(i, 2, 2), CASE WHEN rnd(i, 3, 5) = 0 THEN NULL ELSE word(i, 4, ['Google', 'Buy', 'News of', 'Map of', 'All about']) || ' ' || skewed(i, 5, 5000) END, 1,
  TIMESTAMP '2013-07-01 00:00:00' + to_seconds(rnd(i, 6, 31 * 86400)), CAST(TIMESTAMP '2013-07-01 00:00:00' + to_seconds(rnd(i, 6, 31 * 86400)) AS DATE), CASE WHEN rnd(i, 7, 20) = 0 THEN 62 ELSE skewed(i, 8, 6000) END,
  CAST(hash(skewed(i, 9, rows() // 10), 10) >> 33 AS BIGINT), skewed(i, 11, 5000), CAST(hash(skewed(i, 12, rows() // 5), 13) >> 1 AS BIGINT), rnd(i, 14, 90), CASE WHEN rnd(i, 15, 30) = 0 THEN NULL ELSE url(skewed(i, 16, rows() // 5)) END,
  CASE WHEN rnd(i, 17, 3) = 0 THEN NULL ELSE url(skewed(i, 18, rows() // 5)) END, CAST(rnd(i, 19, 8) = 0 AS BIGINT), 200 + skewed(i, 20, 2000), CASE WHEN rnd(i, 21, 10) = 0 THEN rnd(i, 22, 100) ELSE 0 END,
  CASE WHEN rnd(i, 21, 10) = 0 THEN word(i, 23, ['iPad', 'iPhone', 'Galaxy', 'Lumia', 'Xperia']) || ' ' || rnd(i, 24, 9) END, rnd(i, 25, 11) - 1, CASE WHEN rnd(i, 26, 8) = 0 THEN skewed(i, 27, 90) ELSE 0 END,
  CASE WHEN rnd(i, 28, 8) = 0 THEN word(i, 29, ['cheap', 'how to', 'what is', 'buy']) || ' ' || skewed(i, 30, 20000) END, CASE WHEN rnd(i, 31, 160) = 0 THEN skewed(i, 32, 60) ELSE 0 END, 300 + skewed(i, 33, 1600), 200 + skewed(i, 34, 1000),
  CAST(rnd(i, 35, 30) = 0 AS BIGINT), CAST(rnd(i, 36, 100) = 0 AS BIGINT), CAST(rnd(i, 37, 20) = 0 AS BIGINT), CASE WHEN rnd(i, 38, 50) = 0 THEN 3594120000172545465 ELSE CAST(hash(i, 39) >> 1 AS BIGINT) END,
  CASE WHEN rnd(i, 40, 50) = 0 THEN 2868770270353813622 ELSE CAST(hash(skewed(i, 16, rows() // 5), 41) >> 1 AS BIGINT) END FROM range(rows()) t(i);
