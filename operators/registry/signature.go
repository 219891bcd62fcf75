package registry

import (
	"slices"

	"analyzer/columnar"
)

// Signature is one list of argument types of a function and the result type for it. There may be
// variables in it, which Of replaces. Wide is one too: it stands for the type of the first wide decimal among
// the arguments, or for itself.
type Signature struct {
	Gives columnar.Type
	Takes []columnar.Type
}

// The variables of signatures. Each stands for any type of values, the same at all of its places.
var (
	Any   = columnar.Variable1
	Other = columnar.Variable2
)

func isVariable(t columnar.Type) bool { return t == Any || t == Other || t == columnar.Wide }

// Of returns the signature with the types in place of its variables that they have in a call with
// such arguments, of which the unknown ones are Invalid. What the arguments do not tell is Text.
func (s Signature) Of(args []columnar.Type) Signature {
	var known meaning
	for i, t := range args[:min(len(args), len(s.Takes))] {
		known.learn(s.Takes[i], t)
	}
	return known.of(s)
}

// Giving returns the signature with variables replaced so that it gives t, if it can.
func (s Signature) Giving(t columnar.Type) (Signature, bool) {
	var known meaning
	known.learn(s.Gives, t)
	s = known.of(s)
	return s, s.Gives == t
}

// meaning is what the variables of a signature stand for, Invalid where that is not known.
type meaning struct{ any, other, wide columnar.Type }

func (m *meaning) at(variable columnar.Type) *columnar.Type {
	switch variable {
	case Any:
		return &m.any
	case columnar.Wide:
		return &m.wide
	}
	return &m.other
}

// learn compares a type in a signature with one in its place.
func (m *meaning) learn(in, is columnar.Type) {
	switch {
	case in == columnar.Wide && !is.IsWide():
	case isVariable(in):
		if known := m.at(in); *known == columnar.Invalid && is.Writable() {
			*known = is
		}
	case in.Item() != columnar.Invalid && is.Item() != columnar.Invalid:
		m.learn(in.Item(), is.Item())
	}
}

func (m *meaning) of(s Signature) Signature {
	if !slices.ContainsFunc(append([]columnar.Type{s.Gives}, s.Takes...), generic) {
		return s
	}
	takes := columnar.Each(s.Takes, m.replace)
	return Signature{Gives: m.replace(s.Gives), Takes: takes}
}

func (m *meaning) replace(t columnar.Type) columnar.Type {
	switch item := t.Item(); {
	case t == columnar.Wide && m.wide == columnar.Invalid:
		return t
	case isVariable(t) && *m.at(t) == columnar.Invalid:
		return columnar.Text
	case isVariable(t):
		return *m.at(t)
	case item != columnar.Invalid:
		return columnar.ListOf(m.replace(item))
	}
	return t
}

// generic reports whether a type is made of a variable.
func generic(t columnar.Type) bool {
	for t.Item() != columnar.Invalid {
		t = t.Item()
	}
	return isVariable(t)
}
