package scalar

import (
	"encoding/json"
	"fmt"
	"strings"

	"analyzer/operators/query/sql"
)

// transformed binds json_transform as an expression of its parts, which the structure names.
func transformed(s *Scope, e *sql.Expr) Value {
	structure := s.LiteralText(e.Args[1], "a structure")
	tokens := json.NewDecoder(strings.NewReader(structure))
	t := transform{tokens: tokens}
	text, err := t.of("json")
	if err == nil && tokens.More() {
		err = fmt.Errorf("something stands behind it")
	}
	if err != nil {
		panic(sql.Wrong(e.Args[1].At, `Next: write it like {"a": "BIGINT", "b": ["VARCHAR"]}.`, "the structure %s is none: %v", structure, err))
	}
	return NewFormula("json", text).Value(s.Statement, e.At, s.values(e.Args[:1]))
}

// transform writes the expressions of a structure.
type transform struct {
	tokens *json.Decoder
	depth  int
}

// of reads a structure and writes the expression of a value of JSON in its types.
func (t *transform) of(value string) (string, error) {
	token, err := t.tokens.Token()
	if err != nil {
		return "", err
	}
	t.depth++
	defer func() { t.depth-- }()
	switch token {
	case json.Delim('{'):
		return t.object(value)
	case json.Delim('['):
		return t.list(value)
	}
	name, ok := token.(string)
	switch strings.ToUpper(name) {
	case "":
		return "", fmt.Errorf("%v is no type", token)
	case "NULL":
		return "NULL", nil
	case "JSON":
		return "CASE WHEN json_type(" + value + ") <> 'NULL' THEN " + value + " END", nil
	case "VARCHAR":
		return "json_extract_string(" + value + ", '$')", nil
	}
	if !ok {
		return "", fmt.Errorf("%v is no type", token)
	}
	extract := "json_extract_string"
	if _, _, isMap := sql.MapTypes(name); isMap { // JSON becomes one, while a text would have to be written as one
		extract = "json_extract"
	}
	return "TRY_CAST(" + extract + "(" + value + ", '$') AS " + name + ")", nil
}

// object is of for the members of an object.
func (t *transform) object(value string) (string, error) {
	var fields []string
	for t.tokens.More() {
		name, err := t.tokens.Token()
		if err != nil {
			return "", err
		}
		path, err := json.Marshal(name)
		if err != nil {
			return "", err
		}
		field, err := t.of("json_extract(" + value + ", " + sql.QuoteText("$."+string(path)) + ")")
		if err != nil {
			return "", err
		}
		fields = append(fields, sql.QuoteText(fmt.Sprint(name))+": "+field)
	}
	if _, err := t.tokens.Token(); err != nil {
		return "", err
	}
	return "CASE WHEN json_type(" + value + ") <> 'NULL' THEN {" + strings.Join(fields, ", ") + "} END", nil
}

// list is of for the items of an array.
func (t *transform) list(value string) (string, error) {
	item := fmt.Sprint("item", t.depth)
	of, err := t.of(item)
	if err != nil {
		return "", err
	}
	if end, err := t.tokens.Token(); err != nil || end != json.Delim(']') {
		return "", fmt.Errorf("an array has one type")
	}
	return "CASE WHEN json_type(" + value + ") = 'ARRAY' THEN list_transform(json_extract(" + value + ", '$[*]'), lambda " + item + ": " + of + ") END", nil
}
