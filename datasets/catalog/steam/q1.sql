-- Games per platform
SELECT count(*) FILTER (windows) AS windows, count(*) FILTER (mac) AS mac, count(*) FILTER (linux) AS linux
FROM games;
