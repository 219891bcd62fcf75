-- Three plans over ratings.csv that do not fit into 256 MB.

-- @relation ratings
-- Read as numbers, no wider than the ids need, by the scanner itself; the time stamp, which nobody reads, stays text
-- and is not parsed.
SELECT userId, movieId, rating
FROM read_csv(getvariable('data') || '/ratings.csv', auto_detect = false, header = true, delim = ',',
  quote = '"', escape = '"', strict_mode = false, ignore_errors = true, columns = {
    'userId': 'INTEGER', 'movieId': 'INTEGER', 'rating': 'DECIMAL(9,4)', 'timestamp': 'VARCHAR'})
WHERE userId IS NOT NULL AND movieId IS NOT NULL AND rating IS NOT NULL;

-- @query groups reads ratings
-- Every (userId, movieId) is a group of about one row: the whole of the input is the state.
SELECT count(*) AS groups, sum(n) AS ratings, sum(s) AS rating_sum
FROM (SELECT userId, movieId, count(*) AS n, sum(rating) AS s FROM ratings GROUP BY 1, 2);

-- @query selfjoin reads ratings ratings
-- The whole of the input is the build side, and again the probe side. It is read twice, so it becomes a table, which
-- takes DuckDB two thirds of the CPU time of scanning the file twice.
SELECT count(*) AS pairs, sum(a.rating) AS rating_sum
FROM ratings a JOIN ratings b ON a.userId = b.userId AND a.movieId = b.movieId;

-- @query listagg reads ratings
-- One list per user; the sums make sure that every list is built and read. DuckDB 1.5 does not spill lists; read
-- buffers of 2 MB instead of 32 MB do not change that.
SELECT count(*) AS users, sum(len(movies)) AS ratings, sum(list_sum(movies)) AS movie_id_sum
FROM (SELECT userId, list(movieId) AS movies FROM ratings GROUP BY 1);
