package sql

import (
	"slices"
	"strings"
)

// builtIn are the extensions of DuckDB that scripts load for what is here anyway.
var builtIn = []string{"autocomplete", "aws", "core_functions", "encodings", "excel", "httpfs", "icu", "json", "parquet"}

// ready makes a statement of the words from begin on, which is checked and has nothing to do.
func (p *parser) ready(st *Statement) *Statement {
	st.Verb, st.Ready = Nothing, p.src[st.At.Begin:p.last().End]
	return st
}

// load reads INSTALL or LOAD of an extension.
func (p *parser) load(st *Statement) *Statement {
	p.accept("FORCE")
	p.oneOf("INSTALL", "LOAD")
	name := p.taken("the name of an extension", word, quotedName, text)
	if !slices.Contains(builtIn, strings.ToLower(name.text)) {
		panic(Unsupported(name.at, "Next: leave it out, and what needs it. Built in, and loaded or not, are "+strings.Join(builtIn, ", ")+".", "extensions such as "+name.text))
	}
	if p.accept("FROM") {
		p.taken("the place of an extension", word, quotedName, text)
	}
	return p.ready(st)
}

// schema reads CREATE SCHEMA behind its verb. The name of a schema is part of those of its tables.
func (p *parser) schema(st *Statement) *Statement {
	p.accept("IF", "NOT", "EXISTS")
	p.unqualified("the name of a schema")
	return p.ready(st)
}
