package expr

import (
	"errors"

	"analyzer/columnar"
)

// The functions that make structs and maps, and take them apart.
const (
	OpStruct  Op = "struct_pack"      // a null of the struct's type, the fields
	OpField   Op = "struct_extract"   // a struct, the position of a field from 1 on
	OpMap     Op = "map_from_entries" // a null of the map's type, a list of structs of a key and a value
	OpEntries Op = "map_entries"
	OpRuns    Op = "list_runs" // how often each item of a list in order occurs: a list of entries
)

// ErrKey means that a map would have a key twice, NULL as a key, or a value for each key and others.
var ErrKey = errors.New("the keys of a map are different, none is NULL, and there are as many values")

// Map is the map of a type whose entries are in a list.
func Map(t columnar.Type, entries *Expr) *Expr { return Call(OpMap, Null(t), entries) }

// Struct is a struct of a type, with one value for each of its fields.
func Struct(t columnar.Type, values ...*Expr) *Expr {
	return Call(OpStruct, append([]*Expr{Null(t)}, values...)...)
}

// FieldAt is the field of a struct at a position, which counts from 1. Of a struct that was made just
// there, it is what the field was made of.
func FieldAt(of *Expr, position int) *Expr {
	if of.Op == OpStruct && position < len(of.Args) {
		return of.Args[position]
	}
	return Call(OpField, of, Int(int64(position)))
}

// FieldOf returns the column and the position of an expression that is a field of a struct in a column;
// ok is false for any other.
func (e *Expr) FieldOf() (column string, position int, ok bool) {
	if e.Op != OpField || len(e.Args) != 2 || e.Args[0].Op != OpColumn {
		return "", 0, false
	}
	at := e.Args[1].Literal()
	if at == nil || at.Type != columnar.Int {
		return "", 0, false
	}
	return e.Args[0].Name, int(at.Int), true
}

func init() { functions.Add(structFunctions) }

func structFunctions() []function {
	one := columnar.StructOf(columnar.Field{Name: "a", Type: columnar.Int})
	m := columnar.MapOf(columnar.Text, columnar.Int)
	return []function{
		{
			op: OpMap, takes: "a null of a map's type, and its entries", typeOf: mapType, cost: costCase, canFail: true, build: buildMap, seesNulls: true,
			types: only(m, m, m.Entries()),
		},
		{
			op: OpEntries, takes: "a map", typeOf: entriesType, cost: costList, canFail: true, build: just(entriesOf),
			types: only(m.Entries(), m),
		},
		{
			op: OpRuns, takes: "a list", typeOf: runsType, cost: costList, build: buildRuns,
			types: only(m.Entries(), columnar.TextList),
		},
		{
			op: OpStruct, takes: "a null of a struct's type, and its fields", typeOf: structType, many: true, cost: costList, canFail: true, seesNulls: true,
			types: only(one, one), build: buildStruct,
		},
		{
			op: OpField, takes: "a struct and the position of a field", typeOf: fieldType, cost: costList, canFail: true, build: buildField,
			types: only(columnar.Int, one, columnar.Int), check: checkField,
		},
	}
}

// structType is the type of a struct that has the fields that it needs.
func structType(_ []*Expr, types []columnar.Type) columnar.Type {
	fields := types[0].Fields()
	if len(fields) == 0 || len(fields) != len(types)-1 {
		return columnar.Invalid
	}
	for i, f := range fields {
		if f.Type != types[1+i] {
			return columnar.Invalid
		}
	}
	return types[0]
}

func fieldType(args []*Expr, types []columnar.Type) columnar.Type {
	return types[0].FieldAt(args[1].Value.Int).Type
}

func checkField(args []*Expr) error {
	if at := args[1].Literal(); at == nil || at.Type != columnar.Int || at.Int < 1 {
		return errors.New("the position of a field is an int from 1 on")
	}
	return nil
}

func buildStruct(b *build) (kernel, error) {
	b.args = b.args[1:]
	return func(out *result, args []*columnar.Vector) error {
		for i := range out.rows() {
			for _, a := range args {
				out.Data = a.AppendField(out.Data, i)
			}
			if err := out.fits(0); err != nil {
				return err
			}
		}
		return nil
	}, nil
}

func buildField(b *build) (kernel, error) {
	fields, at := b.args[0].typ.Fields(), b.literal(1).Int-1
	before, field := fields[:at], columnar.NewVector(b.typ)
	b.keep(0)
	return func(out *result, args []*columnar.Vector) error {
		for i := range out.rows() {
			rest := args[0].Bytes(i)
			for _, f := range before {
				rest = columnar.SkipField(rest, f.Type)
			}
			field.Reset()
			if _, err := field.TakeField(rest); err != nil {
				return err
			}
			if field.IsNull(0) {
				out.setNull(i)
			} else {
				out.set(i, field, 0)
			}
		}
		return nil
	}, nil
}

func mapType(_ []*Expr, types []columnar.Type) columnar.Type {
	if !types[0].IsMap() || types[1] != types[0].Entries() {
		return columnar.Invalid
	}
	return types[0]
}

func entriesType(_ []*Expr, types []columnar.Type) columnar.Type { return types[0].Entries() }

func runsType(_ []*Expr, types []columnar.Type) columnar.Type {
	return columnar.MapOf(types[0].Item(), columnar.Int).Entries()
}

func buildMap(b *build) (kernel, error) {
	b.args = b.args[1:]
	return func(out *result, args []*columnar.Vector) error {
		out.nullsOf(args)
		seen := make(map[string]bool)
		for i := range out.rows() {
			clear(seen)
			for j, hi := itemsOf(args[0], i); j < hi; j++ {
				entry := args[0].Child
				key := entry.Bytes(j)
				if entry.IsNull(j) || columnar.IsNullField(key) {
					return ErrKey
				}
				rest := columnar.SkipField(key, b.typ.Entries().Item().Fields()[0].Type)
				if key = key[:len(key)-len(rest)]; seen[string(key)] {
					return ErrKey
				}
				seen[string(key)] = true
			}
			out.Data = columnar.AppendOrdered(out.Data, args[0], i)
			if err := out.fits(0); err != nil {
				return err
			}
		}
		return nil
	}, nil
}

func entriesOf(out *result, args []*columnar.Vector) error {
	lists, err := args[0].Entries(0, out.Len)
	if err != nil {
		return err
	}
	for i := range out.rows() {
		lo, hi := itemsOf(lists, i)
		out.Child.AppendRange(lists.Child, lo, hi)
	}
	return nil
}

func buildRuns(b *build) (kernel, error) {
	compare := comparing(b.args[0].typ.Item())
	return func(out *result, args []*columnar.Vector) error {
		items, count := args[0].Child, columnar.NewVector(columnar.Int)
		var entry []byte
		for i := range out.rows() {
			for j, hi := itemsOf(args[0], i); j < hi; {
				first := j
				for j < hi && (j == first || !items.IsNull(j) && !items.IsNull(first) && compare(items, first, items, j) == 0) {
					j++
				}
				count.Reset()
				count.AppendInt(int64(j - first))
				entry = count.AppendField(items.AppendField(entry[:0], first), 0)
				out.Child.AppendBytes(entry)
			}
		}
		return nil
	}, nil
}
