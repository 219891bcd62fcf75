package envelope

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"unsafe"

	"github.com/klauspost/compress/s2"
	"pgregory.net/rapid"

	"analyzer/shuffle/broker"
)

var sample = Envelope{
	Job:  JobID{0: 0x01, 15: 0xfe},
	Node: 7, Input: 1, Replica: 3, Sender: StageSender(2, 4),
	Kind: Data, ID: 0x0102030405060708, Rows: 5,
}

func mustAppend(t testing.TB, e Envelope, body []byte) []byte {
	t.Helper()
	message, err := Append(nil, e, body)
	if err != nil {
		t.Fatal(err)
	}
	return message
}

// drawEnvelope draws an envelope and a body that a message can have.
func drawEnvelope(t *rapid.T) (Envelope, []byte) {
	number := rapid.OneOf(rapid.IntRange(0, 3), rapid.IntRange(0, MaxNumber))
	e := Envelope{
		Node:    number.Draw(t, "node"),
		Input:   number.Draw(t, "input"),
		Replica: number.Draw(t, "replica"),
		Sender:  ScanSender(number.Draw(t, "sender"), number.Draw(t, "sender replica")),
		Kind:    rapid.SampledFrom([]Kind{Data, End}).Draw(t, "kind"),
		ID:      rapid.Uint64().Draw(t, "id"),
	}
	copy(e.Job[:], rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "job"))
	if rapid.Bool().Draw(t, "stage") {
		e.Sender = StageSender(e.Sender.Number, e.Sender.Replica)
	}
	if e.Kind == End || rapid.Bool().Draw(t, "empty") {
		return e, []byte{}
	}
	e.Rows = rapid.IntRange(1, MaxRows).Draw(t, "rows")
	body := rapid.SliceOfN(rapid.Byte(), 1, 100).Draw(t, "body")
	return e, bytes.Repeat(body, rapid.SampledFrom([]int{1, leastCompressed}).Draw(t, "times"))
}

func TestMessagesComeBackAsTheyWere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e, body := drawEnvelope(t)
		before := rapid.SliceOfN(rapid.Byte(), 0, 10).Draw(t, "before")
		dst, err := Append(slices.Clone(before), e, body)
		if err != nil || !bytes.HasPrefix(dst, before) {
			t.Fatalf("%x before, %x after, %v", before, dst, err)
		}
		got, gotBody, err := Decode(dst[len(before):])
		if err != nil || got != e || !bytes.Equal(gotBody, body) {
			t.Fatalf("decoded %+v, %x, %v; sent %+v, %x", got, gotBody, err, e, body)
		}
	})
}

// Cut splits concatenated messages as they were joined, and leaves bytes that are no
// message for Decode to reject.
func TestMessagesAreCut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var all []byte
		var want [][]byte
		for range rapid.IntRange(0, 5).Draw(t, "messages") {
			e, body := drawEnvelope(t)
			message, err := Append(nil, e, body)
			if err != nil {
				t.Fatal(err)
			}
			want, all = append(want, message), append(all, message...)
		}
		if tail := rapid.SliceOfN(rapid.Byte(), 0, HeaderSize-1).Draw(t, "tail"); len(tail) > 0 {
			want, all = append(want, tail), append(all, tail...)
		}
		var got [][]byte
		for rest := all; len(rest) > 0; {
			var message []byte
			message, rest = Cut(rest)
			got = append(got, message)
		}
		if !slices.EqualFunc(got, want, bytes.Equal) {
			t.Fatalf("%x cut to %x, want %x", all, got, want)
		}
	})
	huge := mustAppend(t, sample, []byte("abc"))
	binary.LittleEndian.PutUint32(huge[sizeAt:], math.MaxUint32)
	if message, rest := Cut(huge); !bytes.Equal(message, huge) || len(rest) > 0 {
		t.Errorf("a size that is not there: %x and %x", message, rest)
	}
}

// Other versions of the program read this format, so these bytes must not change.
func TestBytesOfAMessage(t *testing.T) {
	want := "anxm\x02\x00\x01\x02" +
		"\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xfe" +
		"\x07\x00\x00\x00\x01\x00\x00\x00\x03\x00\x00\x00\x02\x00\x00\x00\x04\x00\x00\x00" +
		"\x03\x00\x00\x00" + "\x08\x07\x06\x05\x04\x03\x02\x01" + "\x05\x00\x00\x00\x00\x00\x00\x00"
	got := mustAppend(t, sample, []byte("abc"))
	if string(got[:hashAt]) != want || string(got[HeaderSize:]) != "abc" {
		t.Errorf("got %x, want %x, the hash, and abc", got, want)
	}
	if hash := binary.LittleEndian.Uint64(got[hashAt:]); hash != 0x70b5238230959d79 {
		t.Errorf("hash %#x", hash)
	}
}

// Decode shares the message's memory, and a body is aligned when the message is.
func TestABodyIsAPartOfTheMessage(t *testing.T) {
	message := mustAppend(t, sample, []byte("abc"))
	_, body, err := Decode(message)
	if err != nil {
		t.Fatal(err)
	}
	if &body[0] != &message[HeaderSize] || cap(body) != 3 || HeaderSize%8 != 0 {
		t.Errorf("body of capacity %d, header of %d bytes", cap(body), HeaderSize)
	}
}

// states returns so many bytes like a body of numbers whose upper halves are zero.
func states(n int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	var body []byte
	for len(body) < n {
		body = binary.LittleEndian.AppendUint64(body, uint64(r.Uint32N(1<<24)))
	}
	return body[:n]
}

// A compressed body comes back aligned; a body that is not worth compressing stays as it is.
func TestBodiesAreCompressed(t *testing.T) {
	noise := make([]byte, 4*leastCompressed)
	r := rand.NewChaCha8([32]byte{})
	_, _ = r.Read(noise)
	for name, c := range map[string]struct {
		body    []byte
		shorter bool
	}{
		"states":     {states(4 * leastCompressed), true},
		"the least":  {states(leastCompressed), true},
		"few bytes":  {states(leastCompressed - 1), false},
		"noise":      {noise, false},
		"all of one": {make([]byte, MaxBody), true},
	} {
		message := mustAppend(t, sample, c.body)
		if shorter := len(message) <= HeaderSize+len(c.body)*7/8; shorter != c.shorter {
			t.Errorf("%s: a body of %d bytes becomes a message of %d", name, len(c.body), len(message))
		}
		e, body, err := Decode(message)
		if err != nil || e != sample || !bytes.Equal(body, c.body) || uintptr(unsafe.Pointer(&body[0]))%8 != 0 {
			t.Errorf("%s: %v, %v", name, e, err)
		}
	}
}

// A body that is marked as compressed need not be, nor have the length that it claims.
func TestWhatCannotBeExpanded(t *testing.T) {
	for name, body := range map[string][]byte{
		"nothing":    nil,
		"no block":   []byte("abc"),
		"no end":     binary.AppendUvarint(nil, 2*leastCompressed),
		"no length":  bytes.Repeat([]byte{0xff}, 20),
		"too long":   s2.Encode(nil, make([]byte, MaxBody+1)),
		"very long":  binary.AppendUvarint(nil, math.MaxUint32),
		"too short":  s2.Encode(nil, make([]byte, leastCompressed-1)),
		"a part":     s2.Encode(nil, states(2*leastCompressed))[:leastCompressed],
		"zero bytes": s2.Encode(nil, nil),
	} {
		message := mustAppend(t, sample, append([]byte{1}, body...))
		message = append(message[:HeaderSize], body...)
		message[kindAt] |= compressed
		binary.LittleEndian.PutUint32(message[sizeAt:], uint32(len(body)))
		before := allocated()
		if _, _, err := Decode(signed(message)); !errors.Is(err, ErrMalformed) {
			t.Errorf("%s: %v", name, err)
		}
		if grown := allocated() - before; grown > 1<<20 {
			t.Errorf("%s: %d bytes were allocated", name, grown)
		}
	}
}

func allocated() uint64 {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.TotalAlloc
}

func TestEnvelopesNoMessageHas(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Envelope)
		body   []byte
		want   error
	}{
		"no kind":              {func(e *Envelope) { e.Kind = 0 }, []byte{1}, ErrInvalid},
		"unknown kind":         {func(e *Envelope) { e.Kind = 3 }, []byte{1}, ErrInvalid},
		"no sender":            {func(e *Envelope) { e.Sender = Sender{} }, []byte{1}, ErrInvalid},
		"unknown sender":       {func(e *Envelope) { e.Sender.Kind = 3 }, []byte{1}, ErrInvalid},
		"split of a scan":      {func(e *Envelope) { e.Sender.Kind = Scan }, []byte{1}, nil},
		"negative node":        {func(e *Envelope) { e.Node = -1 }, []byte{1}, ErrInvalid},
		"large input":          {func(e *Envelope) { e.Input = MaxNumber + 1 }, []byte{1}, ErrInvalid},
		"negative replica":     {func(e *Envelope) { e.Replica = -1 }, []byte{1}, ErrInvalid},
		"large sender":         {func(e *Envelope) { e.Sender.Number = MaxNumber + 1 }, []byte{1}, ErrInvalid},
		"negative sender":      {func(e *Envelope) { e.Sender.Replica = -1 }, []byte{1}, ErrInvalid},
		"negative rows":        {func(e *Envelope) { e.Rows = -1 }, []byte{1}, ErrInvalid},
		"many rows":            {func(e *Envelope) { e.Rows = MaxRows + 1 }, []byte{1}, ErrInvalid},
		"rows without a body":  {func(*Envelope) {}, nil, ErrInvalid},
		"a body without rows":  {func(e *Envelope) { e.Rows = 0 }, []byte{1}, ErrInvalid},
		"an end with a body":   {func(e *Envelope) { e.Kind, e.Rows = End, 0 }, []byte{1}, ErrInvalid},
		"an end with rows":     {func(e *Envelope) { e.Kind = End }, nil, ErrInvalid},
		"both":                 {func(e *Envelope) { e.Kind = End }, []byte{1}, ErrInvalid},
		"a body of one byte":   {func(*Envelope) {}, []byte{1}, nil},
		"a body of too many":   {func(*Envelope) {}, make([]byte, MaxBody+1), ErrTooLarge},
		"a body of enough":     {func(*Envelope) {}, make([]byte, MaxBody), nil},
		"the greatest numbers": {func(e *Envelope) { e.Node, e.Rows, e.ID = MaxNumber, MaxRows, math.MaxUint64 }, []byte{1}, nil},
	} {
		e := sample
		c.change(&e)
		got, err := Append([]byte("before"), e, c.body)
		if !errors.Is(err, c.want) || (c.want == nil) != (err == nil) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
		if err != nil && string(got) != "before" {
			t.Errorf("%s: %q is left", name, got)
		}
		if err == nil {
			if decoded, _, err := Decode(got[len("before"):]); err != nil || decoded != e {
				t.Errorf("%s: decoded %+v, %v", name, decoded, err)
			}
		}
	}
}

// signed gives a changed header a valid checksum.
func signed(message []byte) []byte {
	binary.LittleEndian.PutUint64(message[hashAt:], checksum(message[:hashAt], message[HeaderSize:]))
	return message
}

// A change of any field of a header is detected: by the checksum, and with a valid checksum
// by the field's own value.
func TestEveryCorruptedField(t *testing.T) {
	le := binary.LittleEndian
	body := []byte("abc")
	for name, c := range map[string]struct {
		change         func(message []byte)
		unsigned, sign error
	}{
		"magic":           {func(m []byte) { m[0]++ }, ErrMalformed, ErrMalformed},
		"end of magic":    {func(m []byte) { m[3]++ }, ErrMalformed, ErrMalformed},
		"version":         {func(m []byte) { m[4]++ }, ErrVersion, ErrVersion},
		"version 0":       {func(m []byte) { m[4] = 0 }, ErrVersion, ErrVersion},
		"high version":    {func(m []byte) { m[5]++ }, ErrVersion, ErrVersion},
		"kind":            {func(m []byte) { m[6] = 3 }, ErrCorrupt, ErrMalformed},
		"end with a body": {func(m []byte) { m[6] = byte(End) }, ErrCorrupt, ErrMalformed},
		"sender's kind":   {func(m []byte) { m[7] = 0 }, ErrCorrupt, ErrMalformed},
		"split of a scan": {func(m []byte) { m[7] = byte(Scan) }, ErrCorrupt, nil},
		"job":             {func(m []byte) { m[8]++ }, ErrCorrupt, nil},
		"node":            {func(m []byte) { m[24]++ }, ErrCorrupt, nil},
		"large node":      {func(m []byte) { m[27] = 0x80 }, ErrCorrupt, ErrMalformed},
		"input":           {func(m []byte) { m[28]++ }, ErrCorrupt, nil},
		"large input":     {func(m []byte) { m[31] = 0x80 }, ErrCorrupt, ErrMalformed},
		"replica":         {func(m []byte) { m[32]++ }, ErrCorrupt, nil},
		"large replica":   {func(m []byte) { m[35] = 0x80 }, ErrCorrupt, ErrMalformed},
		"sender":          {func(m []byte) { m[36]++ }, ErrCorrupt, nil},
		"large sender":    {func(m []byte) { m[39] = 0x80 }, ErrCorrupt, ErrMalformed},
		"sender replica":  {func(m []byte) { m[40]++ }, ErrCorrupt, nil},
		"large replica 2": {func(m []byte) { m[43] = 0x80 }, ErrCorrupt, ErrMalformed},
		"shorter body":    {func(m []byte) { m[44]-- }, ErrCorrupt, ErrMalformed},
		"longer body":     {func(m []byte) { m[44]++ }, ErrCorrupt, ErrMalformed},
		"huge body":       {func(m []byte) { m[47] = 0xff }, ErrCorrupt, ErrMalformed},
		"id":              {func(m []byte) { m[48]++ }, ErrCorrupt, nil},
		"rows":            {func(m []byte) { m[56]++ }, ErrCorrupt, nil},
		"no rows":         {func(m []byte) { m[56] = 0 }, ErrCorrupt, ErrMalformed},
		"many rows":       {func(m []byte) { le.PutUint64(m[56:], MaxRows+1) }, ErrCorrupt, ErrMalformed},
		"huge rows":       {func(m []byte) { m[63] = 0xff }, ErrCorrupt, ErrMalformed},
		"hash":            {func(m []byte) { m[64]++ }, ErrCorrupt, nil},
		"body":            {func(m []byte) { m[72]++ }, ErrCorrupt, nil},
	} {
		message := mustAppend(t, sample, body)
		c.change(message)
		if _, _, err := Decode(message); !errors.Is(err, c.unsigned) {
			t.Errorf("%s: %v, want %v", name, err, c.unsigned)
		}
		if _, _, err := Decode(signed(message)); !errors.Is(err, c.sign) || (c.sign == nil) != (err == nil) {
			t.Errorf("%s, with its checksum: %v, want %v", name, err, c.sign)
		}
	}
}

func TestEveryFlippedBitIsFound(t *testing.T) {
	everyFlippedBitIsFound(t, mustAppend(t, sample, []byte("some body")))
	everyFlippedBitIsFound(t, mustAppend(t, sample, make([]byte, leastCompressed)))
}

func everyFlippedBitIsFound(t *testing.T, message []byte) {
	for bit := range 8 * len(message) {
		message[bit/8] ^= 1 << (bit % 8)
		if e, _, err := Decode(message); err == nil || e != (Envelope{}) {
			t.Errorf("bit %d: %v, %v", bit, e, err)
		}
		message[bit/8] ^= 1 << (bit % 8)
	}
}

func TestAnotherLengthIsFound(t *testing.T) {
	message := mustAppend(t, sample, []byte("some body"))
	for n := range message {
		want := ErrCorrupt
		if n < HeaderSize {
			want = ErrMalformed
		}
		if _, _, err := Decode(message[:n]); !errors.Is(err, want) {
			t.Errorf("cut to %d bytes: %v", n, err)
		}
		if n > HeaderSize {
			if _, _, err := Decode(signed(bytes.Clone(message[:n]))); !errors.Is(err, ErrMalformed) {
				t.Errorf("cut to %d bytes, with its checksum: %v", n, err)
			}
		}
	}
	longer := append(bytes.Clone(message), 0)
	if _, _, err := Decode(longer); !errors.Is(err, ErrCorrupt) {
		t.Errorf("longer: %v", err)
	}
	if _, _, err := Decode(signed(longer)); !errors.Is(err, ErrMalformed) {
		t.Errorf("longer, with its checksum: %v", err)
	}
	if _, _, err := Decode(make([]byte, broker.MaxMessage+1)); !errors.Is(err, ErrTooLarge) {
		t.Errorf("too long: %v", err)
	}
}

func TestNothingIsAllocated(t *testing.T) {
	body := make([]byte, 1000)
	message := mustAppend(t, sample, body)
	if n := testing.AllocsPerRun(100, func() {
		if _, err := Append(message[:0], sample, body); err != nil {
			t.Fatal(err)
		}
		if _, _, err := Decode(message); err != nil {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestWhatAnEnvelopeSays(t *testing.T) {
	if got, want := sample.String(), "id 72623859790382856 from stage2.4 to node 7 input 1 replica 3 of job 010000000000000000000000000000fe"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	end := Envelope{Kind: End, ID: 9, Sender: ScanSender(3, 1)}
	if got, want := end.String(), "end of 9 from scan3.1 to node 0 input 0 replica 0 of job 00000000000000000000000000000000"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
