package expr

import (
	"errors"

	"analyzer/columnar"
	"analyzer/operators/registry"
)

// The functions that make structs, and take them apart.
const (
	OpStruct Op = "struct_pack"    // a null of the struct's type, the fields
	OpField  Op = "struct_extract" // a struct, the position of a field from 1 on
)

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

func init() { functions.Add(structFunctions) }

func structFunctions() []function {
	one := columnar.StructOf(columnar.Field{Name: "a", Type: columnar.Int})
	return []function{
		{
			op: OpStruct, takes: "a null of a struct's type, and its fields", typeOf: structType, many: true, cost: costList, canFail: true, seesNulls: true,
			types: []registry.Signature{sig(one, one)}, build: buildStruct,
			example: Struct(one, Int(1)),
		},
		{
			op: OpField, takes: "a struct and the position of a field", typeOf: fieldType, cost: costList, canFail: true, build: buildField,
			types: []registry.Signature{sig(columnar.Int, one, columnar.Int)}, check: checkField,
			example: Call(OpField, Struct(one, Int(1)), Int(1)),
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
	fields := types[0].Fields()
	if at := args[1].Value.Int; at <= int64(len(fields)) {
		return fields[at-1].Type
	}
	return columnar.Invalid
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
