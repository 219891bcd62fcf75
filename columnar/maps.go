package columnar

// A map is bytes too: the ordered value (AppendOrdered) of the list of its entries, which are structs of a
// key and a value.

const mapName = "map"

// MapOf returns the type of maps from keys to values, Invalid if answers cannot hold one or it is nested
// too deep.
func MapOf(key, value Type) Type {
	t := nested(mapping, Field{"key", key}, Field{"value", value})
	if t != Invalid && t.Entries() == Invalid {
		return Invalid
	}
	return t
}

// IsMap reports whether values are maps.
func (t Type) IsMap() bool { return t.base == mapping && t.lists == 0 }

// Entries returns the type of the list of a map's entries, Invalid if t is no map.
func (t Type) Entries() Type {
	if !t.IsMap() {
		return Invalid
	}
	return ListOf(StructOf(t.parts()...))
}

// Entries returns the entries of maps lo to hi of a vector as lists, which are null where the map is.
func (v *Vector) Entries(lo, hi int) (*Vector, error) {
	lists := NewVector(v.Type.Entries())
	for i := lo; i < hi; i++ {
		if v.IsNull(i) {
			lists.AppendNull()
		} else if _, err := TakeOrdered(v.Bytes(i), lists); err != nil {
			return nil, err
		}
	}
	return lists, nil
}

// EachEntry calls f with the keys and the values of map i, which must not be null, each a vector of one
// value. Of a map that is damaged, there are none.
func (v *Vector) EachEntry(i int, f func(key, value *Vector)) {
	lists, err := v.Entries(i, i+1)
	if err != nil {
		return
	}
	for k := range lists.Child.Len {
		entry := lists.Child.Struct(k)
		f(entry[0], entry[1])
	}
}

// appendMapText appends a map as DuckDB casts it to a text: {a=1, b=NULL}.
func (v *Vector) appendMapText(dst []byte, i int) []byte {
	dst = append(dst, '{')
	first := true
	v.EachEntry(i, func(key, value *Vector) {
		if !first {
			dst = append(dst, ", "...)
		}
		first = false
		dst = append(key.appendPart(dst, 0), '=')
		if value.IsNull(0) {
			dst = append(dst, "NULL"...)
		} else {
			dst = value.appendPart(dst, 0)
		}
	})
	return append(dst, '}')
}
