-- Sales, their shops and the people who sold: $scale 1 has 2 million sales.

-- @macros
CREATE MACRO rnd(i, salt, n) AS CAST(hash(i, salt) % n AS BIGINT);
CREATE MACRO rows() AS CAST($scale * 2000000 AS BIGINT);

-- @table sales id BIGINT, shop BIGINT, seller VARCHAR, moment TIMESTAMP, day DATE, item VARCHAR, pieces BIGINT, price DOUBLE, note VARCHAR
SELECT i, rnd(i, 1, 1000), 'person ' || rnd(i, 2, 20000), TIMESTAMP '2022-01-01' + to_seconds(rnd(i, 3, 94000000)), DATE '2022-01-01' + rnd(i, 4, 1000)::INTEGER,
  list_extract(['coffee, black', 'tea', 'bread', 'milk', 'paper "A4"', 'pen'], rnd(i, 5, 6)::INTEGER + 1), rnd(i, 6, 20) + 1, rnd(i, 7, 100000) / 100,
  CASE WHEN rnd(i, 8, 10) > 0 THEN 'order ' || rnd(i, 9, 1000000) || ' of a customer who was ' || list_extract(['content', 'angry', 'in a hurry'], rnd(i, 10, 3)::INTEGER + 1) END
FROM range(rows()) t(i);

-- @table shops shop BIGINT, city VARCHAR, opened DATE
SELECT i, 'city ' || rnd(i, 20, 100), DATE '1990-01-01' + rnd(i, 21, 10000)::INTEGER FROM range(1000) t(i) WHERE rnd(i, 22, 20) > 0;
