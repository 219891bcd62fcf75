package arrow

import (
	"analyzer/columnar"
	"analyzer/columnar/ipc"
)

// own makes a part one of values of t that our own program wrote in the form of its batches, if the
// part has that form. So values of every type come back as they were, also of types that Arrow does
// not have.
func (p *part) own(t columnar.Type) bool {
	var read reader
	switch f := &p.Field; t.Kind() {
	case columnar.KindBool:
		if f.Kind == ipc.Bool {
			read = bools
		}
	case columnar.KindInt64:
		if f.Kind == ipc.Integer && f.Signed {
			read = integers(f.Bits, true)
		}
	case columnar.KindFloat64:
		if f.Kind == ipc.FloatingPoint {
			read = floats(f.Unit)
		}
	case columnar.KindInt128:
		if f.Kind == ipc.Decimal && f.Bits == 8*wideBytes {
			read = wides(t, wideBytes)
		}
	case columnar.KindBytes:
		switch f.Kind {
		case ipc.Utf8:
			read = texts
		case ipc.Binary:
			read = blobs
		}
	case columnar.KindList:
		if f.Kind == ipc.List && p.items != nil && p.items.own(t.Item()) {
			read = lists
		}
	}
	if read == nil || !t.Writable() || p.Dictionary != nil {
		return false
	}
	p.typ, p.read = t, read
	return true
}

// wideBytes is the width of numbers of 128 bits.
const wideBytes = 16
