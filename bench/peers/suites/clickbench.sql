-- The 43 questions of ClickBench. Empty texts are NULL in files of text, so that conditions <> '' are IS NOT NULL. Where
-- the order leaves open which rows are among the first, further columns settle it.

-- @query q1
SELECT count(*) FROM hits;

-- @query q2
SELECT count(*) FROM hits WHERE AdvEngineID <> 0;

-- @query q3
SELECT sum(AdvEngineID), count(*), avg(ResolutionWidth) FROM hits;

-- @query q4
SELECT avg(UserID) FROM hits;

-- @query q5
SELECT count(DISTINCT UserID) FROM hits;

-- @query q6
SELECT count(DISTINCT SearchPhrase) FROM hits;

-- @query q7
SELECT min(EventDate), max(EventDate) FROM hits;

-- @query q8
SELECT AdvEngineID, count(*) FROM hits WHERE AdvEngineID <> 0 GROUP BY AdvEngineID ORDER BY count(*) DESC, 1;

-- @query q9
SELECT RegionID, count(DISTINCT UserID) AS u FROM hits GROUP BY RegionID ORDER BY u DESC, 1 LIMIT 10;

-- @query q10
SELECT RegionID, sum(AdvEngineID), count(*) AS c, avg(ResolutionWidth), count(DISTINCT UserID) FROM hits GROUP BY RegionID ORDER BY c DESC, 1 LIMIT 10;

-- @query q11
SELECT MobilePhoneModel, count(DISTINCT UserID) AS u FROM hits WHERE MobilePhoneModel IS NOT NULL GROUP BY MobilePhoneModel ORDER BY u DESC, 1 LIMIT 10;

-- @query q12
SELECT MobilePhone, MobilePhoneModel, count(DISTINCT UserID) AS u FROM hits WHERE MobilePhoneModel IS NOT NULL GROUP BY MobilePhone, MobilePhoneModel ORDER BY u DESC, 1, 2 LIMIT 10;

-- @query q13
SELECT SearchPhrase, count(*) AS c FROM hits WHERE SearchPhrase IS NOT NULL GROUP BY SearchPhrase ORDER BY c DESC, 1 LIMIT 10;

-- @query q14
SELECT SearchPhrase, count(DISTINCT UserID) AS u FROM hits WHERE SearchPhrase IS NOT NULL GROUP BY SearchPhrase ORDER BY u DESC, 1 LIMIT 10;

-- @query q15
SELECT SearchEngineID, SearchPhrase, count(*) AS c FROM hits WHERE SearchPhrase IS NOT NULL GROUP BY SearchEngineID, SearchPhrase ORDER BY c DESC, 1, 2 LIMIT 10;

-- @query q16
SELECT UserID, count(*) FROM hits GROUP BY UserID ORDER BY count(*) DESC, 1 LIMIT 10;

-- @query q17
SELECT UserID, SearchPhrase, count(*) FROM hits GROUP BY UserID, SearchPhrase ORDER BY count(*) DESC, 1, 2 LIMIT 10;

-- @query q18
SELECT UserID, SearchPhrase, count(*) FROM hits GROUP BY UserID, SearchPhrase ORDER BY ALL LIMIT 10;

-- @query q19
SELECT UserID, extract(MINUTE FROM EventTime) AS m, SearchPhrase, count(*) FROM hits GROUP BY UserID, m, SearchPhrase ORDER BY count(*) DESC, 1, 2, 3 LIMIT 10;

-- @query q20
SELECT UserID FROM hits WHERE UserID = 435090932899640449;

-- @query q21
SELECT count(*) FROM hits WHERE URL LIKE '%google%';

-- @query q22
SELECT SearchPhrase, min(URL), count(*) AS c FROM hits WHERE URL LIKE '%google%' AND SearchPhrase IS NOT NULL GROUP BY SearchPhrase ORDER BY c DESC, 1 LIMIT 10;

-- @query q23
SELECT SearchPhrase, min(URL), min(Title), count(*) AS c, count(DISTINCT UserID) FROM hits WHERE Title LIKE '%Google%' AND URL NOT LIKE '%.google.%' AND SearchPhrase IS NOT NULL GROUP BY SearchPhrase ORDER BY c DESC, 1 LIMIT 10;

-- @query q24
SELECT * FROM hits WHERE URL LIKE '%google%' ORDER BY EventTime, WatchID LIMIT 10;

-- @query q25
SELECT SearchPhrase FROM hits WHERE SearchPhrase IS NOT NULL ORDER BY EventTime, SearchPhrase LIMIT 10;

-- @query q26
SELECT SearchPhrase FROM hits WHERE SearchPhrase IS NOT NULL ORDER BY SearchPhrase LIMIT 10;

-- @query q27
SELECT SearchPhrase FROM hits WHERE SearchPhrase IS NOT NULL ORDER BY EventTime, SearchPhrase LIMIT 10;

-- @query q28
SELECT CounterID, avg(length(URL)) AS l, count(*) AS c FROM hits WHERE URL IS NOT NULL GROUP BY CounterID HAVING count(*) > 1000 ORDER BY l DESC, 1 LIMIT 25;

-- @query q29
SELECT regexp_replace(Referer, '^https?://(?:www\.)?([^/]+)/.*$', '\1') AS k, avg(length(Referer)) AS l, count(*) AS c, min(Referer) FROM hits WHERE Referer IS NOT NULL GROUP BY k HAVING count(*) > 1000 ORDER BY l DESC LIMIT 25;

-- @query q30
SELECT sum(ResolutionWidth), sum(ResolutionWidth + 1), sum(ResolutionWidth + 2), sum(ResolutionWidth + 3), sum(ResolutionWidth + 4), sum(ResolutionWidth + 5), sum(ResolutionWidth + 6), sum(ResolutionWidth + 7), sum(ResolutionWidth + 8), sum(ResolutionWidth + 9), sum(ResolutionWidth + 10), sum(ResolutionWidth + 11), sum(ResolutionWidth + 12), sum(ResolutionWidth + 13), sum(ResolutionWidth + 14), sum(ResolutionWidth + 15), sum(ResolutionWidth + 16), sum(ResolutionWidth + 17), sum(ResolutionWidth + 18), sum(ResolutionWidth + 19) FROM hits;

-- @query q31
SELECT SearchEngineID, ClientIP, count(*) AS c, sum(IsRefresh), avg(ResolutionWidth) FROM hits WHERE SearchPhrase IS NOT NULL GROUP BY SearchEngineID, ClientIP ORDER BY c DESC, 1, 2 LIMIT 10;

-- @query q32
SELECT WatchID, ClientIP, count(*) AS c, sum(IsRefresh), avg(ResolutionWidth) FROM hits WHERE SearchPhrase IS NOT NULL GROUP BY WatchID, ClientIP ORDER BY c DESC, 1, 2 LIMIT 10;

-- @query q33
SELECT WatchID, ClientIP, count(*) AS c, sum(IsRefresh), avg(ResolutionWidth) FROM hits GROUP BY WatchID, ClientIP ORDER BY c DESC, 1, 2 LIMIT 10;

-- @query q34
SELECT URL, count(*) AS c FROM hits GROUP BY URL ORDER BY c DESC, 1 LIMIT 10;

-- @query q35
SELECT 1, URL, count(*) AS c FROM hits GROUP BY 1, URL ORDER BY c DESC, 2 LIMIT 10;

-- @query q36
SELECT ClientIP, ClientIP - 1, ClientIP - 2, ClientIP - 3, count(*) AS c FROM hits GROUP BY ClientIP, ClientIP - 1, ClientIP - 2, ClientIP - 3 ORDER BY c DESC, 1 LIMIT 10;

-- @query q37
SELECT URL, count(*) AS PageViews FROM hits WHERE CounterID = 62 AND EventDate >= '2013-07-01' AND EventDate <= '2013-07-31' AND DontCountHits = 0 AND IsRefresh = 0 AND URL IS NOT NULL GROUP BY URL ORDER BY PageViews DESC, 1 LIMIT 10;

-- @query q38
SELECT Title, count(*) AS PageViews FROM hits WHERE CounterID = 62 AND EventDate >= '2013-07-01' AND EventDate <= '2013-07-31' AND DontCountHits = 0 AND IsRefresh = 0 AND Title IS NOT NULL GROUP BY Title ORDER BY PageViews DESC, 1 LIMIT 10;

-- @query q39
SELECT URL, count(*) AS PageViews FROM hits WHERE CounterID = 62 AND EventDate >= '2013-07-01' AND EventDate <= '2013-07-31' AND IsRefresh = 0 AND IsLink <> 0 AND IsDownload = 0 GROUP BY URL ORDER BY PageViews DESC, 1 LIMIT 10 OFFSET 10;

-- @query q40
SELECT TraficSourceID, SearchEngineID, AdvEngineID, CASE WHEN SearchEngineID = 0 AND AdvEngineID = 0 THEN Referer ELSE '' END AS Src, URL AS Dst, count(*) AS PageViews FROM hits WHERE CounterID = 62 AND EventDate >= '2013-07-01' AND EventDate <= '2013-07-31' AND IsRefresh = 0 GROUP BY TraficSourceID, SearchEngineID, AdvEngineID, Src, Dst ORDER BY PageViews DESC, 1, 2, 3, 4, 5 LIMIT 10 OFFSET 10;

-- @query q41
SELECT URLHash, EventDate, count(*) AS PageViews FROM hits WHERE CounterID = 62 AND EventDate >= '2013-07-01' AND EventDate <= '2013-07-31' AND IsRefresh = 0 AND TraficSourceID IN (-1, 6) AND RefererHash = 3594120000172545465 GROUP BY URLHash, EventDate ORDER BY PageViews DESC, 1, 2 LIMIT 10 OFFSET 3;

-- @query q42
SELECT WindowClientWidth, WindowClientHeight, count(*) AS PageViews FROM hits WHERE CounterID = 62 AND EventDate >= '2013-07-01' AND EventDate <= '2013-07-31' AND IsRefresh = 0 AND DontCountHits = 0 AND URLHash = 2868770270353813622 GROUP BY WindowClientWidth, WindowClientHeight ORDER BY PageViews DESC, 1, 2 LIMIT 10 OFFSET 3;

-- @query q43
SELECT date_trunc('minute', EventTime) AS M, count(*) AS PageViews FROM hits WHERE CounterID = 62 AND EventDate >= '2013-07-14' AND EventDate <= '2013-07-15' AND IsRefresh = 0 AND DontCountHits = 0 GROUP BY M ORDER BY M LIMIT 10 OFFSET 3;
