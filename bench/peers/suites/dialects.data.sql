-- One table of sales in many dialects and shapes: $scale 1 has 2.6 million rows. A section "lines" is the text of a file, line by
-- line, and the encoding that it has.

-- @macros
CREATE MACRO rnd(i, salt, n) AS CAST(hash(i, salt) % n AS BIGINT);
CREATE MACRO rows() AS CAST($scale * 2600000 AS BIGINT);
CREATE MACRO joined(d, q, id, shop, day, amount) AS concat(q, id, q, d, q, shop, q, d, q, day, q, d, q, amount, q);
CREATE MACRO head(d, q) AS joined(d, q, 'id', 'shop', 'day', 'amount');
CREATE MACRO sale(d, q, i, s) AS joined(d, q, i, concat(s, rnd(i, 1, 500)), DATE '2020-01-01' + rnd(i, 2, 2000)::INTEGER, rnd(i, 3, 1000000) / 100);
CREATE MACRO sales(d, q, s) AS TABLE SELECT head(d, q) AS line UNION ALL SELECT sale(d, q, i, s) FROM range(rows()) t(i);

-- @lines plain
FROM sales(',', '', 'shop ');

-- @lines quoted
FROM sales(',', '"', 'shop ');

-- @lines single
FROM sales(',', '''', 'shop ');

-- @lines tabs
FROM sales(chr(9), '', 'shop ');

-- @lines semicolons
FROM sales(';', '', 'shop ');

-- @lines colons
FROM sales('::', '', 'shop ');

-- @lines marks
FROM sales(',', '', 'the "shop" ');

-- @lines backslashes
FROM sales(',', '"', 'the \"shop\" ');

-- @lines comments
SELECT unnest(CASE WHEN rnd(i, 4, 1000) = 0 THEN ['# checked', sale(',', '', i, 'shop ')] ELSE [sale(',', '', i, 'shop ')] END) AS line
FROM range(rows()) t(i);

-- @lines short
SELECT head(',', '') AS line UNION ALL
SELECT CASE WHEN rnd(i, 4, 1000) = 0 THEN concat(i, ',shop') ELSE sale(',', '', i, 'shop ') END FROM range(rows()) t(i);

-- @lines wide utf16le
FROM sales(',', '', 'shop ');

-- @lines western latin1
FROM sales(',', '', 'café ');

-- @lines ragged
SELECT head(',', '') AS line UNION ALL
SELECT array_to_string(list_slice(string_split(sale(',', '', i, 'shop '), ','), 1, 1 + rnd(i, 5, 4)), ',') FROM range(rows()) t(i);

-- @lines gaps
SELECT unnest([line, '']) AS line FROM sales(',', '', 'shop ');

-- @lines spaced
SELECT head(',', '') AS line UNION ALL SELECT joined(', ', '"', i, concat('shop ', rnd(i, 1, 500)), DATE '2020-01-01' + rnd(i, 2, 2000)::INTEGER, rnd(i, 3, 1000000) / 100)
FROM range(rows()) t(i);

-- @lines one
SELECT 'amount' AS line UNION ALL SELECT concat('', rnd(i, 3, 1000000) / 100) FROM range(rows()) t(i);

-- @lines missing
SELECT head(',', '') AS line UNION ALL
SELECT joined(',', '', i, concat('shop ', rnd(i, 1, 500)), DATE '2020-01-01' + rnd(i, 2, 2000)::INTEGER, CASE WHEN rnd(i, 6, 5) = 0 THEN 'none' ELSE concat('', rnd(i, 3, 1000000) / 100) END)
FROM range(rows()) t(i);
