// Random tables: small, with nulls, duplicates, numbers at the ends of their types and texts of many scripts.

// schemas holds the tables and the kinds of their columns. A kind is a type and the operations allowed on it: big, wide
// and real are numbers at the ends of BIGINT, DECIMAL and DOUBLE, which are compared and grouped by, but not multiplied,
// or summed until they overflow.
export const schemas = {
  t: { id: 'int', i: 'int', d: 'dec', f: 'float', s: 'text', b: 'bool', dt: 'date', h: 'big', ts: 'time' },
  u: { k: 'int', e: 'dec', w: 'text', du: 'date', fu: 'float', y: 'real', tu: 'time' },
  v: { i: 'int', s: 'text', n: 'int', p: 'wide', q: 'text' },
};

export const sqlTypes = {
  int: 'BIGINT', big: 'BIGINT', dec: 'DECIMAL(18,6)', wide: 'DECIMAL(18,6)', float: 'DOUBLE', real: 'DOUBLE', text: 'VARCHAR', bool: 'BOOLEAN', date: 'DATE', time: 'TIMESTAMP',
};

const texts = [
  'a', 'b', 'ab', 'Ab', 'A', ' a ', 'x,y', 'say "hi"', 'né', 'NÉ', '日本', '日本語 text', '100%', 'a_b', 'line\nbreak', 'zz top', "it's", '🤦🏼‍♂️ ok', 'e\u0301', 'Ωmega',
  'ǅ', 'a\\b', '\ttab', '12', ' 7', '-3', '1e3', '0.5', '2.5', '2020-01-05', '2020-02-30', 'true', 'f', 'no', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab',
];

const two = (n) => String(n).padStart(2, '0');

const cells = {
  int: (c) => String(c.int(8) - 2),
  big: (c) => c.pick(['0', '1', '-1', '3', '9223372036854775807', '-9223372036854775808', '9223372036854775806', '4611686018427387904', '9007199254740993', '9007199254740992', '-1000000000000']),
  dec: (c) => `${c.int(20) - 8}.${c.pick(['5', '25', '0', '125', '000001'])}`,
  wide: (c) => c.pick(['0', '0.5', '1.5', '2.5', '-2.5', '999999999999.999999', '-999999999999.999999', '0.000001', '-0.000001', '123456789012.345678', '9007199254.740993']),
  // Every sum of these is an exact DOUBLE, so that it does not depend on the order.
  float: (c) => c.pick(['0e0', '2.5e2', '-1.25e0', '0.0078125e0', '3.5e0', '7e0', '1e0', '-6.25e-1']),
  real: (c) => c.pick(['0e0', '1.5e0', '1e308', '-1e308', '1.7976931348623157e308', '5e-324', '1e-300', '0.1e0', '0.30000000000000004e0', '9007199254740993e0', '-0e0', '1e15', '123456789.123456789e0']),
  bool: (c) => c.pick(['true', 'false']),
  date: (c) => (c.chance(0.06) ? c.pick(['1600-02-29', '8999-12-31', '1066-10-14', '1969-12-31', '1970-01-01', '2000-02-29', '1900-03-01'])
    : `${2018 + c.int(4)}-${two(1 + c.int(12))}-${two(1 + c.int(28))}`),
  time: (c) => (c.chance(0.15) ? c.pick(['1600-02-29 00:00:00', '1969-12-31 23:59:59.999999', '1970-01-01 00:00:00', '2020-01-05', '2020-06-15T10:30', '8999-12-31 23:59:59.5'])
    : `${2018 + c.int(4)}-${two(1 + c.int(12))}-${two(1 + c.int(28))} ${two(c.int(24))}:${two(c.int(60))}:${two(c.int(60))}${c.pick(['', '', '.25', '.000001', '.999999'])}`),
  text: (c) => `"${c.pick(texts).replaceAll('"', '""')}"`,
};

const first = { int: '1', big: '1', dec: '0.5', wide: '0.5', float: '2.5e-1', real: '1e-3', bool: 'true', date: '2020-02-29', time: '2020-02-29 12:34:56.5', text: 'a' };

// table returns the rows of a file. The first row has a value in every column, and a number with a fraction in every
// column of non-integers, so that the types can be guessed.
export function table(c, schema) {
  const kinds = Object.values(schema);
  const rows = [kinds.map((k) => first[k])];
  const n = c.pick([0, 3, 12, 20, 40]);
  for (let r = 0; r < n; r++) {
    if (r > 0 && c.chance(0.1)) rows.push(rows[c.int(rows.length)]);
    else rows.push(kinds.map((k) => (c.chance(0.15) ? '' : cells[k](c))));
  }
  if (rows.at(-1).every((cell) => cell === '')) rows.pop(); // a last row without a value is left out of a file
  if ('id' in schema) rows.forEach((row, r) => { rows[r] = [String(r), ...row.slice(1)]; });
  return rows;
}

export const csv = (schema, rows) => [Object.keys(schema), ...rows].map((row) => row.join(',')).join('\n') + '\n';

// otherwise returns the text of a table in another dialect.
export function otherwise(schema, rows, { delim, quote, escape, header, skip, nullstr }) {
  const kinds = Object.values(schema);
  const quoted = (text) => quote + text.replaceAll(escape, escape + escape).replaceAll(quote, escape === quote ? '$&' : escape + quote) + quote;
  const cell = (text, n) => {
    if (text === '') return nullstr;
    return kinds[n] === 'text' ? quoted(text.replace(/^"([^]*)"$/, '$1').replaceAll('""', '"')) : text;
  };
  const lines = rows.map((row) => row.map(cell).join(delim));
  return [...Array(skip).fill('# a title'), ...(header ? [Object.keys(schema).join(delim)] : []), ...lines].join('\n') + '\n';
}
