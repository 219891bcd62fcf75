package jsontext

import "bytes"

// Container looks for values in others. It keeps memory from one to the next.
type Container struct{ all, part tree }

// Contains reports whether a value occurs in another one, at any depth. An array occurs in one that has all its items,
// in any order, and an object in one that has all its members. No pair of their parts is compared twice.
func (c *Container) Contains(text, part []byte) bool {
	c.all.read(text)
	c.part.read(part)
	for i := range c.all.nodes {
		if c.all.includes(i, &c.part, 0) {
			return true
		}
	}
	return false
}

// tree is the values of a text, each before those within it.
type tree struct {
	text  []byte
	nodes []node
}

// node is a value: where it stands, the place of the value behind it and all within it, and the name that it has in
// an object.
type node struct {
	begin, end, next int
	name             []byte
}

func (t *tree) read(text []byte) {
	t.text, t.nodes = Trim(text), t.nodes[:0]
	t.value(0)
}

// value adds the value that begins at i, and returns its end.
func (t *tree) value(i int) (end int) {
	at, text := len(t.nodes), t.text
	t.nodes = append(t.nodes, node{begin: i})
	switch text[i] {
	case '[':
		for i = space(text, i+1); text[i] != ']'; i = next(text, i) {
			i = t.value(i)
		}
		end = i + 1
	case '{':
		for i = space(text, i+1); text[i] != '}'; i = next(text, i) {
			name, member := text[i:skipText(text, i)], len(t.nodes)
			i = t.value(space(text, space(text, i+len(name))+1)) // behind the colon
			t.nodes[member].name = name
		}
		end = i + 1
	default:
		end = skip(text, i)
	}
	t.nodes[at].end, t.nodes[at].next = end, len(t.nodes)
	return end
}

func (t *tree) bytes(i int) []byte { return t.text[t.nodes[i].begin:t.nodes[i].end] }

// within yields the items or the members of a value.
func (t *tree) within(i int) func(yield func(item int) bool) {
	return func(yield func(item int) bool) {
		for item := i + 1; item < t.nodes[i].next && yield(item); {
			item = t.nodes[item].next
		}
	}
}

// includes is Contains for the value i itself, and not what is in it, and the value j of a part.
func (t *tree) includes(i int, part *tree, j int) bool {
	text, wanted := t.bytes(i), part.bytes(j)
	switch {
	case bytes.Equal(text, wanted):
		return true
	case text[0] != wanted[0]:
		return false
	case text[0] == '[':
		return t.hasItems(i, part, j)
	case text[0] == '{':
		return t.hasMembers(i, part, j)
	}
	return text[0] == '"' && bytes.Equal(AppendString(nil, text), AppendString(nil, wanted))
}

func (t *tree) hasItems(i int, part *tree, j int) bool {
	const few = 8
	var plain map[string]bool // items that are neither arrays nor objects; nil: few are wanted
	if part.nodes[j].next-j > few {
		plain = t.plainItems(i)
	}
	for wanted := range part.within(j) {
		if text := part.bytes(wanted); plain != nil && text[0] != '[' && text[0] != '{' {
			if !plain[plainKey(text)] {
				return false
			}
			continue
		}
		found := false
		for item := range t.within(i) {
			if found = t.includes(item, part, wanted); found {
				break
			}
		}
		if !found {
			return false
		}
	}
	return true
}

func (t *tree) plainItems(i int) map[string]bool {
	plain := make(map[string]bool)
	for item := range t.within(i) {
		if text := t.bytes(item); text[0] != '[' && text[0] != '{' {
			plain[plainKey(text)] = true
		}
	}
	return plain
}

// plainKey is the same for values that are equal.
func plainKey(text []byte) string {
	if text[0] == '"' {
		return `"` + string(AppendString(nil, text))
	}
	return string(text)
}

func (t *tree) hasMembers(i int, part *tree, j int) bool {
	own := make(map[string]int) // of equal names, the last one counts
	for member := range t.within(i) {
		own[string(AppendString(nil, t.nodes[member].name))] = member
	}
	for wanted := range part.within(j) {
		if member, ok := own[string(AppendString(nil, part.nodes[wanted].name))]; !ok || !t.includes(member, part, wanted) {
			return false
		}
	}
	return true
}

// membersOf returns the values of an object by their names; of equal names, the last one has it.
func membersOf(text []byte) map[string][]byte {
	all := make(map[string][]byte)
	for name, value := range Members(text) {
		all[string(AppendString(nil, name))] = value
	}
	return all
}

// AppendPatched appends a text as a patch changes it (RFC 7396): members of the patch take the place of
// those of the text, and null removes one. A patch of what is no object, or that is none, is the result.
func AppendPatched(dst, text, patch []byte) []byte {
	if Trim(text)[0] != '{' || Trim(patch)[0] != '{' {
		return AppendCompact(dst, patch)
	}
	return appendPatched(dst, text, patch)
}

func appendPatched(dst, text, patch []byte) []byte {
	own, others := membersOf(text), membersOf(patch)
	begin := len(dst)
	add := func(name []byte) {
		dst = append(dst, "{,"[min(len(dst)-begin, 1)])
		dst = append(AppendCompact(dst, name), ':')
	}
	for name, value := range Members(text) {
		if _, changed := others[string(AppendString(nil, name))]; !changed {
			add(name)
			dst = AppendCompact(dst, value)
		}
	}
	for name, value := range Members(patch) {
		plain := AppendString(nil, name)
		if &others[string(plain)][0] != &value[0] {
			continue // there is another one of its name
		}
		switch value = Trim(value); value[0] {
		case 'n':
		case '{':
			add(name)
			before := own[string(plain)]
			if len(before) == 0 || Trim(before)[0] != '{' {
				before = []byte("{}")
			}
			dst = appendPatched(dst, before, value)
		default:
			add(name)
			dst = AppendCompact(dst, value)
		}
	}
	if len(dst) == begin {
		dst = append(dst, '{')
	}
	return append(dst, '}')
}
