-- The three plans of stress.sql in ClickHouse's SQL. See movies.clickhouse.sql.

-- @relation ratings
SELECT * FROM file('$data/ratings.csv', CSVWithNames, 'userId Int32, movieId Int32, rating Decimal(9, 4)')

-- @query groups reads ratings
SELECT count(*) AS groups, sum(n) AS ratings, sum(s) AS rating_sum
FROM (SELECT userId, movieId, count(*) AS n, sum(rating) AS s FROM ratings GROUP BY userId, movieId)

-- @query selfjoin reads ratings
SELECT count(*) AS pairs, sum(a.rating) AS rating_sum
FROM (SELECT userId, movieId, rating FROM ratings) AS a
JOIN (SELECT userId, movieId FROM ratings) AS b ON a.userId = b.userId AND a.movieId = b.movieId

-- @query listagg reads ratings
SELECT count(*) AS users, sum(length(movies)) AS ratings, sum(arraySum(movies)) AS movie_id_sum
FROM (SELECT userId, groupArray(movieId) AS movies FROM ratings GROUP BY userId)
