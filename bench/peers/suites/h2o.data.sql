-- Tables like those of H2O's db-benchmark: $scale 1 has 10 million rows. Keys fall into as many groups as there, and
-- nine tenths of the keys of x are in the tables that it is joined with.

-- @macros
CREATE MACRO rnd(i, salt, n) AS CAST(hash(i, salt) % n AS BIGINT);
CREATE MACRO rows() AS CAST($scale * 10000000 AS BIGINT);
CREATE MACRO part_of(n) AS greatest(rows() // n, 10);

-- @table g id1 VARCHAR, id2 VARCHAR, id3 VARCHAR, id4 BIGINT, id5 BIGINT, id6 BIGINT, v1 BIGINT, v2 BIGINT, v3 DOUBLE
SELECT format('id{:03d}', rnd(i, 1, 100) + 1), format('id{:03d}', rnd(i, 2, 100) + 1), format('id{:010d}', rnd(i, 3, part_of(100)) + 1), rnd(i, 4, 100) + 1, rnd(i, 5, 100) + 1, rnd(i, 6, part_of(100)) + 1,
  rnd(i, 7, 5) + 1, rnd(i, 8, 15) + 1, rnd(i, 9, 100000000) / 1000000 FROM range(rows()) t(i);

-- @table x id1 BIGINT, id2 BIGINT, id3 BIGINT, id4 VARCHAR, id5 VARCHAR, id6 VARCHAR, v1 DOUBLE
SELECT rnd(i, 11, part_of(1000000)) + 1, rnd(i, 12, part_of(1000)) + 1, i + 1, 'id' || (rnd(i, 11, part_of(1000000)) + 1), 'id' || (rnd(i, 12, part_of(1000)) + 1), 'id' || (i + 1), rnd(i, 14, 100000000) / 1000000 FROM range(rows()) t(i);

-- @table small id1 BIGINT, id4 VARCHAR, v2 DOUBLE
SELECT i + 1, 'id' || (i + 1), rnd(i, 21, 100000000) / 1000000 FROM range(part_of(1000000)) t(i) WHERE rnd(i, 20, 10) > 0;

-- @table medium id1 BIGINT, id2 BIGINT, id4 VARCHAR, id5 VARCHAR, v2 DOUBLE
SELECT rnd(i, 31, part_of(1000000)) + 1, i + 1, 'id' || (rnd(i, 31, part_of(1000000)) + 1), 'id' || (i + 1), rnd(i, 32, 100000000) / 1000000 FROM range(part_of(1000)) t(i) WHERE rnd(i, 30, 10) > 0;

-- @table big id1 BIGINT, id2 BIGINT, id3 BIGINT, id4 VARCHAR, id5 VARCHAR, id6 VARCHAR, v2 DOUBLE
SELECT rnd(i, 41, part_of(1000000)) + 1, rnd(i, 42, part_of(1000)) + 1, i + 1, 'id' || (rnd(i, 41, part_of(1000000)) + 1), 'id' || (rnd(i, 42, part_of(1000)) + 1), 'id' || (i + 1), rnd(i, 43, 100000000) / 1000000 FROM range(rows()) t(i) WHERE rnd(i, 40, 10) > 0;
