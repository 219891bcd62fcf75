-- The three plans of stress.sql in ClickHouse's SQL. $ratings is the file, whose columns are given.

-- @query groups
SELECT count(*) AS groups, sum(n) AS ratings, sum(s) AS rating_sum
FROM (SELECT userId, movieId, count(*) AS n, sum(rating) AS s FROM $ratings GROUP BY userId, movieId)

-- @query selfjoin
SELECT count(*) AS pairs, sum(a.rating) AS rating_sum
FROM (SELECT userId, movieId, rating FROM $ratings) AS a
JOIN (SELECT userId, movieId FROM $ratings) AS b ON a.userId = b.userId AND a.movieId = b.movieId

-- @query listagg
SELECT count(*) AS users, sum(length(movies)) AS ratings, sum(arraySum(movies)) AS movie_id_sum
FROM (SELECT userId, groupArray(movieId) AS movies FROM $ratings GROUP BY userId)
