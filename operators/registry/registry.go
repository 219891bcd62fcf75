// Package registry holds the functions that statements call: what they are called, what their
// documentation says, and, for each kind of function, what the code needs to compute it. A file
// declares its functions itself, so adding one takes a file and its test:
//
//	func init() { functions.Add(initcap) }
//
// Functions are made when one is first looked for, so a program that calls none does not spend
// time on them.
package registry

import (
	"slices"
	"strings"
	"sync"
)

// Group is what the documentation lists together.
type Group int

// The groups, in the order of the documentation.
const (
	None Group = iota // not called by statements
	Texts
	Numbers
	Times
	Lists
	Structs
	JSON
	AnyValue
	Aggregates
	Windows
)

// Groups returns all groups in the order of the documentation.
func Groups() []Group {
	return []Group{Texts, Numbers, Times, Lists, Structs, JSON, AnyValue, Aggregates, Windows}
}

// Doc documents a function that statements can call.
type Doc struct {
	Group Group
	Names []string // in small letters, the usual one first
	Usage string
	Help  string // its result in one line
	// Example is a call and Value its result. Functions of a row are called by themselves,
	// aggregates and window functions over a few rows; Value has the values of all rows, with
	// commas between them. It is "" where it depends on the time.
	Example, Value string
}

// Doc documents a function of the group. names are separated by spaces; usage is what follows the
// usual name in Doc.Usage.
func (g Group) Doc(names, usage, help, example, value string) Doc {
	called := strings.Fields(names)
	return Doc{Group: g, Names: called, Usage: called[0] + usage, Help: help, Example: example, Value: value}
}

// Called reports whether statements can call the function.
func (d Doc) Called() bool { return d.Group != None }

// Counts returns how many arguments a call takes at least and at most, -1 for any number, by a usage such
// as f(value[, options]) or f(value, …).
func (d Doc) Counts() (least, most int) {
	_, usage, _ := strings.Cut(d.Usage, "(")
	usage, _, _ = strings.Cut(usage, " [ORDER BY")
	optional := 0 // brackets that are open
	for _, part := range strings.Split(strings.NewReplacer("[", ",[,", "]", ",],", " IN ", ",", ")", ",").Replace(usage), ",") {
		switch strings.TrimSpace(part) {
		case "":
		case "…":
			return least, -1
		case "[":
			optional++
		case "]":
			optional--
		default:
			if most++; optional == 0 {
				least++
			}
		}
	}
	return least, most
}

// Compare orders documentation by group, and then by name.
func (d Doc) Compare(other Doc) int {
	if d.Group != other.Group {
		return int(d.Group - other.Group)
	}
	return strings.Compare(d.Names[0], other.Names[0])
}

// Of is a registry of functions of one kind. Functions are added by init functions; from then on
// it is read only, and may be used by several goroutines at once.
type Of[F any] struct {
	names func(*F) []string
	made  []func() []F

	once sync.Once
	all  []*F
	by   map[string]*F
}

// New returns an empty registry of functions that are found by the names that names returns.
func New[F any](names func(*F) []string) *Of[F] { return &Of[F]{names: names} }

// Add adds the functions that made returns.
func (r *Of[F]) Add(made func() []F) { r.made = append(r.made, made) }

// All returns all functions, in the order in which they were added.
func (r *Of[F]) All() []*F {
	r.once.Do(r.make)
	return slices.Clip(r.all)
}

// Names returns the names of all functions.
func (r *Of[F]) Names() (all []string) {
	for _, f := range r.All() {
		all = append(all, r.names(f)...)
	}
	return all
}

// Find returns the function of a name, nil if there is none.
func (r *Of[F]) Find(name string) *F {
	r.once.Do(r.make)
	return r.by[name]
}

func (r *Of[F]) make() {
	r.by = make(map[string]*F)
	for _, made := range r.made {
		group := made()
		for i := range group {
			f := &group[i]
			r.all = append(r.all, f)
			for _, name := range r.names(f) {
				if r.by[name] != nil {
					panic("registry: two functions are called " + name)
				}
				r.by[name] = f
			}
		}
	}
}
