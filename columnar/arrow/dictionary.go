package arrow

import (
	"fmt"
	"slices"
	"sync"

	"analyzer/columnar"
	"analyzer/columnar/input"
	"analyzer/columnar/ipc"
)

// maxDictionary is how many bytes of memory a dictionary may take.
const maxDictionary = 64 << 20

// dictionaries are those of a file. It is safe for concurrent use once all messages are added.
type dictionaries struct {
	file     *file
	messages []dictionaryMessage

	mu     sync.Mutex
	loaded map[int64]dictionary // by ID, the one used last
}

// dictionaryMessage replaces the dictionary of an ID, or appends values to it.
type dictionaryMessage struct {
	message
	id    int64
	delta bool
}

type dictionary struct {
	last  int              // the number of its last message
	words *columnar.Vector // its values, and behind them a null
}

func (d *dictionaries) add(b *ipc.Batch, m message) {
	d.messages = append(d.messages, dictionaryMessage{message: m, id: b.Dictionary, delta: b.Delta})
}

// words returns the values of the dictionary of a part, as the first messages say, and a null behind
// them. They are read only.
func (d *dictionaries) words(p *part, known int) (*columnar.Vector, error) {
	id := p.Dictionary.ID
	last := known - 1
	for last >= 0 && d.messages[last].id != id {
		last--
	}
	first := last
	for first >= 0 && (d.messages[first].id != id || d.messages[first].delta) {
		first--
	}
	if last >= 0 && first < 0 {
		return nil, fmt.Errorf("the dictionary %d has no beginning", id)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if l, ok := d.loaded[id]; ok && l.last == last {
		return l.words, nil
	}
	words := columnar.NewVector(p.typ)
	if last >= 0 {
		for _, m := range d.messages[first : last+1] {
			if m.id == id {
				if err := d.load(words, p, m.message); err != nil {
					return nil, fmt.Errorf("dictionary %d: %w", id, err)
				}
			}
		}
	}
	words.AppendNull()
	if d.loaded == nil {
		d.loaded = make(map[int64]dictionary)
	}
	d.loaded[id] = dictionary{last, words}
	return words, nil
}

// load appends the values of a message, some at a time.
func (d *dictionaries) load(words *columnar.Vector, p *part, m message) error {
	b, err := d.file.bodyOf(m, 0)
	if err != nil {
		return err
	}
	r := newReading(valuesOf(p.Field))
	if err := r.goTo(b); err != nil {
		return err
	}
	for at := int64(0); at < r.length; at += maxRows {
		if err := r.take(at, min(maxRows, r.length-at)); err != nil {
			return err
		}
		if words.Size()+r.vector.Size() > maxDictionary {
			return &input.MissingError{
				What: fmt.Sprintf("its dictionary takes more than %d MiB of memory", maxDictionary>>20),
				Hint: "write the file without dictionaries, or as Parquet",
			}
		}
		words.AppendRange(r.vector, 0, r.vector.Len)
	}
	return nil
}

// indexed reads values whose positions in a dictionary are the items of the part.
func indexed(r *reading, at, n int64) (err error) {
	if r.words == nil {
		if r.words, err = r.body.file.dictionaries.words(r.part, r.body.known); err != nil {
			return err
		}
	}
	if err := r.items.take(at, n); err != nil {
		return err
	}
	positions, null := r.items.vector, int64(r.words.Len-1)
	r.sel = growTo(r.sel, int(n))
	for i, p := range positions.Ints {
		if positions.IsNull(i) {
			p = null
		} else if p < 0 || p >= null {
			return fmt.Errorf("position %d in a dictionary of %d values", p, null)
		}
		r.sel[i] = int32(p)
	}
	words := r.words
	if positions.Valid == nil { // then the null behind them is not needed
		if words = r.words.Slice(0, int(null)); !slices.Contains(words.Valid, false) {
			words.Valid = nil
		}
	}
	r.vector.Len, r.vector.Valid = 0, nil
	r.vector.AppendGather(words, r.sel)
	return nil
}
