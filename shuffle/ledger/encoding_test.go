package ledger

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"analyzer/shuffle/envelope"
)

// Other versions of the program read this format, so these bytes must not change.
func TestBytesOfALedger(t *testing.T) {
	l := newLedger(t, ports)
	record(t, l, 0, scan, 1, 0, 2)
	end(t, l, 0, scan, 300)
	record(t, l, 1, right, 3)
	want := "\x01" + "\xe0\x2f\xfb\x17\x22\x8e\x8d\x98" + // hash of the ports
		"\x01\xac\x02\x03" + // ends at 300, 3 seen
		"\x00\x00" + // nothing
		"\x02\x12" + // 18 bytes of bitmap
		"\x3a\x30\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x10\x00\x00\x00\x03\x00"
	if got := marshal(t, l); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// withHeader puts the header of a ledger in front of bytes.
func withHeader(l *Ledger, rest string) []byte {
	return append(binary.LittleEndian.AppendUint64([]byte{version}, l.fingerprint), rest...)
}

func TestWhatIsNoLedger(t *testing.T) {
	one := []Port{{Node: 1, Senders: []envelope.Sender{scan}}}
	l := newLedger(t, one)
	record(t, l, 0, scan, 5)
	before := marshal(t, l)
	bitmap := func(ids ...uint32) string {
		b, err := roaring.BitmapOf(ids...).ToBytes()
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	runs := func() string { // 0 to 99 without their runs optimised, and 101
		b := roaring.New()
		for id := range uint32(100) {
			b.Add(id)
		}
		b.Add(101)
		data, err := b.ToBytes()
		if err != nil {
			t.Fatal(err)
		}
		return "\x02" + string(binary.AppendUvarint(nil, uint64(len(data)))) + string(data)
	}()
	for name, c := range map[string]struct {
		data []byte
		want error
	}{
		"nothing":             {nil, ErrMalformed},
		"a header cut":        {withHeader(l, "")[:8], ErrMalformed},
		"another version":     {append([]byte{2}, before[1:]...), ErrMalformed},
		"other ports":         {[]byte(marshal(t, newLedger(t, ports))), ErrPorts},
		"no sender":           {withHeader(l, ""), ErrMalformed},
		"no count":            {withHeader(l, "\x00"), ErrMalformed},
		"unknown flags":       {withHeader(l, "\x04\x00"), ErrMalformed},
		"trailing bytes":      {withHeader(l, "\x00\x00\x00"), ErrMalformed},
		"a long number":       {withHeader(l, "\x00\x83\x00"), ErrMalformed},
		"a huge number":       {withHeader(l, "\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), ErrMalformed},
		"an endless number":   {withHeader(l, "\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"), ErrMalformed},
		"more than the end":   {withHeader(l, "\x01\x02\x03"), ErrMalformed},
		"beyond the end":      {withHeader(l, "\x03\x03\x12"+bitmap(3)), ErrMalformed},
		"a bitmap cut":        {withHeader(l, "\x02\x12"+bitmap(3)[:17]), ErrMalformed},
		"a bitmap too long":   {withHeader(l, "\x02\x13"+bitmap(3)+"\x00"), ErrMalformed},
		"no bitmap":           {withHeader(l, "\x02\x04abcd"), ErrMalformed},
		"an empty bitmap":     {withHeader(l, "\x02\x08"+bitmap()), ErrMalformed},
		"a bitmap, no gaps":   {withHeader(l, "\x02\x12"+bitmap(0)), ErrMalformed},
		"falling ids":         {withHeader(l, "\x02\x14"+bitmap(3, 5)[:16]+"\x05\x00\x03\x00"), ErrMalformed},
		"ids too large":       {withHeader(l, "\x02\x12"+bitmap(MaxMessages)), ErrMalformed},
		"runs not optimised":  {withHeader(l, runs), ErrMalformed},
		"gaps below the end":  {withHeader(l, "\x03\x04\x12"+bitmap(3)), nil},
		"all up to the end":   {withHeader(l, "\x01\x04\x04"), nil},
		"all of the greatest": {withHeader(l, "\x01\x80\x80\x80\x80\x04\x80\x80\x80\x80\x04"), nil},
	} {
		err := l.UnmarshalBinary(c.data)
		if !errors.Is(err, c.want) || (c.want == nil) != (err == nil) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
		if err != nil && marshal(t, l) != before {
			t.Errorf("%s: the ledger has changed", name)
		}
		if err == nil {
			if got := marshal(t, l); got != string(c.data) {
				t.Errorf("%s: it is written as %x", name, got)
			}
			l = newLedger(t, one)
			record(t, l, 0, scan, 5)
		}
	}
}

// Ports that differ in anything differ in their fingerprint.
func TestFingerprints(t *testing.T) {
	seen := map[uint64]int{}
	for i, p := range [][]Port{
		nil,
		{},
		ports,
		ports[:1],
		{ports[1], ports[0]},
		{{Node: 3, Senders: []envelope.Sender{left}}},
		{{Node: 3, Input: 1, Senders: ports[0].Senders}, {Node: 3, Senders: ports[1].Senders}},
		{ports[0], {Node: 3, Input: 1, Senders: []envelope.Sender{right, left}}},
		{ports[0], {Node: 3, Input: 1, Senders: []envelope.Sender{left, envelope.StageSender(2, 1)}}},
	} {
		f := fingerprint(p)
		if j, ok := seen[f]; ok && i != 1 {
			t.Errorf("ports %d and %d have the same", i, j)
		}
		seen[f] = i
	}
}

// Few bytes may encode many messages, but must not take much memory.
func TestReadingAllocatesLittle(t *testing.T) {
	const greatest = "\x80\x80\x80\x80\x04"
	l := newLedger(t, ports)
	data := withHeader(l, strings.Repeat("\x01"+greatest+greatest, 3))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := l.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 16<<20 {
		t.Errorf("%d bytes were allocated", grown)
	}
}

// FuzzUnmarshalBinary checks that no bytes make reading panic, and that whatever
// is read is written as the same bytes.
func FuzzUnmarshalBinary(f *testing.F) {
	l := newLedger(f, ports)
	f.Add([]byte(marshal(f, l)), false)
	record(f, l, 0, scan, 0, 1, 2)
	end(f, l, 0, scan, 3)
	f.Add([]byte(marshal(f, l)), false)
	record(f, l, 1, left, 2, 3, 4, 5, 6, 7, 8, 70_000)
	record(f, l, 1, right, keep(rand.New(rand.NewPCG(1, 3)), shuffled(rand.New(rand.NewPCG(1, 1)), 9000))...)
	f.Add([]byte(marshal(f, l))[headerSize:], true)
	f.Fuzz(func(t *testing.T, data []byte, header bool) {
		l := newLedger(t, ports)
		if header {
			data = withHeader(l, string(data))
		}
		err := l.UnmarshalBinary(data)
		if err != nil {
			if !errors.Is(err, ErrMalformed) && !errors.Is(err, ErrPorts) {
				t.Fatal(err)
			}
			return
		}
		if got := marshal(t, l); got != string(data) {
			t.Fatalf("%x is written as %x", data, got)
		}
		for port := range ports {
			if missing := l.Missing(port, 1); l.Complete(port) != (len(missing) == 0) {
				t.Fatalf("complete: %t, missing %v", l.Complete(port), missing)
			}
		}
	})
}
