// Values at the ends and in the middle of every type, and what the parameters of functions take. A function of the
// registry, an operator and a cast are all a form: a text with words in braces, each of which stands for arguments of the
// types that the word takes.

// values are texts of constants of a type, which a cast makes.
export const values = {
  BIGINT: ['NULL', "'0'", "'1'", "'-1'", "'2'", "'7'", "'63'", "'-64'", "'255'", "'2024'", "'1000000'", "'-9223372036854775808'", "'9223372036854775807'", "'9007199254740993'"],
  INTEGER: ['NULL', "'0'", "'1'", "'-1'", "'2'", "'3'", "'12'", "'31'", "'-40'", "'128'", "'2147483647'", "'-2147483648'"],
  SMALLINT: ['NULL', "'0'", "'-1'", "'5'", "'32767'", "'-32768'"],
  UTINYINT: ['NULL', "'0'", "'7'", "'255'"],
  UBIGINT: ['NULL', "'0'", "'7'", "'18446744073709551615'", "'9223372036854775808'"],
  HUGEINT: ['NULL', "'0'", "'-1'", "'5'", "'9223372036854775808'", "'170141183460469231731687303715884105727'", "'-170141183460469231731687303715884105728'"],
  'DECIMAL(18,6)': ['NULL', "'0'", "'0.5'", "'-0.5'", "'1.5'", "'2.5'", "'-2.25'", "'0.000001'", "'123456.654321'", "'999999999999.999999'", "'-999999999999.999999'"],
  'DECIMAL(4,1)': ['NULL', "'0'", "'-0.5'", "'2.5'", "'999.9'"],
  'DECIMAL(30,10)': ['NULL', "'0'", "'0.0000000001'", "'-2.5'", "'1.9999999999'", "'99999999999999999999.9999999999'", "'-12345678901234567890.0987654321'"],
  DOUBLE: ['NULL', "'0'", "'-0.0'", "'1'", "'0.5'", "'-1.5'", "'2.5'", "'1e15'", "'1e308'", "'-1e308'", "'5e-324'", "'0.1'", "'123456.789'", "'nan'", "'inf'", "'-inf'"],
  BOOLEAN: ['NULL', "'true'", "'false'"],
  VARCHAR: ['NULL', "''", "'a'", "'Ab'", "' a '", "'abcabc'", "'né'", "'e\u0301'", "'日本語'", "'🤦🏼‍♂️ ok'", "'x,y'", "'it''s'", "'100%_'", "'a\\b'", "'12'", "'-1.50'", "'2024-02-29'", "'2024-02-29 12:30:45.5'", "'true'", "'line\nbreak\t'", "'/a/b.c/d.tar.gz'", "'ǅß'"],
  DATE: ['NULL', "'2024-02-29'", "'1970-01-01'", "'1969-12-31'", "'2023-12-31'", "'2021-01-01'", "'0001-01-01'", "'1582-10-15'", "'9999-12-31'", "'2020-03-31'", "'infinity'", "'-infinity'"],
  TIME: ['NULL', "'00:00:00'", "'23:59:59.999999'", "'12:34:56.5'"],
  TIMESTAMP: ['NULL', "'2024-02-29 12:34:56.789012'", "'1970-01-01'", "'1969-12-31 23:59:59.999999'", "'2021-01-03 00:00:00'", "'0001-01-01 00:00:00.000001'", "'9999-12-31 23:59:59'", "'2020-03-31 06:00:00'", "'infinity'", "'-infinity'"],
  'TIMESTAMP WITH TIME ZONE': ['NULL', "'2024-02-29 12:34:56.789012+02'", "'1970-01-01 00:00:00+00'", "'1969-12-31 23:59:59.999999+00'", "'9999-12-31 23:59:59+00'", "'infinity'"],
  INTERVAL: ['NULL', "'0 days'", "'1 day'", "'-1 month'", "'1 month 2 days 03:04:05.678'", "'25 hours'", "'400 days'", "'1 year'", "'-3 microseconds'", "'15 minutes'", "'30 days'"],
  BLOB: ['NULL', "''", "'abc'", "'\\x00\\xFF'"],
  UUID: ['NULL', "'550e8400-e29b-41d4-a716-446655440000'", "'00000000-0000-0000-0000-000000000000'", "'ffffffff-ffff-ffff-ffff-ffffffffffff'"],
  JSON: ['NULL', "'null'", "'1'", "'\"a\"'", "'[1, null, {\"a\": [2.50, true]}]'", "'{\"a\": {\"b c\": 1}, \"x\": null, \"é\": \"\\u00e9\"}'", "'{}'", "'[]'", "'{\"a\":1,\"a\":2}'"],
  'BIGINT[]': ['NULL', '[]', '[NULL]', '[1, 2, 3]', '[3, NULL, 1, 3, -7]', '[9223372036854775807, 1]', '[0]'],
  'VARCHAR[]': ['NULL', '[]', "['a', NULL, 'b', 'a']", "['', 'né', 'x, y', '''q''', 'NULL']", "['12', '-3']"],
  'DOUBLE[]': ['NULL', '[]', "[0.5, NULL, 'nan', 'inf', -1]", '[1e308, 1e308]', '[-0.0, 0, 2.5]', '[1, 2, 3]'],
  'DATE[]': ['NULL', '[]', "['2024-02-29', NULL, '1969-12-31']"],
  'BOOLEAN[]': ['NULL', '[]', '[true, NULL, false]', '[true, true]', '[false, true, true]'],
  'BIGINT[][]': ['NULL', '[]', '[[1, 2], NULL, [], [NULL, 3]]', '[[3], [1, 2]]'],
  'STRUCT(a BIGINT, b VARCHAR)': ['NULL', "{'a': 1, 'b': 'x'}", "{'a': NULL, 'b': ''}", "{'a': 2, 'b': 'it''s, {b}'}"],
  'STRUCT(c DOUBLE, d BIGINT[])': ['NULL', "{'c': 1.5, 'd': [1, NULL]}", "{'c': 'nan', 'd': []}"],
  'MAP(VARCHAR, BIGINT)': ['NULL', 'MAP {}', "MAP {'a': 1, 'b': NULL}", "MAP {'': 0, 'né': 2, 'a': 1}"],
  'MAP(BIGINT, VARCHAR)': ['NULL', "MAP {1: 'a', 2: NULL, -1: ''}"],
};

export const types = Object.keys(values);

const integers = ['BIGINT', 'INTEGER', 'HUGEINT', 'UBIGINT'];
const decimals = ['DECIMAL(18,6)', 'DECIMAL(30,10)', 'DECIMAL(4,1)'];
const numbers = ['BIGINT', 'DOUBLE', 'HUGEINT', ...decimals];
const moments = ['DATE', 'TIMESTAMP', 'TIMESTAMP WITH TIME ZONE', 'INTERVAL', 'TIME'];
const lists = types.filter((t) => t.endsWith(']'));
const structs = types.filter((t) => t.startsWith('STRUCT'));
const maps = types.filter((t) => t.startsWith('MAP'));
// few are values of a type beside which others vary.
const few = ['BIGINT', 'DOUBLE', 'DECIMAL(18,6)', 'VARCHAR', 'DATE', 'TIMESTAMP', 'BOOLEAN', 'BIGINT[]'];
const texts = (...all) => ({ VARCHAR: ['NULL', ...all.map((s) => `'${s.replaceAll("'", "''")}'`)] });
const given = (type, ...all) => ({ [type]: ['NULL', ...all.map((s) => `'${s}'`)] });

// words says what each word takes: types, or a type and its own values.
export const words = {
  value: types, other: few, otherwise: few, number: numbers, integer: integers, x: ['DOUBLE'], y: ['DOUBLE', 'DECIMAL(18,6)', 'BIGINT'], power: numbers, divisor: numbers, toward: ['DOUBLE'], radians: ['DOUBLE'], degrees: ['DOUBLE'],
  text: ['VARCHAR'], part: texts('', 'a', 'b', 'é', '本', 'bc'), pattern: texts('', 'a', '[ab]+', '(a)(b)?', '^.', 'x*', '\\s', 'é|日', '(?i)A', '\\d+', '%', '_b%'), length: { INTEGER: values.INTEGER }, first: { BIGINT: values.INTEGER }, list: lists, map: maps, struct: structs, json: ['JSON', 'VARCHAR', 'BIGINT[]', 'STRUCT(a BIGINT, b VARCHAR)', 'MAP(VARCHAR, BIGINT)'], item: ['BIGINT', 'VARCHAR', 'DOUBLE', 'DATE', 'BOOLEAN', 'BIGINT[]'],
  date: moments, timestamp: moments, 'text or list': ['VARCHAR', 'BLOB', ...lists], 'text or integer': ['VARCHAR', 'BLOB', ...integers], 'blob or integer': ['BLOB', ...integers], 'text or blob': ['VARCHAR', 'BLOB'], 'timestamp or interval': moments, 'timestamp or number': [...moments, 'DOUBLE', 'BIGINT', 'DECIMAL(18,6)'],
  path: texts('$', '$.a', '$.a."b c"', '$[0]', '$[#-1]', '$[2].a[0]', '/a', '/2/a/1', 'a', '', '$.x', '$[*]', '$.*', '$.é'), separators: texts('system', 'both_slash', 'forward_slash', 'backslash'), options: texts('', 'i', 'g', 's', 'c', 'l', 'gi', 'm'), by: few, condition: ['BOOLEAN', 'BIGINT'], separator: texts('', ' ', 'a', ',', 'né', 'bc'), form: texts('%s', '{}', '%d', '{:>5}', '%Y-%m-%d %H:%M:%S', '%a %b %-d %j %U %W %V %G %u %w %y %I %p %f %g %%', '%c|%x|%X', '%z %Z', '%n'), key: ['VARCHAR', 'BIGINT'],
  from: texts('', 'a', 'abc', 'né'), to: texts('', 'x', 'xyz', '日'), argument: ['BIGINT', 'VARCHAR'], quantile: { DOUBLE: ["'0'", "'0.25'", "'0.5'", "'0.9'", "'1'"] }, bytes: ['BIGINT'], escape: texts('', 'a', '\\', '!', '%'), places: given('INTEGER', '0', '1', '2', '-1', '-3', '7', '20', '400', '-400'), unit: texts('day', 'month', 'year', 'hour', 'microsecond', 'week', 'quarter', 'decade', 'century', 'millennium', 'isoyear', 'era'),
  seconds: { DOUBLE: values.DOUBLE, BIGINT: values.INTEGER, 'DECIMAL(18,6)': values['DECIMAL(18,6)'] }, step: given('BIGINT', '1', '2', '-1', '0', '100'), end: { BIGINT: given('BIGINT', '0', '5', '-3').BIGINT, VARCHAR: values.VARCHAR }, last: given('BIGINT', '0', '5', '-3'), characters: texts('', 'a', ' a', 'né', '本'), new: texts('', 'x', '\\0', '\\1-', 'né', '\\9'), bins: ['BIGINT', 'BIGINT[]', 'DOUBLE[]'], year: given('BIGINT', '2024', '0', '-44', '9999', '1', '300000'), month: given('BIGINT', '0', '1', '2', '12', '13', '-1'), day: given('BIGINT', '0', '1', '29', '31', '32'),
  hour: given('BIGINT', '0', '23', '24', '-1'), minute: given('BIGINT', '0', '59', '60'), position: { BIGINT: values.INTEGER, INTEGER: values.INTEGER }, least: numbers, most: numbers, greatest: numbers, filling: texts('', 'x', 'né', '日'), model: [], group: given('INTEGER', '0', '1', '2', '3', '-1'), beginning: ['VARCHAR', 'BLOB'], base: { INTEGER: ['NULL', "'2'", "'8'", "'16'", "'36'", "'1'", "'37'"], DOUBLE: ["'2'", "'0'", "'-1'", "'1'"] }, uuid: ['UUID', 'VARCHAR'], microseconds: ['BIGINT'], zone: texts('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', '+02', 'Nowhere/At_All'),
  items: lists, nulls: texts('NULLS FIRST', 'NULLS LAST', 'x'), positions: ['BIGINT[]'], conditions: ['BOOLEAN[]'], truncate: ['BOOLEAN'], 'name or position': texts('a', 'b', 'c', 'A', ''), name: ['VARCHAR'], structure: texts('{"a":"BIGINT"}', '["VARCHAR"]', '"DOUBLE"', '{"a":"JSON","x":["BOOLEAN"]}'), weight: numbers, rows: given('BIGINT', '0', '1', '-1', '3'), width: given('DOUBLE', '10', '1', '0', '3.5'), blob: ['BLOB'], 'without extension': ['BOOLEAN'], times: given('BIGINT', '0', '1', '3', '-1'), old: texts('', 'a', 'bc', 'é'), digits: given('INTEGER', '0', '5', '64', '70', '-1'), nice: ['BOOLEAN'],
  low: ['DOUBLE'], high: ['DOUBLE'], buckets: given('BIGINT', '0', '1', '5', '-1'), days: ['BIGINT', 'INTEGER'], origin: ['DATE', 'TIMESTAMP', 'INTERVAL', 'TIMESTAMP WITH TIME ZONE'], dimension: given('BIGINT', '1', '2', '0'), keys: ['BIGINT[]', 'VARCHAR[]', 'BOOLEAN[]', 'BIGINT[][]'], patch: ['JSON', 'VARCHAR'], seed: ['BIGINT'], k: given('BIGINT', '1', '3', '0', '-1'), n: given('BIGINT', '1', '2', '0', '-1'), parts: given('BIGINT', '1', '3', '0'), interval: ['INTERVAL'], time: ['TIME'],
  row: { 'STRUCT(BIGINT, BIGINT, BIGINT)': ['NULL', 'row(1, 2, 3)', 'row(3, 3, 0)', 'row(NULL, 1, NULL)'], 'STRUCT(VARCHAR, VARCHAR)': ["row('a', NULL)", "row('', 'a')"] },
  dated: texts('2024-02-29', '2024-02-29 12:30:45', 'x', 'Thu Feb 29 2024', '29 12:30 PM'), scalar: ['BIGINT', 'DOUBLE', 'DECIMAL(18,6)', 'HUGEINT', 'VARCHAR', 'DATE', 'TIMESTAMP', 'TIMESTAMP WITH TIME ZONE', 'INTERVAL', 'TIME', 'BOOLEAN'], shift: given('BIGINT', '0', '1', '40', '62', '63', '64', '-1'),
};

// takes returns the types of a word, each with its values.
export function takes(word) {
  const of = words[word];
  if (!of) throw new Error(`no values for the parameter ${word}`);
  return Array.isArray(of) ? of.map((t) => [t, values[t]]) : Object.entries(of);
}
