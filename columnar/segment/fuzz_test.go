package segment

import (
	"runtime"
	"slices"
	"strings"
	"testing"

	"analyzer/columnar/frame"
)

// FuzzSegment flips bits of a valid segment, cuts it, and reads it.
func FuzzSegment(f *testing.F) {
	f.Add(uint16(0), uint64(0), uint64(0))
	f.Add(uint16(1), uint64(1000), uint64(0xff00))
	f.Add(uint16(0), uint64(2000), uint64(1))
	s := newSample(f)
	f.Fuzz(func(t *testing.T, cut uint16, at, flip uint64) {
		data := slices.Clone(s.data)
		data = data[:max(0, len(data)-int(cut))]
		for i := range 8 {
			if len(data) > 0 {
				data[(at+uint64(i))%uint64(len(data))] ^= byte(flip >> (8 * i))
			}
		}
		before := allocated()
		s.check(t, data)
		if grown := allocated() - before; grown > 4<<20 {
			t.Errorf("%d bytes were allocated to read %d", grown, len(data))
		}
	})
}

func allocated() uint64 {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.TotalAlloc
}

// FuzzManifest decodes arbitrary bytes, alone and inside valid frames.
func FuzzManifest(f *testing.F) {
	s := newSample(f)
	s.segment.Path = "/dir/" + segmentName(3)
	m := &manifest{Version: manifestVersion, Generation: 7, Next: 4, Segments: []*Segment{s.segment}, payload: []byte("ledger")}
	data, err := m.encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data, false)
	f.Add(data[:len(data)-3], false)
	f.Add([]byte(`{"version":1,"next":1,"segments":[{"path":"segment-00000000.arrow","size":9,"schema":[{"name":"a","type":"int"}],"blocks":[{"length":9}]}]}`), true)
	f.Add([]byte(`{"version":1,"segments":[null]}`), true)
	f.Add([]byte(`{"version":1,"next":9,"segments":[{"path":"../x"}]}`), true)
	f.Fuzz(func(t *testing.T, data []byte, wrap bool) {
		if wrap {
			data = frame.Append(frame.Append(nil, data), nil)
		}
		m, err := decodeManifest(data, "/dir")
		if err != nil {
			return
		}
		for _, segment := range m.Segments {
			if !strings.HasPrefix(segment.Path, "/dir/segment-") || strings.Contains(segment.Path[5:], "/") {
				t.Fatalf("segment at %s", segment.Path)
			}
			for _, block := range segment.Blocks {
				if block.Offset < 0 || block.Length < 0 || block.Offset+block.Length > segment.Size {
					t.Fatalf("block %+v of %d bytes", block, segment.Size)
				}
			}
		}
		encoded, err := m.encode()
		if err != nil {
			t.Fatal(err)
		}
		again, err := decodeManifest(encoded, "/dir")
		if err != nil {
			t.Fatalf("decode what was encoded: %v", err)
		}
		if twice, err := again.encode(); err != nil || string(twice) != string(encoded) {
			t.Fatalf("encoded %s, then %s, %v", encoded, twice, err)
		}
	})
}
