package sql

import "strings"

// statement reads a query and the verb before it.
func (p *parser) statement() *Statement {
	first := p.peek()
	st := &Statement{At: first.at}
	switch {
	case p.sees("SET", "VARIABLE"), p.sees("RESET", "VARIABLE"):
		return p.setStatement(st)
	case p.sees("DROP"), p.sees("DEALLOCATE"):
		return p.dropStatement(st)
	case p.sees("SHOW", "TABLES"):
		p.expect("SHOW", "TABLES")
		st.Verb = ShowTables
		return st
	case p.accept("CALL"), p.accept("PRAGMA"):
		return p.callStatement(st)
	case p.sees("PREPARE"):
		return p.prepare(st)
	case p.sees("EXECUTE"):
		return p.execute(st)
	}
	verb := p.which("EXPLAIN", "DESCRIBE", "SUMMARIZE", "COPY", "CREATE")
	if p.sees("SHOW") && !p.ahead(1).isAny("ALL", "DATABASES", "SCHEMAS") {
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
			f := &From{At: p.peek().at}
			p.listing(f)
			st.Query = StarOf(f)
			return st
		}
	case verb != "":
		st.Query = p.described()
		return st
	case first.kind == endOfText:
		panic(Wrong(first.at, "Next: write a query, such as SELECT * FROM 'file.csv' LIMIT 10.", "there is no statement"))
	case first.kind == word && verb == "" && !p.startsQuery():
		panic(p.foreign(first))
	}
	st.Query = p.query()
	return st
}

// callStatement reads the call of a table function behind CALL, or of table_info behind PRAGMA.
func (p *parser) callStatement(st *Statement) *Statement {
	verb, name := strings.ToUpper(p.src[p.last().Begin:p.last().End]), p.peek()
	if verb == "PRAGMA" && !name.is("TABLE_INFO") || name.kind != word || !p.ahead(1).is("(") {
		only := map[string]string{"CALL": "CALL function(…)", "PRAGMA": "PRAGMA table_info('table')"}[verb]
		panic(Unsupported(p.last(), foreignVerbs[verb], verb+" statements but "+only))
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
func OrderedBy(q *Query, names []string) *Query {
	ordered := StarOf(&From{At: q.At, Query: q})
	for _, name := range names {
		ordered.Order = append(ordered.Order, Order{Expr: q.At.Column(name)})
	}
	return ordered
}

// foreign returns the error for a statement that is not a query.
func (p *parser) foreign(t token) error {
	verb := strings.ToUpper(t.text)
	if hint := foreignVerbs[verb]; hint != "" {
		return Unsupported(t.at, hint, verb+" statements")
	}
	return Wrong(t.at, "Next: a statement begins with SELECT, FROM, WITH or VALUES.", "%q does not begin a statement", t.text)
}

// What to do instead of statements that are not queries.
const (
	readOnly  = "Next: write a query; files are read as they are. COPY (SELECT …) TO 'new.csv' writes another one."
	asFiles   = "Next: name files in FROM, such as FROM 'data.csv', or give them names by --table NAME=FILE."
	noSetting = "Next: give a flag, which “analyzer sql --help” lists; SET VARIABLE name = value is for values of statements."
	noBounds  = "Next: leave it out: each statement sees the files as they are."
)

var foreignVerbs = map[string]string{
	"INSERT": "Next: CREATE TABLE new AS FROM old UNION ALL SELECT …, or CREATE OR REPLACE TABLE.", "UPDATE": "Next: CREATE TABLE new AS SELECT * REPLACE (… AS column) FROM old.",
	"DELETE": "Next: CREATE TABLE new AS FROM old WHERE …, with the rows to keep.", "MERGE": readOnly, "TRUNCATE": readOnly, "ALTER": "Next: CREATE TABLE new AS SELECT …, with other columns.",
	"EXPORT": readOnly, "IMPORT": asFiles,
	"ATTACH": asFiles, "DETACH": asFiles, "USE": asFiles, "INSTALL": "Next: leave it out: nothing need be loaded.", "LOAD": "Next: leave it out: nothing need be loaded.",
	"PRAGMA": noSetting, "SET": noSetting, "RESET": noSetting, "CALL": readOnly, "VACUUM": noBounds, "ANALYZE": noBounds, "CHECKPOINT": noBounds,
	"BEGIN": noBounds, "COMMIT": noBounds, "ROLLBACK": noBounds, "SHOW": "Next: SHOW TABLES, or DESCRIBE a table.",
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
		next := "Next: CREATE VIEW name AS SELECT …, which reads files as they are."
		if p.sees("TYPE") {
			next = "Next: write texts, and sort by list_position(['low', 'high'], text)."
		}
		panic(Unsupported(st.At, next, "CREATE "+strings.ToUpper(p.peek().text)+" statements"))
	}
	st.Query = st.View.Query
	return st
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
	st.View.Name = p.name("a name")
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
		from.Path = []string{p.name("the name of a table")}
	}
	if at := p.peek(); at.is("FROM") {
		panic(Wrong(at.at, "Next: CREATE TABLE name AS FROM 'file.csv' reads a file, and so does any query.", "COPY writes files, and reads none"))
	}
	p.expect("TO")
	st.To = p.quoted("the name of a file in quotes")
	p.accept("WITH")
	if !p.accept("(") {
		return st
	}
	st.Options = commas(p, p.copyOption)
	p.expect(")")
	return st
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
