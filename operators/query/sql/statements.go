package sql

import (
	"cmp"
	"strings"

	"analyzer/columnar"
)

// statement reads a query and the verb before it.
func (p *parser) statement() *Statement {
	first := p.peek()
	st := &Statement{At: first.at}
	switch {
	case p.sees("SET", "VARIABLE"), p.sees("RESET", "VARIABLE"):
		return p.setStatement(st)
	case p.sees("DROP"), p.sees("DEALLOCATE"):
		return p.dropStatement(st)
	case p.accept("CALL"), p.accept("PRAGMA"):
		return p.callStatement(st)
	case p.sees("PREPARE"):
		return p.prepare(st)
	case p.sees("EXECUTE"):
		return p.execute(st)
	case p.sees("INSTALL"), p.sees("FORCE", "INSTALL"), p.sees("LOAD"):
		return p.load(st)
	}
	if call := p.shownTables(); call != nil {
		st.Query = StarOf(&From{At: call.At, Call: call})
		return st
	}
	verb := p.which("EXPLAIN", "DESCRIBE", "SUMMARIZE", "COPY", "CREATE")
	if p.sees("DESC") || p.sees("SHOW") && !p.ahead(1).isAny("ALL", "DATABASES", "SCHEMAS") {
		p.take()
		verb = "DESCRIBE"
	}
	switch st.Verb = Verb(verb); {
	case verb == "COPY":
		return p.copyStatement(st)
	case verb == "CREATE":
		return p.createStatement(st)
	case verb == "EXPLAIN":
		st.Analyze = p.accept("ANALYZE") || p.accept("(", "ANALYZE", ")")
		st.Rules = !st.Analyze && p.accept("(", "RULES", ")")
		if p.sees("DESCRIBE") || p.sees("SUMMARIZE") {
			st.Query = StarOf(p.listing(&From{At: p.peek().at}))
			return st
		}
	case verb != "":
		st.Query = p.described()
		return st
	case first.kind == endOfText:
		panic(Wrong(first.at, "Next: write a query, such as SELECT * FROM 'file.csv' LIMIT 10.", "there is no statement"))
	case first.is("."):
		panic(Wrong(first.at, "Next: give flags, such as --format csv; commands such as .mode stand between statements.", "a statement does not begin with a point"))
	case first.kind == word && verb == "" && !p.startsQuery():
		panic(p.foreign(first))
	}
	st.Query = p.query()
	return st
}

// callStatement reads the call of a table function behind CALL, or of table_info behind PRAGMA.
func (p *parser) callStatement(st *Statement) *Statement {
	verb, name := strings.ToUpper(p.src[p.last().Begin:p.last().End]), p.peek()
	if verb == "PRAGMA" && name.isAny("SHOW_TABLES", "SHOW_TABLES_EXPANDED") {
		st.Query = StarOf(&From{At: name.at, Call: name.at.Call(strings.ToLower(p.take().text))})
		return st
	}
	if verb == "PRAGMA" && !name.is("TABLE_INFO") || name.kind != word || !p.ahead(1).is("(") {
		only := map[string]string{"CALL": "CALL function(…)", "PRAGMA": "PRAGMA table_info('table') and PRAGMA show_tables"}[verb]
		panic(Unsupported(p.last(), cmp.Or(settings[name.upper()], foreignVerbs[verb]), verb+" statements but "+only))
	}
	from := &From{At: name.at, Call: p.call(p.take())}
	if from.Call.Text == "table_info" {
		from.Call.Text = "pragma_table_info"
		for _, a := range from.Call.Args {
			if a.Kind == Column && len(a.Path) == 1 {
				a.Kind, a.Text, a.Path = String, a.Path[0], nil
			}
		}
	}
	st.Query = StarOf(from)
	return st
}

// described reads a query, or a table of which all columns are meant.
func (p *parser) described() *Query {
	if p.startsQuery() {
		return p.query()
	}
	return StarOf(p.fromItem())
}

// StarOf is the query SELECT * FROM from.
func StarOf(from *From) *Query {
	star := Item{Expr: &Expr{Kind: Star, At: from.At}}
	return &Query{At: from.At, Select: &Select{At: from.At, Items: []Item{star}, From: from}}
}

// OrderedBy is a query whose answer is ordered by the columns of the given names first.
func OrderedBy(q *Query, columns []*Expr) *Query {
	ordered := StarOf(&From{At: q.At, Query: q})
	for _, c := range columns {
		ordered.Order = append(ordered.Order, Order{Expr: c})
	}
	return ordered
}

// foreign returns the error for a statement that is not a query.
func (p *parser) foreign(t token) error {
	verb := strings.ToUpper(t.text)
	if hint := foreignVerbs[verb]; hint != "" {
		return Unsupported(t.at, cmp.Or(settings[p.ahead(1).upper()], hint), verb+" statements")
	}
	return Wrong(t.at, "Next: a statement begins with SELECT, FROM, WITH or VALUES.", "%q does not begin a statement", t.text)
}

// What to do instead of statements that are not queries.
const (
	readOnly   = "Next: write a query; files are read as they are. COPY (SELECT …) TO 'new.csv' writes another one."
	asFiles    = "Next: name files in FROM, such as FROM 'data.csv', or give them names by --table NAME=FILE."
	noSetting  = "Next: give a flag, which “analyzer sql --help” lists; SET VARIABLE name = value is for values of statements."
	profiles   = "Next: write EXPLAIN ANALYZE before a query."
	noProgress = "Next: leave it out; --quiet hides what is said while a statement runs."
	noBounds   = "Next: leave it out: each statement sees the files as they are."
	noIndex    = "Next: leave it out: none is needed to find rows."
	buckets    = "Next: set AWS_REGION, AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment."
)

var foreignVerbs = map[string]string{
	"INSERT": "Next: CREATE TABLE new AS FROM old UNION ALL SELECT …, or CREATE OR REPLACE TABLE.", "UPDATE": "Next: CREATE TABLE new AS SELECT * REPLACE (… AS column) FROM old.",
	"DELETE": "Next: CREATE TABLE new AS FROM old WHERE …, with the rows to keep.", "MERGE": readOnly, "TRUNCATE": readOnly, "ALTER": "Next: CREATE TABLE new AS SELECT …, with other columns.",
	"EXPORT": readOnly, "IMPORT": asFiles,
	"ATTACH": asFiles, "DETACH": asFiles, "USE": asFiles,
	"PRAGMA": noSetting, "SET": noSetting, "RESET": noSetting, "CALL": readOnly, "VACUUM": noBounds, "ANALYZE": noBounds, "CHECKPOINT": noBounds,
	"BEGIN": noBounds, "COMMIT": noBounds, "ROLLBACK": noBounds, "SHOW": "Next: SHOW TABLES, or DESCRIBE a table: there is one database.",
}

// settings say what stands for settings of DuckDB.
var settings = map[string]string{
	"MEMORY_LIMIT": "Next: give --memory SIZE.", "MAX_MEMORY": "Next: give --memory SIZE.", "THREADS": "Next: give --replicas N.",
	"TEMP_DIRECTORY": "Next: give --spill-dir DIR.", "PRESERVE_INSERTION_ORDER": "Next: leave it out: rows keep the order of their file.",
	"DEFAULT_NULL_ORDER": "Next: write ORDER BY x NULLS FIRST.", "DEFAULT_ORDER": "Next: write ORDER BY x DESC.", "DEFAULT_COLLATION": "Next: write ORDER BY x COLLATE NOCASE.",
	"ENABLE_PROGRESS_BAR": noProgress, "ENABLE_PROGRESS_BAR_PRINT": noProgress, "PROGRESS_BAR_TIME": noProgress, "DISABLE_PROGRESS_BAR": noProgress,
	"ENABLE_PROFILING": profiles, "PROFILING_MODE": profiles, "PROFILING_OUTPUT": profiles, "SEARCH_PATH": asFiles, "SCHEMA": asFiles, "FILE_SEARCH_PATH": asFiles, "TIMEZONE": "Next: times are in UTC; write time AT TIME ZONE 'Europe/Berlin'.",
	"S3_REGION": buckets, "S3_ENDPOINT": buckets, "S3_ACCESS_KEY_ID": buckets, "S3_SECRET_ACCESS_KEY": buckets, "S3_SESSION_TOKEN": buckets, "S3_URL_STYLE": buckets, "S3_USE_SSL": buckets,
}

// createStatement reads CREATE VIEW, TABLE or MACRO. All are temporary, with or without the word.
func (p *parser) createStatement(st *Statement) *Statement {
	st.Verb, st.Replace = Create, p.accept("OR", "REPLACE")
	p.which("TEMP", "TEMPORARY")
	switch p.which("MACRO", "FUNCTION", "TABLE", "VIEW") {
	case "MACRO", "FUNCTION":
		st.Verb, st.Lenient = CreateMacro, p.accept("IF", "NOT", "EXISTS")
		st.Macro = p.macro()
		return st
	case "TABLE":
		st.Verb, st.Lenient = CreateTable, p.accept("IF", "NOT", "EXISTS")
		st.View = p.namedQuery()
	case "VIEW":
		st.Lenient = p.accept("IF", "NOT", "EXISTS")
		st.View = p.namedQuery()
	default:
		if p.accept("SCHEMA") {
			return p.schema(st)
		}
		p.which("PERSISTENT", "UNIQUE")
		kind := p.peek().upper()
		next := cmp.Or(insteadOfCreate[kind], "Next: CREATE VIEW name AS SELECT …, which reads files as they are.")
		panic(Unsupported(st.At, next, "CREATE "+kind+" statements"))
	}
	st.Query = st.View.Query
	return st
}

// insteadOfCreate says what to do instead of making what there is not.
var insteadOfCreate = map[string]string{
	"TYPE":     "Next: write texts, and sort by list_position(['low', 'high'], text).",
	"SECRET":   buckets,
	"SEQUENCE": "Next: write row_number() OVER () in the query that needs numbers.",
	"INDEX":    noIndex,
}

// dropStatement reads DROP TABLE, VIEW or MACRO, or DEALLOCATE, which drops the macro that PREPARE made.
func (p *parser) dropStatement(st *Statement) *Statement {
	st.Verb, st.Dropped = Drop, "MACRO"
	if p.accept("DEALLOCATE") {
		p.accept("PREPARE")
		st.View = &View{At: p.peek().at}
		st.View.Name = executed + p.name("the name of a prepared query")
		return st
	}
	p.expect("DROP")
	switch kind := p.oneOf("TABLE", "VIEW", "MACRO", "FUNCTION"); kind {
	case "TABLE", "VIEW":
		st.Dropped = kind
	default:
		p.accept("TABLE")
	}
	st.Lenient = p.accept("IF", "EXISTS")
	st.View = &View{At: p.peek().at}
	st.View.Name = strings.Join(p.qualified("a name"), ".")
	p.which("CASCADE", "RESTRICT")
	return st
}

// setStatement reads SET VARIABLE name = value, or RESET VARIABLE name, which makes it NULL.
func (p *parser) setStatement(st *Statement) *Statement {
	reset := p.oneOf("SET", "RESET") == "RESET"
	p.expect("VARIABLE")
	st.Verb, st.View = SetVariable, &View{At: p.peek().at}
	st.View.Name = p.name("the name of a variable")
	value := &Expr{Kind: Null, At: st.View.At}
	if !reset {
		p.oneOf("=", "TO")
		value = p.expr()
	}
	st.Query = &Query{At: value.At, Select: &Select{At: value.At, Items: []Item{{Expr: value}}}}
	st.View.Query = st.Query
	return st
}

func (p *parser) copyStatement(st *Statement) *Statement {
	if from := (&From{At: p.peek().at}); p.sees("(") {
		st.Query = parentheses(p, p.query)
	} else if st.Query = StarOf(from); p.peek().kind == text {
		from.File = p.take().text
	} else {
		from.Path = p.qualified("the name of a table")
		if p.sees("(") {
			st.Query.Select.Items = columnar.Each(p.names(), func(name string) Item { return Item{Expr: p.last().Column(name)} })
		}
	}
	if at := p.peek(); at.is("FROM") {
		panic(Wrong(at.at, "Next: CREATE TABLE name AS FROM 'file.csv' reads a file, and so does any query.", "COPY writes files, and reads none"))
	}
	p.expect("TO")
	st.To = p.quoted("the name of a file in quotes")
	p.accept("WITH")
	if p.sees("(") {
		st.Options = parentheses(p, func() []Option { return commas(p, p.copyOption) })
	}
	for p.peek().kind == word {
		st.Options = append(st.Options, p.bareOption())
	}
	return st
}

// bareOption reads an option of COPY without parentheses, as older PostgreSQL has it: CSV, HEADER or DELIMITER AS ';'.
func (p *parser) bareOption() Option {
	name := p.take()
	o := Option{At: name.at, Name: strings.ToLower(name.text), Value: &Expr{Kind: Boolean, Text: "TRUE", At: name.at}}
	if name.is("CSV") {
		o.Name, o.Value = "format", name.at.Text("csv")
	}
	p.accept("AS")
	if p.peek().kind == text {
		o.Value = p.primary()
		o.At = name.at.Join(p.last())
	}
	return o
}

// copyOption reads an option of COPY: its name and perhaps a value, such as a name, a literal, names in
// parentheses or *. Without a value it is true.
func (p *parser) copyOption() Option {
	name := p.taken("the name of an option", word)
	o := Option{Name: strings.ToLower(name.text), Value: &Expr{Kind: Boolean, Text: "TRUE", At: name.at}}
	p.accept("=")
	switch {
	case p.peek().is(",") || p.peek().is(")"):
	case p.accept("*"):
		o.Value = &Expr{Kind: String, Text: "*", At: p.last()}
	default:
		o.Value = p.expr()
	}
	o.At = name.at.Join(p.last())
	return o
}
