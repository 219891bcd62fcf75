package sql

import (
	"analyzer/columnar/budget"
)

// standard are the macros of tables that nobody need define, by their names: parameters, and what they stand for.
var standard = map[string]string{
	// No text in JSON has the sign that would divide a line.
	"read_ndjson_objects": `(files) AS TABLE SELECT json::JSON AS json FROM read_csv(files, delim = '\x01', quote = '', escape = '', header = false, columns = {'json': 'VARCHAR'})`,
}

// macro returns the macro of tables that a name in lower case stands for, nil if there is none.
func (d Definitions) macro(work *budget.Work, name string) *Macro {
	if m := d.Macros[name]; m != nil || standard[name] == "" {
		return m
	}
	st, err := Parse(work, "CREATE MACRO "+name+standard[name])
	if err != nil {
		panic(err)
	}
	return st.Macro
}
