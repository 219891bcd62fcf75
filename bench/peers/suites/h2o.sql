-- The questions of H2O's db-benchmark: ten of groups, five of joins. Of the joins only sums are shown, of groups that are
-- many the first.

-- @query g1
SELECT id1, sum(v1) AS v1 FROM g GROUP BY id1;

-- @query g2
SELECT id1, id2, sum(v1) AS v1 FROM g GROUP BY id1, id2;

-- @query g3
SELECT id3, sum(v1) AS v1, avg(v3) AS v3 FROM g GROUP BY id3 ORDER BY id3 LIMIT 1000;

-- @query g4
SELECT id4, avg(v1) AS v1, avg(v2) AS v2, avg(v3) AS v3 FROM g GROUP BY id4;

-- @query g5
SELECT id6, sum(v1) AS v1, sum(v2) AS v2, sum(v3) AS v3 FROM g GROUP BY id6 ORDER BY id6 LIMIT 1000;

-- @query g6
SELECT id4, id5, median(v3) AS median_v3, stddev(v3) AS sd_v3 FROM g GROUP BY id4, id5;

-- @query g7
SELECT id3, max(v1) - min(v2) AS range_v1_v2 FROM g GROUP BY id3 ORDER BY id3 LIMIT 1000;

-- @query g8
SELECT id6, v3 FROM (SELECT id6, v3, row_number() OVER (PARTITION BY id6 ORDER BY v3 DESC) AS place FROM g WHERE v3 IS NOT NULL) WHERE place <= 2 ORDER BY id6, v3 LIMIT 1000;

-- @query g9
SELECT id2, id4, pow(corr(v1, v2), 2) AS r2 FROM g GROUP BY id2, id4;

-- @query g10
SELECT count(*) AS groups, sum(v3) AS v3, sum(n) AS n FROM (SELECT id1, id2, id3, id4, id5, id6, sum(v3) AS v3, count(*) AS n FROM g GROUP BY id1, id2, id3, id4, id5, id6);

-- @query j1
SELECT count(*) AS n, sum(x.v1) AS v1, sum(small.v2) AS v2 FROM x JOIN small USING (id1);

-- @query j2
SELECT count(*) AS n, sum(x.v1) AS v1, sum(medium.v2) AS v2 FROM x JOIN medium USING (id2);

-- @query j3
SELECT count(*) AS n, sum(x.v1) AS v1, sum(medium.v2) AS v2 FROM x LEFT JOIN medium USING (id2);

-- @query j4
SELECT count(*) AS n, sum(x.v1) AS v1, sum(medium.v2) AS v2 FROM x JOIN medium USING (id5);

-- @query j5
SELECT count(*) AS n, sum(x.v1) AS v1, sum(big.v2) AS v2 FROM x JOIN big USING (id3);
