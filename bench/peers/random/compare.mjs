// Compares answers: numbers as written, doubles within 1e-12 or a given relative tolerance, and rows in the order that the
// statement determines.

const number = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

// answersOf reads consecutive answers, with numbers as {n: TEXT}, since integers have 64 bits.
export function answersOf(text) {
  return text.split(/(?<=^\}\n)/m).filter((s) => s.trim() !== '').map((one) => {
    const exact = one.replace(number, (s) => (s[0] === '"' ? s : `{"n":"${s}"}`));
    return JSON.parse(exact).answer.rows;
  });
}

// fromDuckDB converts a value of DuckDB to the same form. Its column says what kind of number it is.
export function fromDuckDB(v) {
  if (v === null || v === undefined) return null;
  if (typeof v === 'number' || typeof v === 'bigint') return { n: String(v), float: typeof v === 'number' && !Number.isInteger(v) };
  if (typeof v === 'boolean' || typeof v === 'string') return v;
  if (Array.isArray(v.items)) return v.items.map(fromDuckDB);
  const text = v.toString();
  return /^-?\d+(\.\d+)?$/.test(text) && 'scale' in v ? { n: text } : text;
}

// plain returns a decimal number without redundant zeros.
function plain(n) {
  if (/[eE]/.test(n)) return n;
  const short = n.includes('.') ? n.replace(/\.?0+$/, '') : n;
  return short === '-0' ? '0' : short;
}

// plainly returns a row of texts, of which numbers have no redundant zeros.
export const plainly = (row) => row.map((v) => (typeof v === 'string' ? v.replace(/-?\b\d+\.\d+\b/g, plain) : v));

export function sameValue(a, b, approximately, within = 1e-12) {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((v, i) => sameValue(v, b[i], approximately, within));
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return a === b;
  if (plain(a.n) === plain(b.n)) return true;
  if (!approximately) return false;
  const [x, y] = [Number(a.n), Number(b.n)];
  return x === y || Math.abs(x - y) <= within * Math.max(Math.abs(x), Math.abs(y), 1e-3);
}

const show = (row) => `[${row.map((v) => (v === null ? 'null' : Array.isArray(v) ? show(v) : typeof v === 'object' ? v.n : JSON.stringify(v))).join(', ')}]`;

// keyOf returns a sort key that ignores the last digits of approximate numbers.
const keyOf = (v, approximate) => {
  if (Array.isArray(v)) return v.map((one) => keyOf(one, approximate));
  return v === null || typeof v !== 'object' ? v : approximate ? Number(Number(v.n).toPrecision(9)) + 0 : plain(v.n);
};
const key = (row, approximate) => JSON.stringify(row.map((v, c) => keyOf(v, approximate[c])));

// difference returns how two answers differ, '' if they do not. With by, the values of these columns must be in the same
// order in both; with file, all rows must.
export function difference(ours, theirs, { approximate, by, file, within }) {
  if (ours.length !== theirs.length) return `${ours.length} rows, DuckDB has ${theirs.length}`;
  const same = (x, y, places) => places.every((c) => sameValue(x[c], y[c], approximate[c], within));
  const places = approximate.map((_, c) => c);
  const fixed = file ? places : (by ?? []).map((o) => o.place);
  const at = theirs.findIndex((row, r) => !same(ours[r], row, fixed));
  if (at >= 0) return `row ${at + 1} is ${show(ours[at])}, in DuckDB ${show(theirs[at])}: the order is another, or a value`;
  // Rows with the same rounded numbers may still differ.
  const nearly = (x, y) => places.reduce((d, c) => d || (approximate[c] && x[c] !== null && typeof x[c] === 'object' ? Number(x[c].n) - Number(y[c].n) : 0), 0);
  const sorted = (rows) => rows.map((row) => [key(row, approximate), row]).sort((x, y) => (x[0] < y[0] ? -1 : x[0] > y[0] ? 1 : nearly(x[1], y[1]))).map(([, row]) => row);
  const [x, y] = [sorted(ours), sorted(theirs)];
  const r = y.findIndex((row, n) => !same(x[n], row, places));
  return r < 0 ? '' : `${show(x[r])}, DuckDB has ${show(y[r])}`;
}
