package arrow

import (
	"fmt"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/input"
	"analyzer/columnar/ipc"
	"analyzer/columnar/number"
)

// column is a column of a file.
type column struct {
	*part
	In string // the type in the file, for display
}

// part is a column, or the items of one, as batches store it.
type part struct {
	ipc.Field
	typ    columnar.Type // of the values; Invalid if they cannot be read
	read   reader
	node   int   // its number among the nodes of a batch
	buffer int   // the number of its first buffer, apart from
	views  int   // those that this many columns before it have beyond two each
	items  *part // those of a list, or the entries of a map; of what has a dictionary, the positions there
	fields []*part
}

// layout counts the nodes and buffers of the columns of a batch, depth first.
type layout struct {
	node, buffer, views int
	unions              bool // unions have a bitmap of nulls
}

func columnsOf(fields []ipc.Field, unions bool) []*column {
	all := make([]*column, len(fields))
	l := layout{unions: unions}
	for i, f := range fields {
		all[i] = &column{l.part(f), typeName(&f)}
	}
	return all
}

// part lays out a column, and decides how it is read.
func (l *layout) part(f ipc.Field) *part {
	p := &part{Field: f, node: l.node, buffer: l.buffer, views: l.views}
	l.node++
	if f.Dictionary != nil {
		l.buffer += 2
		p.dictionary()
		return p
	}
	switch f.Kind {
	case ipc.Null, ipc.RunEndEncoded:
	case ipc.Struct, ipc.FixedSizeList:
		l.buffer++
	case ipc.Union:
		l.buffer++
		if f.Unit == 1 { // dense
			l.buffer++
		}
		if l.unions {
			l.buffer++
		}
	case ipc.Utf8, ipc.LargeUtf8, ipc.Binary, ipc.LargeBinary, ipc.ListView, ipc.LargeListView:
		l.buffer += 3
	case ipc.Utf8View, ipc.BinaryView:
		l.buffer += 2
		l.views++
	default:
		l.buffer += 2
	}
	items := columnar.Each(f.Items, l.part)
	if p.plain(items); f.Own != columnar.Invalid {
		p.own(f.Own)
	}
	return p
}

// plain decides how a part without a dictionary is read.
func (p *part) plain(items []*part) {
	switch f := &p.Field; {
	case len(items) == 1 && (f.Kind == ipc.List || f.Kind == ipc.LargeList):
		p.typ, p.items, p.read = columnar.ListOf(items[0].typ), items[0], lists
	case len(items) == 1 && f.Kind == ipc.FixedSizeList:
		p.typ, p.items, p.read = columnar.ListOf(items[0].typ), items[0], fixedLists
	case len(items) == 1 && f.Kind == ipc.Map && len(items[0].fields) == 2:
		entry := items[0].fields
		p.typ, p.items, p.read = columnar.MapOf(entry[0].typ, entry[1].typ), items[0], maps
	case f.Kind == ipc.Struct:
		var fields []columnar.Field
		for i, item := range items {
			fields = append(fields, columnar.Field{Name: f.Items[i].Name, Type: item.typ})
		}
		p.typ, p.fields, p.read = columnar.StructOf(fields...), items, structs
	default:
		p.scalar()
	}
	if p.typ == columnar.Invalid {
		p.read = nil
	}
}

// scalar decides how a part is read whose values have no parts.
func (p *part) scalar() {
	f := &p.Field
	switch f.Kind {
	case ipc.Null:
		p.typ, p.read = columnar.Text, nulls
	case ipc.Bool:
		p.typ, p.read = columnar.Bool, bools
	case ipc.Integer:
		p.typ, p.read = columnar.Int, integers(f.Bits, f.Signed)
	case ipc.FloatingPoint:
		p.typ, p.read = columnar.Float, floats(f.Unit)
	case ipc.Decimal:
		p.typ = input.DecimalType(int32(f.Precision), int32(f.Scale))
		p.read = decimals(p.typ, f.Bits/8, int32(f.Scale))
	case ipc.Date:
		p.typ, p.read = columnar.Date, dates(f.Unit)
	case ipc.Timestamp:
		p.typ, p.read = columnar.Timestamp, timestamps(f.Unit)
		if f.Zone != "" {
			p.typ = columnar.Instant
		}
	case ipc.Time:
		p.typ, p.read = columnar.Time, times(f.Bits/8, f.Unit)
	case ipc.Utf8, ipc.LargeUtf8:
		p.typ, p.read = columnar.Text, texts
	case ipc.Utf8View:
		p.typ, p.read = columnar.Text, views
	case ipc.Binary, ipc.LargeBinary:
		p.typ, p.read = columnar.Bytes, blobs
	case ipc.BinaryView:
		p.typ, p.read = columnar.Bytes, views
	case ipc.FixedSizeBinary:
		if p.typ, p.read = columnar.Bytes, fixedBlobs; f.Extension == columnar.UUIDExtension && f.Width == number.UUIDBytes {
			p.typ, p.read = columnar.UUID, uuids
		}
	}
	if p.read == nil {
		p.typ = columnar.Invalid
	}
}

// dictionary decides how a part is read whose values stand in a dictionary.
func (p *part) dictionary() {
	values := valuesOf(p.Field)
	index := &part{Field: ipc.Field{Kind: ipc.Integer, Bits: p.Dictionary.Bits, Signed: p.Dictionary.Signed}, node: p.node, buffer: p.buffer, views: p.views}
	if index.scalar(); values.typ != columnar.Invalid && index.typ == columnar.Int {
		p.typ, p.read, p.items = values.typ, indexed, index
	}
}

// valuesOf returns the layout of a dictionary.
func valuesOf(f ipc.Field) *part {
	f.Dictionary = nil
	return new(layout).part(f)
}

var typeNames = map[ipc.TypeKind]string{
	ipc.Null: "null", ipc.Integer: "int", ipc.FloatingPoint: "float", ipc.Binary: "binary", ipc.Utf8: "string", ipc.Bool: "bool",
	ipc.Decimal: "decimal", ipc.Date: "date", ipc.Time: "time", ipc.Timestamp: "timestamp", ipc.Interval: "interval", ipc.List: "list",
	ipc.Struct: "struct", ipc.Union: "union", ipc.FixedSizeBinary: "fixed size binary", ipc.FixedSizeList: "fixed size list", ipc.Map: "map",
	ipc.Duration: "duration", ipc.LargeBinary: "large binary", ipc.LargeUtf8: "large string", ipc.LargeList: "large list",
	ipc.RunEndEncoded: "run-end encoded", ipc.BinaryView: "binary view", ipc.Utf8View: "string view", ipc.ListView: "list view",
	ipc.LargeListView: "large list view",
}

// typeName returns the name of a type, for display.
func typeName(f *ipc.Field) string {
	name := typeNames[f.Kind]
	switch f.Kind {
	case ipc.Integer:
		name = intName(f.Bits, f.Signed)
	case ipc.FloatingPoint:
		name = fmt.Sprintf("float%d", 16<<f.Unit)
	case ipc.Decimal:
		name = fmt.Sprintf("decimal(%d, %d)", f.Precision, f.Scale)
	case ipc.Timestamp:
		if f.Zone != "" {
			name += " in " + f.Zone
		}
	case ipc.List, ipc.LargeList, ipc.FixedSizeList, ipc.ListView, ipc.LargeListView, ipc.Map, ipc.Struct, ipc.RunEndEncoded:
		var items []string
		for i := range f.Items {
			items = append(items, typeName(&f.Items[i]))
		}
		name += " of " + strings.Join(items, ", ")
	}
	if f.Extension != "" {
		name += " (" + f.Extension + ")"
	}
	if f.Dictionary != nil {
		name = "dictionary of " + name
	}
	return name
}

func intName(bits int, signed bool) string {
	if signed {
		return fmt.Sprintf("int%d", bits)
	}
	return fmt.Sprintf("uint%d", bits)
}
