package json

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"analyzer/columnar"
)

// node is a key at some depth of objects, or the row itself.
type node struct {
	key      string
	quoted   []byte // the key as most files write it
	children []*node
	byKey    map[string]int // positions among the children

	column int // index of its cells in a block; -1: nobody wants them
	leaf   bool
	// What follows is found out while the columns of a file are.
	first int64 // offset of the first row with the key
	empty bool  // it was null, or an object without keys
}

func newNode(key string) *node {
	quoted, _ := json.Marshal(key) // of texts never fails
	return &node{key: key, quoted: quoted, byKey: make(map[string]int), column: -1}
}

// child returns the child of a key, which it makes if there is none.
func (n *node) child(key string, first int64) *node {
	if i, ok := n.byKey[key]; ok {
		return n.children[i]
	}
	c := newNode(key)
	c.first = first
	n.byKey[c.key] = len(n.children)
	n.children = append(n.children, c)
	return c
}

// merge adds what was found in another part of the file.
func (n *node) merge(other *node) {
	n.leaf, n.empty, n.first = n.leaf || other.leaf, n.empty || other.empty, min(n.first, other.first)
	for _, c := range other.children {
		n.child(c.key, c.first).merge(c)
	}
}

// sort puts children into the order in which a reader of the whole file meets them.
func (n *node) sort() {
	slices.SortStableFunc(n.children, func(a, b *node) int { return cmp.Compare(a.first, b.first) })
	for i, c := range n.children {
		n.byKey[c.key] = i
		c.sort()
	}
}

// column is a column of a file.
type column struct {
	path   []string
	header string
}

// columns returns the paths of the columns below a node.
func (n *node) columns(above []string, all []column) []column {
	for _, c := range n.children {
		path := append(above[:len(above):len(above)], c.key)
		if c.leaf || c.empty && len(c.children) == 0 {
			all = append(all, column{path: path, header: headerOf(path)})
		}
		all = c.columns(path, all)
	}
	return all
}

// headerOf returns the header of a path, as tables write it.
func headerOf(path []string) string {
	parts := columnar.Each(path, func(key string) string { return strings.ReplaceAll(strings.ReplaceAll(key, `\`, `\\`), ".", `\.`) })
	return strings.Join(parts, ".")
}

// pathOf returns the path that a header of a table stands for.
func pathOf(header string) (path []string) {
	var key strings.Builder
	for i := 0; i < len(header); i++ {
		switch c := header[i]; {
		case c == '\\' && i+1 < len(header):
			i++
			key.WriteByte(header[i])
		case c == '.':
			path = append(path, key.String())
			key.Reset()
		default:
			key.WriteByte(c)
		}
	}
	return append(path, key.String())
}

// treeOf returns the nodes of columns. wanted says of which a block has cells.
func treeOf(headers []string, wanted func(i int) bool) *node {
	root := newNode("")
	for i, header := range headers {
		n := root
		for _, key := range pathOf(header) {
			n = n.child(key, int64(i))
		}
		if n.leaf = true; wanted(i) {
			n.column = i
		}
	}
	return root
}

// follows returns the child at next if data begins with its quoted key, otherwise nil: the keys of
// most rows have one order.
func (n *node) follows(data []byte, next int) *node {
	if next < len(n.children) && bytes.HasPrefix(data, n.children[next].quoted) {
		return n.children[next]
	}
	return nil
}
