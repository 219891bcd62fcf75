SELECT 1 /* not closed
SELECT '\xff'
SELECT "\xff"
SELECT \xff
SELECT ¤ FROM t
SELECT 'not closed
SELECT "not closed
SELECT "" FROM t
SELECT 1a FROM t
SELECT 1; SELECT 2
SELECT 1 FROM t t2 3
SELECT CASE i THEN 1 END FROM t
SELECT i FROM
SELECT i FROM GROUP BY i
SELECT ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((1
INSERT INTO t VALUES (1)
CREATE OR REPLACE TEMP TABLE t (a INT)
CREATE SEQUENCE s
CREATE MACRO m(x := 1, y) AS x
CREATE MACRO m(x) AS x, (y VARCHAR) AS y
SELEKT i FROM t
COPY (SELECT 1) TO 'x.csv' (FORMAT )
SELECT i FROM (3)
SELECT i FROM t ORDER BY i NULLS 3
SELECT i AS 3 FROM t
SELECT i FROM t TABLESAMPLE foo(3)
SELECT sum(i) OVER (ROWS BETWEEN 1 PRECEDING AND CURRENT ROW EXCLUDE 3) FROM t
SELECT sum(i) OVER (ROWS BETWEEN 1 AND CURRENT ROW) FROM t
SELECT t.i FROM t JOIN u
SELECT i FROM ''
SELECT i FROM t PIVOT (sum(i) FOR s IN ('a'))
SELECT t. FROM t
SELECT dt + ts FROM t, both
SELECT TIMESTAMP '2020-01-01 00:00:00' + 1
SELECT dt * 2 FROM t
SELECT dt + s FROM t
SELECT dt + INTERVAL (s) DAY FROM t
SELECT dt + INTERVAL '3 eons' FROM t
SELECT dt + INTERVAL 'some days' FROM t
SELECT INTERVAL 3 DAY * INTERVAL 1 DAY
SELECT INTERVAL 3 DAY % 2
SELECT INTERVAL 3 DAY + 1
SELECT INTERVAL 3 DAY = 1
SELECT date_part('dow', INTERVAL 3 DAY)
SELECT sum(DISTINCT to_days(i)) FROM t
SELECT avg(to_days(i)) OVER () FROM t
SELECT quantile_cont(to_days(i), 0.5) FROM t
SELECT CAST(INTERVAL 3 DAY AS BIGINT)
SELECT CAST(i AS INTERVAL) FROM t
SELECT date_part('eon', dt) FROM t
SELECT date_trunc('eon', dt) FROM t
SELECT strftime(dt, '%Q') FROM t
SELECT i FROM t EXCEPT BY NAME SELECT i FROM u
SELECT i, s FROM t UNION SELECT i FROM u
VALUES (1, 2), (3)
SELECT i FROM t GROUP BY (SELECT 1)
SELECT b FROM t WHERE b > ALL (SELECT b FROM t)
SELECT first(DISTINCT i ORDER BY s) FROM t
SELECT i FROM t WHERE i = ANY (l)
SELECT i FROM t WHERE i = ANY (i)
SELECT i FROM t WHERE i = ANY (1, 2)
SELECT i FROM t WHERE s NOT LIKE ALL (['a%'])
SELECT l < ANY (l) FROM t
SELECT (SELECT count(*) + u.d FROM u WHERE u.i = t.i) FROM t
SELECT (SELECT i, i FROM u LIMIT 1) FROM t
SELECT i FROM t WHERE row_number() OVER () = 1
SELECT ntile() OVER () FROM t
SELECT row_number(DISTINCT) OVER () FROM t
SELECT lag(DISTINCT i) OVER () FROM t
SELECT lower(s) OVER () FROM t
SELECT sum(i) OVER v FROM t WINDOW w AS (ORDER BY i)
SELECT sum(i) OVER (w ORDER BY i) FROM t WINDOW w AS (ORDER BY i)
SELECT sum(i) OVER v FROM t WINDOW v AS (v)
SELECT i.x FROM t
SELECT sum(i) OVER (ORDER BY i ROWS BETWEEN CURRENT ROW AND 1 PRECEDING) FROM t
SELECT sum(i) OVER (ORDER BY i, s RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) FROM t
SELECT sum(i) OVER (ORDER BY s RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) FROM t
SELECT sum(i) OVER (ORDER BY dt RANGE BETWEEN 3 PRECEDING AND CURRENT ROW) FROM t
SELECT sum(i) OVER (ORDER BY dt RANGE BETWEEN INTERVAL 3 HOUR PRECEDING AND CURRENT ROW) FROM t
SELECT t.i FROM t, t
SELECT * FROM (t JOIN u USING (i)) j
SELECT t.i FROM t ASOF JOIN u ON t.i = u.i
SELECT * FROM t NATURAL JOIN (SELECT 1 AS x)
SELECT * FROM t RIGHT JOIN LATERAL (SELECT t.i FROM u) x ON true
SELECT t.i FROM t LEFT JOIN u ON EXISTS (FROM t x WHERE x.i = t.i AND x.i = u.i)
SELECT * FROM read_csv('f', sample_size = 'all')
SELECT * FROM read_csv('f', ignore_errors = 'perhaps')
SELECT * FROM glob('*')
SELECT * FROM nothing(1)
SELECT * FROM range(1, 5, 0)
SELECT * FROM range(DATE '2020-01-01', NULL, INTERVAL 1 DAY)
SELECT * FROM range(DATE '2020-01-01', DATE '2020-01-03' + CAST(length('a') AS BIGINT), INTERVAL '1 month 1 day')
SELECT * FROM range(DATE '2020-01-01', DATE '2020-01-03', INTERVAL 0 DAY)
SELECT * FROM range(TIMESTAMP '2020-01-30', TIMESTAMP '2020-03-03', to_days(5_000_000))
SELECT * FROM range()
SELECT * FROM unnest(l)
SELECT * FROM t, unnest(l, l)
SELECT * FROM t NATURAL JOIN unnest(t.l)
SELECT * FROM t LEFT JOIN unnest(t.l) AS x(y) ON y = 'a'
SELECT * FROM t RIGHT JOIN unnest(t.l) AS x(y) ON true
SELECT list_aggregate(l, 'bitstring_agg') FROM t
SELECT [1]::DATE[]
SELECT * FROM 'none.csv'
SELECT * FROM other.t
SELECT i FROM t WHERE s = "Bonn"
SELECT rowid FROM (SELECT i FROM t)
WITH r USING KEY (a) AS (SELECT 1 AS a) FROM r
ATTACH 'x.db'
SET threads = 4
SET preserve_insertion_order = false
PRAGMA enable_profiling
UPDATE t SET i = 1
SELECT * FROM tt
SELECT * FROM nothing_like_it
SELECT * FROM loop
SELECT * FROM wrong
SELECT * EXCLUDE (i, "K k") FROM u
SELECT *, count(*) FROM t
SELECT unnest() FROM t
SELECT unnest(l), count(*) FROM t
SELECT unnest(i) FROM t
SELECT DISTINCT i FROM t ORDER BY s
SELECT i FROM t WHERE s
SELECT 1e999
SELECT $nothing
SELECT DATE '2020-01-01' > $who
SELECT s + 1 FROM t
SELECT d << 2 FROM t
SELECT bit_and(d) FROM t
SELECT xor(i) FROM t
SELECT replace(s, i, 'x') FROM t
SELECT regexp_replace(s, 'a', 'b', s) FROM t
SELECT s ~ '(' FROM t
SELECT CASE WHEN b THEN l ELSE [i] END FROM t
SELECT s LIKE 'a' ESCAPE 'bc' FROM t
SELECT i IN l FROM t
SELECT list_contains(i, 'a') FROM t
SELECT i[1:2] FROM t
SELECT {'a': i}[1:2] FROM t
SELECT string_agg(DISTINCT s ORDER BY i) FROM t
SELECT CAST(i AS BIT) FROM t
SELECT CAST(b AS DATE) FROM t
SELECT TRY_CAST(i AS DATE) FROM t
SELECT i FROM t GROUP BY CUBE (i, s, b, dt, d, f, i + 1, i + 2, i + 3)
SELECT i FROM t GROUP BY CUBE (ROLLUP (i))
SELECT a.b.c.d FROM t
SELECT i FROM t, u
SELECT x.i FROM t
SELECT u.i FROM t
SELECT ii FROM t
SELECT quite_another FROM t
SELECT dt > 'not a day' FROM t
SELECT i = s FROM t
SELECT CASE WHEN b THEN i ELSE s END FROM t
SELECT s, count(*) FROM t
SELECT bitstring_agg(i) FROM t
SELECT sum() FROM t
SELECT sum(*) FROM t
SELECT bool_and(i) FROM t
SELECT quantile_cont(i, 2) FROM t
SELECT sum(s) FROM t
SELECT mode(l) OVER () FROM t
SELECT lower() FROM t
SELECT i FROM t WHERE sum(i) > 3
SELECT sum(sum(i)) FROM t
SELECT lower(DISTINCT s) FROM t
SELECT rank() FROM t
SELECT lowr(s) FROM t
SELECT completely_unknown(s) FROM t
SELECT i FROM t WHERE unnest(l) = 'a'
SELECT substr(s, 'a') FROM t
SELECT round(i, s) FROM t
SELECT round(3.14159265358979, i) FROM t
SELECT make_date(1, 2)
SELECT lag(i, s) OVER (ORDER BY i) FROM t
SELECT list_has_all(i, ['a']) FROM t
SELECT list_has_all(l, [i]) FROM t
SELECT sentiment(s, 'mine') FROM t
SELECT length(i) FROM t
WITH RECURSIVE r AS (SELECT 1) FROM r
SELECT * FROM t AS x (a, b, c, d, e, f, g, h)
SELECT i FROM t LIMIT -1
SELECT i FROM t UNION SELECT i FROM u ORDER BY i + 1
SELECT i FROM t ORDER BY 9
SELECT grouping(s) FROM t GROUP BY i
SELECT grouping() FROM t GROUP BY i
SELECT grouping(i) FROM t
SELECT hour(s) FROM t
SELECT first_value(i) IGNORE NULLS OVER () FROM t
SELECT sum(i IGNORE NULLS) OVER () FROM t
SELECT sum(i IGNORE NULLS) FROM t
SELECT length(s IGNORE NULLS) FROM t
SELECT ntile(3 IGNORE NULLS) OVER (ORDER BY i) FROM t
SELECT lag(i, 2000 IGNORE NULLS) OVER (ORDER BY i) FROM t
SELECT i = i = i FROM t
SELECT i IS 3 FROM t
SELECT CAST(i AS 3) FROM t
SELECT CAST(i AS DECIMAL(x)) FROM t
SELECT ? FROM t
SELECT i + FROM t
SELECT i + ) FROM t
SELECT COLUMNS('a') FROM t
SELECT CASE 1 END
SELECT EXTRACT(3 FROM dt) FROM t
SELECT * REPLACE (i) FROM t
SELECT count(*) WITHIN GROUP (ORDER BY i) FROM t
SELECT percentile_cont(0.9) FROM t
SELECT mode(s ORDER BY i) FROM t
SELECT mode(i ORDER BY i DESC) OVER () FROM t
SELECT i::ENUM('a', 'it''s') FROM t
SELECT union_value(i) FROM t
SELECT i FROM t WHERE (i, s) = (1, 'a', 2)
SELECT i FROM t WHERE (i, s) IN ((1, 'a'), 2)
SELECT i FROM t WHERE (i, s) NOT IN (SELECT i FROM t)
SELECT i FROM t WHERE (i, s) IN (SELECT i FROM t)
-- a comment alone
VALUES \rows
SELECT dt + INTERVAL '' FROM t
SELECT i + INTERVAL 3 DAY FROM t
SELECT i && 2 FROM t
SELECT json_object(s) FROM t
SELECT 1 USING SAMPLE 3
SELECT i FROM t UNION TABLE t
SELECT dt + INTERVAL '3 eons' FROM t
SELECT dt + INTERVAL '9223372036854775807 years' FROM t
SELECT * FROM (t JOIN u ON t.i = u.i) AS j
SELECT date_diff('eon', dt, dt) FROM t
SELECT $since
SELECT regexp_matches(s, 'a', 'x') FROM t
SELECT t.i FROM t JOIN u WHERE true
SELECT TRY_CAST(dt AS BIGINT) FROM t
SELECT t.+ FROM t
SELECT i FROM t UNION 3
SELECT sum(i) OVER (ORDER BY i GROUPS BETWEEN -1 PRECEDING AND CURRENT ROW) FROM t
/* without tables */ SELECT 1
/* without tables */ VALUES (1)
SELECT sum(i) OVER (ORDER BY i RANGE BETWEEN -1 PRECEDING AND CURRENT ROW) FROM t
SELECT quantile_disc(l, 0.5) OVER (ORDER BY i) FROM t
SELECT i FROM read_csv('f')
SELECT i FROM read_csv()
SELECT i FROM read_csv(f)
SELECT i FROM read_csv(['f'])
SELECT i FROM read_csv('f', 1)
SELECT i FROM read_csv('f', color = 1)
SELECT i FROM read_csv('f', sep=',', delim=';')
SELECT i FROM read_csv('f', skip = 'x')
SELECT i FROM read_csv('f', dateformat = '%y%m%d')
SELECT i FROM read_csv('f', dateformat = '%d.%m.%Y', timestampformat = '%-m/%-d/%Y %H:%M')
SELECT i FROM read_csv('f', header = 2)
SELECT i FROM read_csv('f', quote = 'ab')
SELECT i FROM read_csv('f', encoding = 'x')
SELECT i FROM read_csv('f', types = {'a': 'BIT'})
SELECT i FROM read_csv('f', columns = ['a'])
SELECT i FROM read_parquet('f', skip = 1)
SELECT i FROM read_csv('f', columns = {'a': 'BIGINT', 'a': 'BIGINT'})
SELECT i FROM read_csv('f', encoding = 1)
SELECT i FROM read_csv('f', names = 1)
SELECT DISTINCT ON (1) * FROM t
SELECT DISTINCT ON (i) i FROM t QUALIFY row_number() OVER () = 1
SELECT DISTINCT ON (i) i FROM t ORDER BY ALL
SELECT DISTINCT ON (i) i, unnest(l) FROM t
SELECT s FROM t ORDER BY s COLLATE DE
SELECT dt AT TIME ZONE 'Nowhere/City' FROM t
SELECT s FROM t FETCH NEXT 2 ROWS WITH TIES
SELECT s FROM t FETCH LAST ROW ONLY
SELECT s FROM t FETCH FIRST 2 LINES ONLY
SELECT * FROM t, unnest(i)
SELECT list_sort(l, 'up') FROM t
SELECT current_date + i FROM t
SELECT date_add(dt, true) FROM t
WITH a AS (FROM t), b AS (SELECT x.i FROM a x JOIN a y USING (i)), c AS (SELECT x.i FROM b x JOIN b y USING (i)), d AS (SELECT x.i FROM c x JOIN c y USING (i)), e AS (SELECT x.i FROM d x JOIN d y USING (i)), f AS (SELECT x.i FROM e x JOIN e y USING (i)), g AS (SELECT x.i FROM f x JOIN f y USING (i)), h AS (SELECT x.i FROM g x JOIN g y USING (i)), i AS (SELECT x.i FROM h x JOIN h y USING (i)), j AS (SELECT x.i FROM i x JOIN i y USING (i)), k AS (SELECT x.i FROM j x JOIN j y USING (i)), l AS (SELECT x.i FROM k x JOIN k y USING (i)), m AS (SELECT x.i FROM l x JOIN l y USING (i)), n AS (SELECT x.i FROM m x JOIN m y USING (i)), o AS (SELECT x.i FROM n x JOIN n y USING (i)) FROM o
SELECT nope AS vvvvv, 1 AS wwwww, 2 AS xxxxx, 3 AS yyyyy, 4 AS zzzzz
SELECT i AS x0, x0 + x0 AS x1, x1 + x1 AS x2, x2 + x2 AS x3, x3 + x3 AS x4, x4 + x4 AS x5, x5 + x5 AS x6, x6 + x6 AS x7, x7 + x7 AS x8, x8 + x8 AS x9, x9 + x9 AS x10, x10 + x10 AS x11, x11 + x11 AS x12, x12 + x12 AS x13, x13 + x13 AS x14 FROM t
SELECT i FROM t WHERE i IN (\columns)
SELECT dt + 1 MONTH FROM t
SELECT any_value(s HAVING MAX i) FROM t
SELECT max(s) KEEP (DENSE_RANK FIRST ORDER BY i) FROM t
SELECT * FROM unnest([1, 2]) WITH OFFSET
SELECT trunc(dt) FROM t
SELECT to_timestamp(s, 'YYYY') FROM t
SELECT count(*) OVER PARTITION BY i FROM t
SELECT i FROM t WHERE i BETWEEN 1, 2
SELECT s, count(*) FROM t GROUP BY s WHERE i > 1
SELECT count(DISTINCT *) FROM t
SELECT dt + INTERVAL 7 FROM t
SELECT i FROM t SAMPLE 10%
SELECT CASE WHEN i > 1 THEN 2 FROM t
SELECT i FROM t WHERE i > 1 AND
SELECT i FROM t WHERE i > 50,000
SELECT i FROM t WHERE i => 1
SELECT i FROM t WHERE i >< 1
SELECT i FROM t WHERE !(i > 1)
SELECT e.i FROM t
SELECT i FROM t OUTER JOIN u USING (i)
SELECT i FROM t CROSS APPLY (SELECT 1)
SELECT i FROM t START WITH i = 1 CONNECT BY PRIOR i = 2
SELECT sum(i) OVER w FROM t
WITH a AS SELECT 1 SELECT 2
WITH a (SELECT 1) SELECT 2
SELECT ,i FROM t
SELECT * INTO x FROM t
SELECT i FROM t, u ON t.i = u.i
SELECT x'AB' FROM t
SELECT date_diff(dt, dt, DAY) FROM t
SELECT date_sub(dt, INTERVAL 7 DAY) FROM t
SELECT CAST(i AS NUMBER(10, 2)) FROM t
SELECT s + i FROM t
SELECT i FORM t
SELECT i FROM t WERE i = 1
SELECT i s f FROM t
SELECT i FROM t ORDER i
SELECT (i + 1 FROM t
SELECT rank OVER (ORDER BY i) FROM t
SELECT i FROM t WHERE i NOT EXISTS (SELECT 1)
SELECT t.i FROM t, u WHERE t.i = u.i(+)
SELECT i FROM t WHERE i = :x
SELECT i FROM t WITH (NOLOCK)
SELECT i AS FROM t
SELECT i FROM t MINUS SELECT i FROM u
SELECT i > 1 ? 2 : 3 FROM t
SELECT i FROM t WHERE rownum < 10
SELECT date_trunc(dt, month) FROM t
SELECT isnull(s, s) FROM t
SELECT 1 FROM dual
SELECT count(DISTINCT i, s) FROM t
SELECT i FROM t WHERE dt > 20200101
SELECT i FROM t WHERE dt > '2020'
SELECT i FROM t WHERE i = '1a'
SELECT i FROM t WHERE b = 'x'
SELECT \plus FROM t
SELECT \deep FROM t
SELECT COLUMNS('(') FROM t
SELECT COLUMNS('^zz') FROM t
SELECT COLUMNS(*) + COLUMNS('i') FROM t
SELECT COLUMNS(1 + 2) FROM t
SELECT COLUMNS(['ii']) FROM t
SELECT #9 FROM u
SELECT p.x FROM (SELECT [{x: 1}] AS p FROM t)
SELECT $$not closed
SELECT * LIKE i FROM t
PIVOT t ON i USING sum(f)
FROM t PIVOT (sum(f) FOR i IN (1)
FROM t PIVOT (sum(f) FOR i)
FROM t PIVOT (sum(f) FOR i IN (SELECT 1))
UNPIVOT u ON i + ii
UNPIVOT u ON 1
UNPIVOT u ON ii
UNPIVOT t ON i, s
SELECT t.i FROM t ASOF LEFT JOIN u ON t.i >= u.i AND t.i < u.i + 3
SELECT (SELECT count(*) FROM t ASOF JOIN u ON t.i >= u.i AND t.s = o.s) FROM t o
SELECT i FROM t TABLESAMPLE system(3 ROWS)
SELECT i FROM t TABLESAMPLE 300%
SELECT i FROM t TABLESAMPLE 3 REPEATABLE (i)
SELECT make_timestamp(2020, 1)
SELECT printf('%s %d', 'a', s) FROM t
SELECT format('{', i) FROM t
SELECT format('{} {}', i) FROM t
SELECT format('{:y}', i) FROM t
SELECT time_bucket(INTERVAL '1 month 1 day', dt) FROM t
SELECT time_bucket(INTERVAL (i) DAY, dt) FROM t
SELECT time_bucket(3, dt) FROM t
SELECT strptime(s, []) FROM t
SELECT date_sub('eon', dt, dt) FROM t
SELECT s ->> '$.a[' FROM t
SELECT lambda x: x FROM t
SELECT list_transform(l, 1) FROM t
SELECT list_filter(l, lambda x, y, z: true) FROM t
SELECT l[1:5:i] FROM t
SELECT list_transform(l, lambda x: (SELECT 1)) FROM t
SELECT [i FOR x, i IN l IF i > 1] FROM t
SELECT s || 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' AS x0, x0 || x0 || x0 || x0 || x0 || x0 || x0 || x0 AS x1, x1 || x1 || x1 || x1 || x1 || x1 || x1 || x1 AS x2, x2 || x2 || x2 || x2 || x2 || x2 || x2 || x2 AS x3, x3 || x3 || x3 || x3 FROM t
SELECT list_aggregate(l, 'eon') FROM t
SELECT mad(i IGNORE NULLS) FROM t
SELECT i FROM read_csv('f', decimal_separator = ';')
SELECT i FROM read_csv('f', thousands = '_')
SELECT i FROM read_csv('f', decimal_separator = ',', thousands = ',')
SELECT i FROM read_csv('f', store_rejects = 'x')
SELECT i FROM read_csv('f', rejects_table = 'r')
SELECT i FROM read_csv('f', buffer_size = 'large')
SELECT i FROM read_csv('f', normalize_names = 'x')
SELECT i FROM read_csv('f', strict_mode = 'x')
SELECT i FROM read_csv('f', new_line = 'x')
SELECT i FROM read_csv('f', compression = 'rar')
SELECT i FROM read_csv('f', force_not_null = ['a'])
SELECT i FROM read_csv('f', types = {'a': 'DECIMAL FORMAT 1.234'})
SELECT i FROM read_csv('f', dateformat = '%b')
SELECT i FROM read_csv('f', auto_type_candidates = ['BIT'])
SELECT i FROM read_csv('f', auto_detect = false)
SELECT i FROM read_csv('f', filename = '')
SELECT i FROM read_csv('f', hive_types = {'day': 'DATE FORMAT dmy'})
SELECT i FROM read_csv('f', skip = -1)
SELECT i FROM read_csv('f', allow_quoted_nulls = false)
SELECT i FROM read_csv('f', widths = 4)
SELECT i FROM read_csv('f', widths = [4, 'x'])
SELECT i FROM read_csv('f', widths = [4, 0])
COPY t FROM 'x.csv'
COPY t TO 'x.csv' (COLOR red)
COPY t TO 'x.csv' (HEADER, HEADER false)
COPY t TO 'x.csv' (FILENAME_PATTERN x)
COPY t TO 'x.csv' (PARTITION_BY *)
COPY t TO 'x.csv' (DELIMITER '')
COPY t TO 'x.csv' (QUOTE 'ab')
COPY t TO 'x.csv' (COMPRESSION rar)
COPY t TO 'x.csv' (ENCODING 'latin-1')
COPY t TO 'x.csv' (OVERWRITE false)
COPY t TO 'x.csv' (DATEFORMAT '%Q')
SELECT date_part('day', TIME '10:00')
SELECT date_diff('hour', TIME '10:00', DATE '2020-01-01')
SELECT date_sub('hour', TIME '10:00', DATE '2020-01-01')
SELECT TIME '10:00' + 1
SELECT {'a': 1, 'A': 2}
SELECT struct_pack(1)
SELECT struct_keys(i) FROM t
SELECT {'a': 1}[2]
SELECT {'a': 1}[i] FROM t
SELECT {'abc': 1}.abd
SELECT row(1).a
SELECT x.a.b FROM (SELECT {'a': 1} AS x)
SELECT {'a': 1}::STRUCT(b INT)
SELECT 1::STRUCT(b INT)
SELECT {'a': 1}::STRUCT(a BIT)
SELECT {'a': {'a': {'a': {'a': {'a': {'a': {'a': {'a': {'a': 1}}}}}}}}}
SELECT {'a': 1} = [1]
SELECT CASE WHEN true THEN {'a': 1} ELSE {'a': 'x'} END
SELECT map_from_entries([1])
SELECT map_keys(1)
SELECT 1::MAP(INT, INT)
SELECT COLUMNS(i + 1) FROM t
SELECT * RENAME (nope AS x) FROM t
SELECT * RENAME (i) FROM t
SELECT i FROM t LIMIT -1.5
SELECT i FROM t LIMIT -5%
SELECT i FROM t LIMIT 120%
SELECT json_type('{}', [s]) FROM t
SELECT s.* EXCLUDE (b) FROM (SELECT {'a': 1} AS s)
SELECT s.* RENAME (a AS b) FROM (SELECT {'a': 1} AS s)
SELECT NULL::STRUCT(a STRUCT(a STRUCT(a STRUCT(a STRUCT(a STRUCT(a STRUCT(a STRUCT(a STRUCT(a STRUCT(a STRUCT(a STRUCT(a STRUCT(a STRUCT(a STRUCT(a STRUCT(a STRUCT(a STRUCT(a STRUCT(a STRUCT(a INT))))))))))))))))))))
SELECT i FROM read_csv('f', types = {'i': 'STRUCT('})
SELECT i FROM read_csv('f', types = {'i': 'MAP(INT'})
SELECT i FROM read_csv('f', types = {'i': 'STRUCT(a INT) b)'})
SELECT {'a': x, 'b': x, 'c': x, 'd': x, 'e': x, 'f': x, 'g': x, 'h': x} FROM (SELECT {'a': x, 'b': x, 'c': x, 'd': x, 'e': x, 'f': x, 'g': x, 'h': x} AS x FROM (SELECT {'a': x, 'b': x, 'c': x, 'd': x, 'e': x, 'f': x, 'g': x, 'h': x} AS x FROM (SELECT {'a': x, 'b': x, 'c': x, 'd': x, 'e': x, 'f': x, 'g': x, 'h': x} AS x FROM (SELECT 1 AS x))))
SELECT range(DATE '2020-01-01', 5)
SELECT range(DATE '2020-01-01', DATE '2020-02-01', INTERVAL (i) DAY) FROM t
SELECT i FROM t ORDER BY random()
SELECT array_length(l, 2) FROM t
SELECT array_length(l, 0) FROM t
SELECT strptime(s, '%Y %V') FROM t
SELECT date_trunc('dow', INTERVAL 1 DAY)
SELECT date_part(['year', 'eon'], DATE '2024-01-01')
SELECT regexp_extract(s, '(a)', ['x', 'y']) FROM t
SELECT regexp_extract(s, s, ['x']) FROM t
SELECT regexp_extract(s, '(a)(b)', ['x', 'X']) FROM t
SELECT s! FROM t
SELECT concat([1], 'a')
SELECT printf('100%: %d', 1)
SELECT E'\u12'
SELECT date_part('timezone', DATE '2024-01-01')
SELECT list_mode(list(i) OVER ()) FROM t
SELECT json_transform(s, '[') FROM t
SELECT unnest([[l]], recursive := true), unnest(l) FROM t
UNPIVOT t ON (i, d), s INTO NAME n VALUE x, y
SELECT (SELECT sum(t.i) FROM u) FROM t
SELECT dense_rank(ORDER BY i) OVER (ORDER BY i) FROM t
SELECT histogram(i, range(2000)) FROM t
SELECT histogram(i, l) FROM t
SELECT * FROM json_each('[1]') WITH ORDINALITY
SELECT histogram(dt, [DATE '2020-01-01']) FROM t
SELECT i FROM range(1000000000000) t(i)
SELECT * FROM (SELECT DISTINCT s COLLATE NOCASE FROM t)
SELECT s COLLATE DE FROM t
WITH a AS (SELECT 1), A AS (SELECT 2) FROM a
SELECT map([1])
SELECT version()
SELECT 1::BIGNUM FROM t
SELECT '10:00'::TIMETZ FROM t
CREATE TYPE mood AS ENUM ('a')
SELECT to_char(dt, 'DDTH') FROM t
SELECT to_char(i, '9RN') FROM t
SELECT (SELECT min(i) + max(b.j) FROM range(3) AS b(j)) FROM t
SELECT a.i, b.i FROM t AS a, t AS b ORDER BY i
SELECT * FROM t AS a, t AS b ORDER BY i
SELECT parse_path(s, 'none') FROM t
SELECT json_value(s, '$[*]') FROM t
SELECT COLUMNS(* REPLACE (i AS nobody)) FROM t
SELECT unnest(l, deep := true) FROM t
SELECT s FROM t WHERE s ~* 'a'
SELECT s FROM t WHERE s RLIKE 'a'
SELECT `s` FROM t
SELECT s FROM data/t.csv
SELECT s FROM ~/t.csv
.mode csv
SET memory_limit = '1GB'
PRAGMA threads = 4
SHOW TABLES FROM other
CREATE TABLE db.other.t AS SELECT 1
SELECT getenv('HOME'), stats(i) FROM t
SELECT stats(i) FROM t
SELECT can_cast_implicitly(i, s) FROM t
SELECT json_agg(i) FROM t
SELECT array_sort(any_value({'a': i})) FROM t
SELECT max(i) WITHIN GROUP (ORDER BY i) FROM t
SELECT s #>> '{a}' FROM t
SELECT * FROM parquet_schema('x.parquet')
SELECT * FROM histogram(t, i)
SELECT * FROM repeat_row(1, 2, num_rows = 3)
SELECT s FROM t ORDER BY 's'
SELECT DISTINCT ON ('s') s FROM t
SELECT s FROM t UNION SELECT s FROM t ORDER BY 's'
SELECT list(s ORDER BY 's') FROM t
SELECT TOP 2 i FROM t
SELECT i FROM t LIMIT 1, 2
SELECT i FROM t LIMIT 1 BY s
SELECT s, count(*) FROM t GROUP BY s WITH ROLLUP
SELECT i FROM t LATERAL VIEW explode(l) x
SELECT i FROM t FOR UPDATE
SELECT SAFE_CAST(s AS BIGINT) FROM t
SELECT list(i ORDER BY i LIMIT 2) FROM t
SELECT 5 DIV 2
SELECT collect_set(s) FROM t
SELECT date_format(dt, '%Y') FROM t
COPY (SELECT 1) TO 'x.csv' (APPEND true)
LOAD spatial
INSTALL 5
CREATE PERSISTENT SECRET s (TYPE s3)
CREATE UNIQUE INDEX i ON t (i)
SET s3_region = 'eu-west-1'
SELECT other.t.i FROM t
CREATE SCHEMA a.b
