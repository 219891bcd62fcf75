package parquet

import (
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/schema"

	"analyzer/columnar"
)

// part is a nested column, or a part of one: a list, a struct, a map or values. Its values are found by the
// levels of the entries of its leaves, which are the columns that the file stores; see "Nested Encoding" in
// the format.
type part struct {
	typ     columnar.Type // Invalid if it is not read
	leaf    int           // its first leaf, counted within the column
	present uint8         // the definition level from which on it is not null
	further uint8         // of a list: the repetition level of its second item and those behind it
	parts   []*part       // the item of a list, the fields of a struct, the list of a map's entries
}

// partsOf lays out a nested column.
type partsOf struct {
	schema fields
	first  int      // the first stored column
	leaves []Column // those that the column consists of
	unread string   // the type of the first leaf that is not read
}

// nested makes the column one that has parts.
func (c *Column) nested(node schema.Node, s fields) {
	c.In = "nested, " + nameOf(node)
	if depth(node) > 3*columnar.MaxNesting { // a map is three groups deep; levels fit into bytes then
		return
	}
	b := &partsOf{schema: s, first: c.leaf}
	root := b.part(node, 0, 0)
	if c.Type = root.typ; c.Type != columnar.Invalid {
		c.root, c.leaves = root, b.leaves
	} else if b.unread != "" {
		c.In += " with parts of type " + b.unread
	}
}

func depth(node schema.Node) int {
	deepest := 0
	if g, ok := node.(*schema.GroupNode); ok {
		for i := range g.NumFields() {
			deepest = max(deepest, 1+depth(g.Field(i)))
		}
	}
	return deepest
}

// part lays out a field of the schema within one whose values are present from a definition level on. A
// repeated field that nothing says more of is a list.
func (b *partsOf) part(node schema.Node, definition, repetition uint8) *part {
	switch node.RepetitionType() {
	case parquet.Repetitions.Repeated:
		return b.list(definition, repetition, func(d, r uint8) *part { return b.value(node, d, r) })
	case parquet.Repetitions.Optional:
		definition++
	}
	return b.value(node, definition, repetition)
}

// list lays out a list whose item is a repeated field.
func (b *partsOf) list(definition, repetition uint8, item func(definition, repetition uint8) *part) *part {
	p := &part{leaf: len(b.leaves), present: definition, further: repetition + 1}
	items := item(definition+1, repetition+1)
	p.typ, p.parts = columnar.ListOf(items.typ), []*part{items}
	return p
}

// value lays out a field as if it were required.
func (b *partsOf) value(node schema.Node, definition, repetition uint8) *part {
	g, ok := node.(*schema.GroupNode)
	if !ok {
		c := Column{Name: node.Name(), leaf: b.first + len(b.leaves)}
		c.flat(node, b.schema)
		if c.Type == columnar.Invalid && b.unread == "" {
			b.unread = c.In
		}
		b.leaves = append(b.leaves, c)
		return &part{typ: c.Type, leaf: len(b.leaves) - 1, present: definition}
	}
	if repeated := onlyRepeated(g); repeated != nil {
		switch g.LogicalType().(type) {
		case schema.ListLogicalType:
			return b.list(definition, repetition, func(d, r uint8) *part { return b.item(repeated, g.Name(), d, r) })
		case schema.MapLogicalType:
			if entry, ok := repeated.(*schema.GroupNode); ok && entry.NumFields() == 2 {
				return b.mapping(entry, definition, repetition)
			}
		}
	}
	return b.structure(g, definition, repetition)
}

// onlyRepeated returns the repeated field of a group that has no other one.
func onlyRepeated(g *schema.GroupNode) schema.Node {
	if g.NumFields() != 1 || g.Field(0).RepetitionType() != parquet.Repetitions.Repeated {
		return nil
	}
	return g.Field(0)
}

// item lays out the item of a list. Old programs wrote it without a group around it; the rules are those of
// "Lists" in LogicalTypes.md of the format.
func (b *partsOf) item(repeated schema.Node, list string, definition, repetition uint8) *part {
	g, ok := repeated.(*schema.GroupNode)
	if !ok || g.NumFields() != 1 || g.Name() == "array" || g.Name() == list+"_tuple" {
		return b.value(repeated, definition, repetition)
	}
	return b.part(g.Field(0), definition, repetition)
}

func (b *partsOf) structure(g *schema.GroupNode, definition, repetition uint8) *part {
	p := &part{leaf: len(b.leaves), present: definition}
	var fields []columnar.Field
	for i := range g.NumFields() {
		field := b.part(g.Field(i), definition, repetition)
		p.parts, fields = append(p.parts, field), append(fields, columnar.Field{Name: g.Field(i).Name(), Type: field.typ})
	}
	p.typ = columnar.StructOf(fields...)
	return p
}

// mapping lays out a map, whose entries are a list of structs.
func (b *partsOf) mapping(entry *schema.GroupNode, definition, repetition uint8) *part {
	entries := b.list(definition, repetition, func(d, r uint8) *part { return b.structure(entry, d, r) })
	p := &part{leaf: entries.leaf, present: definition, parts: []*part{entries}}
	if fields := entries.parts[0].parts; fields[0].typ != columnar.Invalid && fields[1].typ != columnar.Invalid {
		p.typ = columnar.MapOf(fields[0].typ, fields[1].typ)
		entries.typ = p.typ.Entries()
		entries.parts[0].typ = entries.typ.Item()
	}
	return p
}
