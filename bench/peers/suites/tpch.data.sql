-- Tables like those of TPC-H, of which $scale 1 has 6 million lines: keys, dates and words are spread as there, so that
-- conditions keep as much as they do there. Each section is a file; the types of its columns are those of its table.

-- @macros
CREATE MACRO rnd(i, salt, n) AS CAST(hash(i, salt) % n AS BIGINT);
CREATE MACRO word(i, salt, words) AS words[rnd(i, salt, len(words)) + 1];
CREATE MACRO cents(i, salt, least, most) AS CAST((least + rnd(i, salt, most - least + 1)) / 100 AS DECIMAL(15, 2));
CREATE MACRO colors() AS ['almond', 'antique', 'aquamarine', 'azure', 'beige', 'bisque', 'black', 'blanched', 'blue', 'blush', 'brown', 'burlywood', 'burnished', 'chartreuse', 'chiffon', 'chocolate', 'coral', 'cornflower', 'cornsilk', 'cream', 'cyan', 'dark', 'deep', 'dim', 'dodger', 'drab', 'firebrick', 'floral', 'forest', 'frosted', 'gainsboro', 'ghost', 'goldenrod', 'green', 'grey', 'honeydew', 'hot', 'indian', 'ivory', 'khaki', 'lace', 'lavender', 'lawn', 'lemon', 'light', 'lime', 'linen', 'magenta', 'maroon', 'medium', 'metallic', 'midnight', 'mint', 'misty', 'moccasin', 'navajo', 'navy', 'olive', 'orange', 'orchid', 'pale', 'papaya', 'peach', 'peru', 'pink', 'plum', 'powder', 'puff', 'purple', 'red', 'rose', 'rosy', 'royal', 'saddle', 'salmon', 'sandy', 'seashell', 'sienna', 'sky', 'slate', 'smoke', 'snow', 'spring', 'steel', 'tan', 'thistle', 'tomato', 'turquoise', 'violet', 'wheat', 'white', 'yellow'];
CREATE MACRO prose(i, salt) AS concat_ws(' ', word(i, salt, ['furiously', 'carefully', 'quickly', 'slyly', 'blithely', 'boldly']), word(i, salt + 1, ['special', 'pending', 'final', 'regular', 'express', 'ironic', 'even', 'bold']), word(i, salt + 2, ['requests', 'deposits', 'accounts', 'packages', 'theodolites', 'pinto beans', 'foxes', 'ideas']), word(i, salt + 3, ['sleep', 'haggle', 'nag', 'wake', 'cajole', 'detect', 'use', 'integrate']), word(i, salt + 4, ['above', 'among', 'across', 'after', 'against', 'along']), 'the', word(i, salt + 5, ['accounts', 'deposits', 'requests', 'Customer Complaints', 'instructions', 'platelets', 'dependencies', 'asymptotes']));
CREATE MACRO suppliers() AS greatest(CAST($scale * 10000 AS BIGINT), 20);
CREATE MACRO parts() AS greatest(CAST($scale * 200000 AS BIGINT), 100);
CREATE MACRO customers() AS greatest(CAST($scale * 150000 AS BIGINT), 100);
CREATE MACRO orders_count() AS greatest(CAST($scale * 1500000 AS BIGINT), 500);
CREATE MACRO part_price(p) AS CAST((90000 + (p // 10) % 20001 + 100 * (p % 1000)) / 100 AS DECIMAL(15, 2));
CREATE MACRO supplier_of(p, k) AS (p + k * (suppliers() // 4 + (p - 1) // suppliers())) % suppliers() + 1;
CREATE MACRO phone(i, nation) AS format('{}-{:03d}-{:03d}-{:04d}', nation + 10, 100 + rnd(i, 71, 900), 100 + rnd(i, 72, 900), 1000 + rnd(i, 73, 9000));
CREATE MACRO orderdate(o) AS DATE '1992-01-01' + CAST(rnd(o, 5, 2406) AS INTEGER);

-- @table region r_regionkey BIGINT, r_name VARCHAR, r_comment VARCHAR
SELECT i, ['AFRICA', 'AMERICA', 'ASIA', 'EUROPE', 'MIDDLE EAST'][i + 1], prose(i, 1) FROM range(5) t(i);

-- @table nation n_nationkey BIGINT, n_name VARCHAR, n_regionkey BIGINT, n_comment VARCHAR
SELECT i, ['ALGERIA', 'ARGENTINA', 'BRAZIL', 'CANADA', 'EGYPT', 'ETHIOPIA', 'FRANCE', 'GERMANY', 'INDIA', 'INDONESIA', 'IRAN', 'IRAQ', 'JAPAN', 'JORDAN', 'KENYA', 'MOROCCO', 'MOZAMBIQUE', 'PERU', 'CHINA', 'ROMANIA', 'SAUDI ARABIA', 'VIETNAM', 'RUSSIA', 'UNITED KINGDOM', 'UNITED STATES'][i + 1],
  [0, 1, 1, 1, 4, 0, 3, 3, 2, 2, 4, 4, 2, 4, 0, 0, 0, 1, 2, 3, 4, 2, 3, 3, 1][i + 1], prose(i, 11) FROM range(25) t(i);

-- @table supplier s_suppkey BIGINT, s_name VARCHAR, s_address VARCHAR, s_nationkey BIGINT, s_phone VARCHAR, s_acctbal DECIMAL(15,2), s_comment VARCHAR
SELECT i, format('Supplier#{:09d}', i), 'road ' || rnd(i, 21, 100000), rnd(i, 22, 25), phone(i, rnd(i, 22, 25)), cents(i, 23, -99999, 999999),
  CASE WHEN rnd(i, 24, 200) = 0 THEN 'wake Customer quickly Complaints' ELSE prose(i, 25) END FROM range(1, suppliers() + 1) t(i);

-- @table part p_partkey BIGINT, p_name VARCHAR, p_mfgr VARCHAR, p_brand VARCHAR, p_type VARCHAR, p_size BIGINT, p_container VARCHAR, p_retailprice DECIMAL(15,2), p_comment VARCHAR
SELECT i, concat_ws(' ', word(i, 31, colors()), word(i, 32, colors()), word(i, 33, colors()), word(i, 34, colors()), word(i, 35, colors())), format('Manufacturer#{}', rnd(i, 36, 5) + 1), format('Brand#{}{}', rnd(i, 36, 5) + 1, rnd(i, 37, 5) + 1),
  concat_ws(' ', word(i, 38, ['STANDARD', 'SMALL', 'MEDIUM', 'LARGE', 'ECONOMY', 'PROMO']), word(i, 39, ['ANODIZED', 'BURNISHED', 'PLATED', 'POLISHED', 'BRUSHED']), word(i, 40, ['TIN', 'NICKEL', 'BRASS', 'STEEL', 'COPPER'])),
  rnd(i, 41, 50) + 1, concat_ws(' ', word(i, 42, ['SM', 'LG', 'MED', 'JUMBO', 'WRAP']), word(i, 43, ['CASE', 'BOX', 'BAG', 'JAR', 'PKG', 'PACK', 'CAN', 'DRUM'])), part_price(i), prose(i, 44) FROM range(1, parts() + 1) t(i);

-- @table partsupp ps_partkey BIGINT, ps_suppkey BIGINT, ps_availqty BIGINT, ps_supplycost DECIMAL(15,2), ps_comment VARCHAR
SELECT p, supplier_of(p, k), rnd(p * 4 + k, 51, 9999) + 1, cents(p * 4 + k, 52, 100, 100000), prose(p * 4 + k, 53) FROM range(1, parts() + 1) t(p), range(4) u(k) ORDER BY p, k;

-- @table customer c_custkey BIGINT, c_name VARCHAR, c_address VARCHAR, c_nationkey BIGINT, c_phone VARCHAR, c_acctbal DECIMAL(15,2), c_mktsegment VARCHAR, c_comment VARCHAR
SELECT i, format('Customer#{:09d}', i), 'lane ' || rnd(i, 61, 100000), rnd(i, 62, 25), phone(i, rnd(i, 62, 25)), cents(i, 63, -99999, 999999), word(i, 64, ['AUTOMOBILE', 'BUILDING', 'FURNITURE', 'MACHINERY', 'HOUSEHOLD']), prose(i, 65) FROM range(1, customers() + 1) t(i);

-- @table orders o_orderkey BIGINT, o_custkey BIGINT, o_orderstatus VARCHAR, o_totalprice DECIMAL(15,2), o_orderdate DATE, o_orderpriority VARCHAR, o_clerk VARCHAR, o_shippriority BIGINT, o_comment VARCHAR
SELECT o * 4, 1 + rnd(o, 81, customers() // 3) * 3 + rnd(o, 82, 2), CASE WHEN orderdate(o) < DATE '1995-03-01' THEN 'F' WHEN orderdate(o) > DATE '1995-06-17' THEN 'O' ELSE 'P' END, cents(o, 83, 90000, 50000000), orderdate(o),
  word(o, 84, ['1-URGENT', '2-HIGH', '3-MEDIUM', '4-NOT SPECIFIED', '5-LOW']), format('Clerk#{:09d}', rnd(o, 85, 1000) + 1), 0, prose(o, 86) FROM range(1, orders_count() + 1) t(o);

-- @table lineitem l_orderkey BIGINT, l_partkey BIGINT, l_suppkey BIGINT, l_linenumber BIGINT, l_quantity DECIMAL(15,2), l_extendedprice DECIMAL(15,2), l_discount DECIMAL(15,2), l_tax DECIMAL(15,2), l_returnflag VARCHAR, l_linestatus VARCHAR, l_shipdate DATE, l_commitdate DATE, l_receiptdate DATE, l_shipinstruct VARCHAR, l_shipmode VARCHAR, l_comment VARCHAR
WITH lines AS (SELECT o, n, o * 8 + n AS i, rnd(o * 8 + n, 91, parts()) + 1 AS p, rnd(o * 8 + n, 92, 50) + 1 AS quantity,
    orderdate(o) + CAST(1 + rnd(o * 8 + n, 93, 121) AS INTEGER) AS ship, orderdate(o) + CAST(30 + rnd(o * 8 + n, 94, 61) AS INTEGER) AS agreed
  FROM range(1, orders_count() + 1) t(o), range(1, 8) u(n) WHERE n <= 1 + rnd(o, 90, 7)),
dated AS (SELECT *, ship + CAST(1 + rnd(i, 95, 30) AS INTEGER) AS receipt FROM lines)
SELECT o * 4, p, supplier_of(p, rnd(i, 96, 4)), n, CAST(quantity AS DECIMAL(15, 2)), CAST(quantity * part_price(p) AS DECIMAL(15, 2)), cents(i, 97, 0, 10), cents(i, 98, 0, 8),
  CASE WHEN receipt > DATE '1995-06-17' THEN 'N' ELSE word(i, 99, ['R', 'A']) END, CASE WHEN ship > DATE '1995-06-17' THEN 'O' ELSE 'F' END, ship, agreed, receipt,
  word(i, 100, ['DELIVER IN PERSON', 'COLLECT COD', 'NONE', 'TAKE BACK RETURN']), word(i, 101, ['REG AIR', 'AIR', 'RAIL', 'SHIP', 'TRUCK', 'MAIL', 'FOB']), prose(i, 102) FROM dated ORDER BY o, n;
