-- Games per platform
SELECT count_if(windows) AS windows, count_if(mac) AS mac, count_if(linux) AS linux
FROM games;
