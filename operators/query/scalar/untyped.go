package scalar

import "analyzer/columnar"

// Untyped says which parts of a value are NULL without a type that somebody has written, so that they become
// parts of any type: those of {'a': NULL}, and the items of [NULL] and of [], which has none. nil: no part is.
type Untyped struct {
	all   bool
	parts []*Untyped // of the fields of a struct, of the items of a list, or of the entries of a map
}

// untypedOf are the untyped parts of what consists of some parts.
func untypedOf(parts ...*Untyped) *Untyped {
	for _, p := range parts {
		if p != nil {
			return &Untyped{parts: parts}
		}
	}
	return nil
}

func (u *Untyped) isAll() bool { return u != nil && u.all }

// part returns what is untyped of a part.
func (u *Untyped) part(i int) *Untyped {
	if u == nil || u.all {
		return u
	}
	return u.parts[i]
}

// untyped says which parts of a value are untyped, perhaps all.
func (v Value) untyped() *Untyped {
	if v.Null {
		return &Untyped{all: true}
	}
	return v.Untyped
}

// bare reports whether a list has no items, or none with a type.
func (v Value) bare() bool { return v.Type.Item() != columnar.Invalid && v.Untyped.part(0).isAll() }

// open is a type, some parts of which may become parts of any other type.
type open struct {
	columnar.Type
	untyped *Untyped
}

func (v Value) open() open { return open{v.Type, v.untyped()} }

func (o open) item() open { return open{o.Item(), o.untyped.part(0)} }

func (o open) entries() open { return open{o.Entries(), o.untyped} }

func (o open) field(i int) open { return open{o.Fields()[i].Type, o.untyped.part(i)} }

// listOf is the type of lists of such items.
func listOf(item open) open { return open{columnar.ListOf(item.Type), untypedOf(item.untyped)} }
