package ngram

import (
	"encoding/binary"
	"errors"
	"os"
	"reflect"
	"slices"
	"testing"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/zstd"
	"pgregory.net/rapid"
)

// small is a model with one n-gram of each kind.
func small() *Model {
	return &Model{
		Languages: []string{"de", "en", "fr"},
		Letters:   []Range{{'a', 'z'}, {'à', 'ÿ'}},
		Keys:      []Key{Inside.Of('a'<<24 | 'b'<<16 | 'c'<<8 | 'd'), Prefix.Of(1), Suffix.Of(0xffffffff), Whole.Of('a' << 24)},
		Counts:    []byte{1, 3, 2, 1},
		Spoken:    []byte{1, 0, 1, 2, 0, 2, 1},
		Points:    []byte{0, 255, 1, 2, 3, 4, 5},
		Base:      53,
	}
}

// draw draws a model that can be encoded.
func draw(t *rapid.T) *Model {
	m := &Model{Base: rapid.Uint16Range(1, maxPoints-0xff).Draw(t, "base")}
	m.Languages = rapid.SliceOfNDistinct(rapid.StringMatching("[a-z]{2}"), 1, maxLanguages, rapid.ID).Draw(t, "languages")
	slices.Sort(m.Languages)
	end := rune(0)
	for range rapid.IntRange(0, 5).Draw(t, "ranges") {
		first := end + rune(rapid.IntRange(0, 1000).Draw(t, "gap"))
		end = first + rune(rapid.IntRange(1, 1000).Draw(t, "length"))
		m.Letters = append(m.Letters, Range{first, end - 1})
	}
	keys := rapid.SliceOfDistinct(rapid.Uint64Range(1, uint64(kinds.Of(0))-1), rapid.ID).Draw(t, "keys")
	slices.Sort(keys)
	languages := make([]byte, len(m.Languages))
	for l := range languages {
		languages[l] = byte(l)
	}
	for _, k := range keys {
		spoken := rapid.SliceOfNDistinct(rapid.SampledFrom(languages), 1, min(len(languages), maxSpoken), rapid.ID).Draw(t, "spoken")
		slices.Sort(spoken)
		m.Keys = append(m.Keys, Key(k))
		m.Counts = append(m.Counts, byte(len(spoken)))
		m.Spoken = append(m.Spoken, spoken...)
		for range spoken {
			m.Points = append(m.Points, rapid.Byte().Draw(t, "points"))
		}
	}
	return m
}

// same compares models; an empty column is the same as none.
func same(a, b *Model) bool {
	return a.Base == b.Base && slices.Equal(a.Languages, b.Languages) && slices.Equal(a.Letters, b.Letters) &&
		slices.Equal(a.Keys, b.Keys) && slices.Equal(a.Counts, b.Counts) && slices.Equal(a.Spoken, b.Spoken) && slices.Equal(a.Points, b.Points)
}

func TestDecodeReadsWhatEncodeWrote(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := draw(t)
		file, err := Encode(m)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Decode(file)
		if err != nil {
			t.Fatal(err)
		}
		if !same(got, m) {
			t.Fatalf("got %+v, want %+v", got, m)
		}
	})
}

func TestTableAnswersLikeTheModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := draw(t)
		checkTable(t, m)
		table := NewTable(m)
		for range 20 {
			k := Key(rapid.Uint64Range(1, uint64(kinds.Of(0))-1).Draw(t, "other key"))
			if _, ok := slices.BinarySearch(m.Keys, k); !ok && table.Find(k) != -1 {
				t.Fatalf("found %#x", uint64(k))
			}
		}
	})
}

// checkTable looks up every n-gram of a model.
func checkTable(t interface{ Fatalf(string, ...any) }, m *Model) {
	table := NewTable(m)
	at := 0
	for i, k := range m.Keys {
		var want, got Scores
		for range m.Counts[i] {
			want[m.Spoken[at]] = uint32(m.Points[at]) + uint32(m.Base)
			at++
		}
		slot := table.Find(k)
		if slot < 0 {
			t.Fatalf("n-gram %#x is missing", uint64(k))
		}
		table.Add(&got, slot)
		if got != want {
			t.Fatalf("n-gram %#x has %v, want %v", uint64(k), got, want)
		}
	}
}

// TestEmbeddedModel checks the file that is part of the binary.
func TestEmbeddedModel(t *testing.T) {
	file, err := os.ReadFile("../../ngrams.bin")
	if err != nil {
		t.Fatal(err)
	}
	m, err := Decode(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Languages) != 60 || len(m.Keys) != 245129 || len(m.Points) != 400593 {
		t.Errorf("%d languages, %d n-grams, %d scores", len(m.Languages), len(m.Keys), len(m.Points))
	}
	checkTable(t, m)
	again, err := Encode(m)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Decode(again); err != nil || !same(got, m) {
		t.Errorf("encoding it again changes it: %v", err)
	}
}

func TestEncodeRefuses(t *testing.T) {
	for name, spoil := range map[string]func(*Model){
		"no languages":        func(m *Model) { m.Languages = nil },
		"too many languages":  func(m *Model) { m.Languages = slices.Repeat([]string{"de"}, maxLanguages+1) },
		"languages unordered": func(m *Model) { m.Languages = []string{"fr", "en", "de"} },
		"long code":           func(m *Model) { m.Languages[0] = "deu" },
		"base zero":           func(m *Model) { m.Base = 0 },
		"base too large":      func(m *Model) { m.Base = maxPoints },
		"letters overlap":     func(m *Model) { m.Letters[1].First = 'z' },
		"letters backwards":   func(m *Model) { m.Letters[0].Last = 'A' },
		"letter too large":    func(m *Model) { m.Letters[1].Last = 0x110000 },
		"key zero":            func(m *Model) { m.Keys[0] = 0 },
		"key of no kind":      func(m *Model) { m.Keys[3] = kinds.Of(0) },
		"keys equal":          func(m *Model) { m.Keys[1] = m.Keys[0] },
		"count missing":       func(m *Model) { m.Counts = m.Counts[1:] },
		"count zero":          func(m *Model) { m.Counts[0] = 0 },
		"count too large":     func(m *Model) { m.Counts[0] = maxSpoken + 1 },
		"counts past the end": func(m *Model) { m.Counts[3] = 3 },
		"scores left":         func(m *Model) { m.Counts[2] = 1 },
		"points missing":      func(m *Model) { m.Points = m.Points[1:] },
		"unknown language":    func(m *Model) { m.Spoken[0] = 3 },
		"language twice":      func(m *Model) { m.Spoken[2] = 0 },
		"too many scores": func(m *Model) {
			m.Spoken, m.Points = make([]byte, maxScores+1), make([]byte, maxScores+1)
		},
	} {
		m := small()
		spoil(m)
		if file, err := Encode(m); err == nil || file != nil {
			t.Errorf("%s: encoded", name)
		}
	}
	if _, err := Encode(small()); err != nil {
		t.Errorf("unspoiled: %v", err)
	}
}

// seal makes a file of a body, however wrong it is.
func seal(t testing.TB, body []byte) []byte {
	t.Helper()
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	file := z.EncodeAll(body, []byte(magic))
	return binary.LittleEndian.AppendUint64(file, xxhash.Sum64(file))
}

// unseal returns the body of a good file.
func unseal(t testing.TB, file []byte) []byte {
	t.Helper()
	z, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	body, err := z.DecodeAll(file[len(magic):len(file)-8], nil)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

func TestDecodeRefusesDamage(t *testing.T) {
	file, err := Encode(small())
	if err != nil {
		t.Fatal(err)
	}
	for i := range file {
		for bit := range 8 {
			bad := slices.Clone(file)
			bad[i] ^= 1 << bit
			refuse(t, "flipped bit", bad)
		}
		refuse(t, "cut", file[:i])
	}
	refuse(t, "more", append(slices.Clone(file), 0))
	body := unseal(t, file)
	for i := range body {
		refuse(t, "cut body", seal(t, body[:i]))
	}
	refuse(t, "longer body", seal(t, append(slices.Clone(body), 0)))
	refuse(t, "bomb", seal(t, make([]byte, maxBody+1)))
	if m, err := Decode(seal(t, body)); err != nil || !reflect.DeepEqual(m, small()) {
		t.Errorf("undamaged: %+v, %v", m, err)
	}
}

// refuse fails unless decoding says that the file is corrupt.
func refuse(t *testing.T, what string, file []byte) {
	t.Helper()
	if m, err := Decode(file); m != nil || !errors.Is(err, ErrCorrupt) {
		t.Errorf("%s: got %+v, %v", what, m, err)
	}
}

// FuzzDecode: a body is refused, or is a model that a table can be made of.
func FuzzDecode(f *testing.F) {
	file, err := Encode(small())
	if err != nil {
		f.Fatal(err)
	}
	body := unseal(f, file)
	f.Add(body)
	for i := range body {
		f.Add(body[:i])
		flipped := slices.Clone(body)
		flipped[i] ^= 0xff
		f.Add(flipped)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		m, err := decodeBody(body)
		if err != nil {
			if m != nil || !errors.Is(err, ErrCorrupt) {
				t.Fatalf("got %+v, %v", m, err)
			}
			return
		}
		checkTable(t, m)
		if file, err := Encode(m); err != nil {
			t.Fatal(err)
		} else if got, err := Decode(file); err != nil || !same(got, m) {
			t.Fatalf("got %+v, %v, want %+v", got, err, m)
		}
	})
}
