// Reads .sql files that are lists of sections, each begun by one line:
//
//   -- @parameters                     statements that set the defaults: variables named qN_name
//   -- @relation NAME [reads NAME...]  one SELECT; a table if the queries read it more than once, else a view
//   -- @query NAME [reads NAME...]     one SELECT, whose rows are the answer

export class UsageError extends Error {}

export function parseSections(text) {
  const sections = [];
  for (const line of text.split('\n')) {
    const head = /^-- @(parameters|relation|query)\s*(.*)$/.exec(line);
    if (head) {
      const [name, reads, ...inputs] = head[2].trim().split(/\s+/);
      if (reads !== undefined && reads !== 'reads') throw new UsageError(`bad section line: ${line}`);
      sections.push({ kind: head[1], name, inputs, body: '' });
    } else if (sections.length > 0) {
      sections.at(-1).body += line + '\n';
    }
  }
  for (const s of sections) s.body = s.body.trim().replace(/;$/, '');
  return sections;
}

// choose returns the queries with the given names, which commas separate; all if there are none.
export function choose(sections, names) {
  const queries = sections.filter((s) => s.kind === 'query');
  if (names === undefined) return queries;
  return names.split(',').filter(Boolean).map((name) => {
    const found = queries.find((q) => q.name === name);
    if (!found) throw new UsageError(`no query ${name}; there are ${queries.map((q) => q.name).join(', ')}`);
    return found;
  });
}

// relationsOf returns the relations that the queries need, each after those it reads, and whether it is a table or a view.
export function relationsOf(sections, queries) {
  const relations = new Map(sections.filter((s) => s.kind === 'relation').map((s) => [s.name, s]));
  const readers = new Map();
  const visit = (section) => {
    for (const input of section.inputs) {
      if (!relations.has(input)) throw new UsageError(`${section.name} reads ${input}, which is not a relation`);
      const seen = readers.has(input);
      readers.set(input, (readers.get(input) ?? 0) + 1);
      if (!seen) visit(relations.get(input));
    }
  };
  queries.forEach(visit);
  return [...relations.values()].filter((s) => readers.has(s.name))
    .map((s) => ({ ...s, made: readers.get(s.name) > 1 ? 'TABLE' : 'VIEW' }));
}
