// Random statements over values of types that tables of text do not have, in every clause in which a value may stand. All
// columns of an answer are texts, whose numbers are compared as numbers.

// rare are expressions over the table t, by their type.
const rare = {
  struct: ["{'a': i, 'b': s}", "{'a': i, 'b': dt}", "{'x': [i, id], 'y': {'z': b}}", "CASE WHEN b THEN {'a': id, 'b': NULL} END"],
  map: ["MAP {'k': i, 'l': id}", 'map([id, id + 1], [s, NULL])', 'CASE WHEN i > 0 THEN MAP {1: dt} END'],
  json: ["json_object('a', i, 'b', s)", 'to_json([i, id])', "('[' || i || ', null]')::JSON"],
  interval: ['to_days(i::INTEGER)', "(ts - TIMESTAMP '2020-02-29 10:00:00')", 'INTERVAL (i) MONTH', 'to_hours(i * 24)', "age(ts, TIMESTAMP '2019-05-31')"],
  moment: ['ts::TIMESTAMPTZ', "(ts AT TIME ZONE 'Europe/Berlin')", "CASE WHEN b THEN TIMESTAMPTZ '2020-06-15 10:30:00+02' ELSE ts::TIMESTAMPTZ END"],
  decimal: ['d::DECIMAL(9,2)', 'd::DECIMAL(38,10)', '(d * d)::DECIMAL(30,8)', 'i::DECIMAL(5,1)', 'nullif(d, 0.5)::DECIMAL(4,0)'],
  huge: ['h::HUGEINT * 3', 'abs(i)::UBIGINT', "i::HUGEINT - '170141183460469231731687303715884105000'::HUGEINT", 'id::UTINYINT::HUGEINT'],
  time: ['ts::TIME', "TIME '10:20:30' + INTERVAL (i) HOUR"],
  uuid: ['md5(s)::UUID', "CASE WHEN b THEN '550e8400-e29b-41d4-a716-446655440000'::UUID END"],
  blob: ['encode(s)', "CASE WHEN b THEN '\\x00\\xFF'::BLOB END"],
  list: ['[dt, NULL]', '[[i], [id, NULL], NULL]', "string_split(s, 'a')", 'range(i)', "[{'a': i}, NULL]", 'CASE WHEN b THEN [i] END'],
};

// forms are statements, in which {x} is such an expression.
const forms = [
  'SELECT id, {x} AS x FROM t', 'SELECT {x} AS x, count(*) AS n, min(id) AS m FROM t GROUP BY x', 'SELECT DISTINCT {x} AS x FROM t', 'SELECT id, x FROM (SELECT {x} AS x, id FROM t) ORDER BY x DESC NULLS LAST, id LIMIT 9', 'SELECT id, x FROM (SELECT {x} AS x, id FROM t) ORDER BY x NULLS FIRST, id LIMIT 7 OFFSET 2',
  'SELECT id FROM t WHERE {x} IS NULL', 'SELECT id, {x} = {x} AS e, {x} IS NOT DISTINCT FROM coalesce({x}, {x}) AS c FROM t', 'SELECT a.id, b.id AS o FROM (SELECT {x} AS x, id FROM t) a JOIN (SELECT {x} AS x, id FROM t WHERE i > 0) b ON a.x = b.x', 'SELECT a.id, b.id AS o FROM (SELECT {x} AS x, id FROM t) a LEFT JOIN (SELECT {x} AS x, id FROM t WHERE i > 0) b ON a.x < b.x AND b.id < 6',
  'SELECT a.id, b.id AS o FROM (SELECT {x} AS x, id FROM t) a FULL JOIN (SELECT {x} AS x, id FROM t WHERE i > 1) b USING (x)', 'SELECT a.id FROM (SELECT {x} AS x, id FROM t) a ANTI JOIN (SELECT {x} AS x FROM t WHERE i > 0) b ON a.x = b.x', 'SELECT id FROM (SELECT {x} AS x, id FROM t) a SEMI JOIN (SELECT {x} AS x FROM t WHERE i > 0) b USING (x)',
  'SELECT id FROM t WHERE {x} IN (SELECT {x} FROM t WHERE id % 3 = 0)', 'SELECT id, {x} NOT IN (SELECT {x} FROM t WHERE id % 4 = 1) AS n FROM t', 'SELECT id FROM t WHERE ({x}, i) IN (SELECT {x}, i FROM t WHERE id % 3 = 0)', 'SELECT id, {x} <> ALL (SELECT {x} FROM t WHERE id < 4) AS a, {x} = ANY (SELECT {x} FROM t WHERE id < 4) AS o FROM t',
  'SELECT b, min({x}) AS l, max({x}) AS m, count(DISTINCT {x}) AS n, first({x} ORDER BY id DESC) AS f, list({x} ORDER BY id)[2] AS s, arg_max({x}, id) AS a, last({x} ORDER BY id) FILTER (WHERE i > 0) AS p FROM t GROUP BY b', 'SELECT b, list(DISTINCT {x} ORDER BY {x}) AS l, any_value({x} ORDER BY id) AS v, count({x}) FILTER (WHERE b) AS n FROM t GROUP BY ROLLUP (b)',
  'SELECT {x} AS x FROM t UNION SELECT {x} FROM t WHERE b', 'SELECT {x} AS x FROM t EXCEPT ALL SELECT {x} FROM t WHERE i > 0', 'SELECT {x} AS x FROM t INTERSECT SELECT {x} FROM t WHERE id > 5', 'SELECT {x} AS x, id FROM t UNION ALL BY NAME SELECT id, {x} AS z FROM t WHERE b', 'SELECT x, count(*) AS n, grouping(x) AS g FROM (SELECT {x} AS x, b FROM t) GROUP BY CUBE (x, b)',
  'SELECT id, lag({x}) OVER (PARTITION BY b ORDER BY id) AS l, lead({x}, 2, {x}) OVER (ORDER BY id) AS m, first_value({x} IGNORE NULLS) OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING) AS f, nth_value({x}, 2) OVER (PARTITION BY i ORDER BY id) AS n FROM t',
  'SELECT id, rank() OVER (ORDER BY {x}) AS r, dense_rank() OVER (PARTITION BY b ORDER BY {x} DESC NULLS LAST) AS d, count({x}) OVER (ORDER BY i, id GROUPS BETWEEN 2 PRECEDING AND CURRENT ROW EXCLUDE TIES) AS c, count(*) OVER (PARTITION BY {x}) AS p FROM t',
  'SELECT id, max({x}) OVER w AS m, min({x}) OVER (w ROWS BETWEEN 1 PRECEDING AND 2 FOLLOWING EXCLUDE CURRENT ROW) AS l, count(DISTINCT {x}) OVER (w ROWS 3 PRECEDING) AS n FROM t WINDOW w AS (PARTITION BY b ORDER BY id)', 'SELECT id, {x} AS x FROM t QUALIFY row_number() OVER (PARTITION BY {x} ORDER BY id) = 1', 'SELECT DISTINCT ON ({x}) {x} AS x, id FROM t ORDER BY {x}, id',
  'SELECT a.id, (SELECT max(x) FROM (SELECT {x} AS x, i FROM t) c WHERE c.i = a.i) AS m FROM t a', 'SELECT a.id, l.x, l.n FROM t a, LATERAL (SELECT x, count(*) AS n FROM (SELECT {x} AS x, i FROM t) c WHERE c.i = a.i GROUP BY x) l', 'SELECT a.id, EXISTS (SELECT 1 FROM (SELECT {x} AS x, id FROM t) c WHERE c.x = a.x AND c.id > a.id) AS e FROM (SELECT {x} AS x, id FROM t) a',
  'WITH RECURSIVE r(n, x) AS (SELECT id, {x} FROM t WHERE id < 3 UNION ALL SELECT n + 1, x FROM r WHERE n < 5) SELECT n, x FROM r', 'WITH RECURSIVE r(n, x) AS (SELECT i % 2, {x} FROM t UNION SELECT n + 1, x FROM r WHERE n < 3) SELECT n, x, count(*) AS c FROM r GROUP BY ALL', 'SELECT b, x0, x1 FROM (PIVOT (SELECT b, i, {x} AS x FROM t) ON i IN (0 AS x0, 1 AS x1) USING max(x) GROUP BY b)',
  'SELECT n, v, id FROM (UNPIVOT (SELECT id, {x} AS p, {x} AS q FROM t) ON p, q INTO NAME n VALUE v)', 'SELECT id, coalesce({x}, {x}) AS c, CASE WHEN i > 1 THEN {x} WHEN b THEN NULL ELSE {x} END AS d, nullif({x}, {x}) AS n, [{x}, {x}] AS l FROM t', "SELECT id, {'f': {x}, 'g': id} AS s, row({x}, NULL) AS r FROM t", 'SELECT x, n FROM (SELECT unnest([{x}, NULL]) AS x, id AS n FROM t)',
  'SELECT a.id, b.id AS o FROM (SELECT {x} AS x, id FROM t WHERE {x} IS NOT NULL) a ASOF JOIN (SELECT DISTINCT ON (x) {x} AS x, id FROM t WHERE {x} IS NOT NULL ORDER BY x, id) b ON a.x >= b.x', 'SELECT id, list_transform([{x}, NULL], lambda v: v IS NULL) AS l, list_contains([{x}], {x}) AS c, [v FOR v IN [{x}, {x}] IF v IS NOT NULL] AS f, list_sort([{x}, {x}]) AS s FROM t', 'SELECT id, {x} AS x FROM t ORDER BY id LIMIT 40%', 'SELECT greatest({x}, {x}) AS g, least({x}, NULL) AS l, id FROM t',
  'SELECT id, x, y FROM (SELECT {x} AS x, id FROM t) a JOIN (SELECT {x} AS y, id FROM t) b USING (id) WHERE x <> y OR x IS NULL', 'SELECT min(x) AS l, max(x) AS m, count(*) AS n FROM (SELECT {x} AS x, id FROM t ORDER BY id LIMIT 12)', 'SELECT histogram({x}) AS h, mode({x}) IS NULL AS m, list({x} ORDER BY {x} DESC NULLS LAST, id) AS l FROM t', 'SELECT id, CAST({x} AS VARCHAR) AS v, typeof({x}) IS NULL AS y FROM t',
];

// refused are the forms that analyzer refuses for values of a type, or answers with texts that differ: JSON is VARCHAR.
const refused = { list: /OVER|DISTINCT ON|QUALIFY|CUBE/, json: /\[\{x\}|list\(|histogram|row\(/ };

// rareStatement returns a statement from choices.
export function rareStatement(c) {
  const form = c.pick(forms);
  const x = c.pick(c.pick(Object.entries(rare).filter(([type]) => !refused[type]?.test(form)))[1]);
  return { text: `SELECT CAST(COLUMNS(*) AS VARCHAR) FROM (${form.replaceAll('{x}', () => x)})`, texts: true };
}
