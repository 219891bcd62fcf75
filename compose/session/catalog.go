package session

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"analyzer/operators/query/bind"
	"analyzer/operators/query/sql"
	"analyzer/operators/registry"
)

// catalog says what the tables and functions have that list tables, columns and functions, as queries of the rows
// of all tables, or of all their columns, or of all functions. There is one database.
var catalog = map[string]struct {
	columns bool
	text    string
}{
	"duckdb_functions":           {false, "SELECT 'memory' AS database_name, 'main' AS schema_name, function_name, kind AS function_type, description, usage AS signature, [example] AS examples FROM listed"},
	"information_schema.tables":  {false, "SELECT 'memory' AS table_catalog, schema AS table_schema, table_name, kind AS table_type FROM listed"},
	"information_schema.columns": {true, "SELECT 'memory' AS table_catalog, schema AS table_schema, table_name, column_name, place::BIGINT AS ordinal_position, NULL::VARCHAR AS column_default, 'YES' AS is_nullable, data_type FROM listed"},
	"duckdb_tables":              {false, "SELECT 'memory' AS database_name, schema AS schema_name, table_name, false AS internal FROM listed WHERE kind = 'BASE TABLE'"},
	"duckdb_views":               {false, "SELECT 'memory' AS database_name, schema AS schema_name, table_name AS view_name, false AS internal FROM listed WHERE kind = 'VIEW'"},
	"duckdb_columns":             {true, "SELECT 'memory' AS database_name, schema AS schema_name, table_name, column_name, place::BIGINT AS column_index, false AS internal, NULL::VARCHAR AS column_default, true AS is_nullable, data_type FROM listed"},
	"show_tables":                {false, "SELECT CASE WHEN schema = 'main' THEN '' ELSE schema || '.' END || table_name AS name FROM listed"},
	"show_tables_expanded":       {true, "SELECT 'memory' AS database, schema, table_name AS name, list(column_name ORDER BY place::BIGINT) AS column_names, list(data_type ORDER BY place::BIGINT) AS column_types, false AS temporary FROM listed GROUP BY schema, table_name ORDER BY schema, table_name"},
	"pragma_table_info":          {true, "SELECT place::BIGINT - 1 AS cid, column_name AS name, data_type AS type, false AS \"notnull\", NULL::VARCHAR AS dflt_value, false AS pk FROM listed"},
}

// catalog answers a call of one of them.
func (l *listings) catalog(call *sql.Expr) (*sql.Query, error) {
	about, tables := catalog[call.Text], l.of.ses.names()
	switch {
	case call.Text == "pragma_table_info" && (len(call.Args) != 1 || call.Args[0].Kind != sql.String):
		return nil, l.wrong(call.At, "", "it is pragma_table_info('table')")
	case call.Text == "pragma_table_info":
		tables = []string{call.Args[0].Text}
	case len(call.Args) > 0:
		return nil, l.wrong(call.At, "", "it is %s()", call.Text)
	case call.Text == "duckdb_functions":
		return l.formed(about.text, functionRows(call.At))
	}
	if !about.columns {
		rows := make([][]string, 3)
		for _, name := range tables {
			kind := "BASE TABLE"
			if q := l.of.ses.views[strings.ToLower(name)]; q != nil && !l.of.ses.kept.holds(q) {
				kind = "VIEW"
			}
			schema, table := schemaAnd(name)
			for i, cell := range []string{schema, table, kind} {
				rows[i] = append(rows[i], cell)
			}
		}
		return l.formed(about.text, rowsOf(call.At, []string{"schema", "table_name", "kind"}, rows))
	}
	rows := make([][]string, 5)
	for _, table := range tables {
		columns, _, err := l.look(sql.StarOf(&sql.From{At: call.At, Path: []string{table}}))
		if err != nil {
			return nil, err
		}
		names, types := describe(columns)
		schema, short := schemaAnd(table)
		for i, name := range names {
			for j, cell := range []string{schema, short, name, strconv.Itoa(i + 1), types[i]} {
				rows[j] = append(rows[j], cell)
			}
		}
	}
	return l.formed(about.text, rowsOf(call.At, []string{"schema", "table_name", "column_name", "place", "data_type"}, rows))
}

// schemaAnd returns the schema of a table and its name there.
func schemaAnd(name string) (schema, table string) {
	if at := strings.LastIndexByte(name, '.'); at > 0 {
		return name[:at], name[at+1:]
	}
	return "main", name
}

// functionRows lists all functions by each of their names.
func functionRows(at sql.Span) *sql.Query {
	columns := make([][]string, 5)
	for _, group := range bind.Documentation() {
		for _, d := range group.Docs {
			kind := "scalar"
			switch d.Group {
			case registry.Aggregates:
				kind = "aggregate"
			case registry.Windows:
				kind = "window"
			}
			for _, name := range d.Names {
				for i, cell := range []string{name, kind, d.Help, d.Usage, d.Example} {
					columns[i] = append(columns[i], cell)
				}
			}
		}
	}
	return rowsOf(at, []string{"function_name", "kind", "description", "usage", "example"}, columns)
}

// names returns the names that statements of the session may read.
func (s *Session) names() []string {
	names := append(slices.Collect(maps.Keys(s.cfg.Tables)), s.Views()...)
	slices.Sort(names)
	return slices.Compact(names)
}
