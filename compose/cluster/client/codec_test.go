package client

import (
	"bytes"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/flight"
	"google.golang.org/protobuf/proto"
)

// TestUncopied: what is sent is a message as others write it, with the body where it lay.
func TestUncopied(t *testing.T) {
	body := bytes.Repeat([]byte("body"), 1000)
	for _, d := range []*flight.FlightData{
		{},
		{DataHeader: []byte("header")},
		{DataBody: body[:1]},
		{DataBody: body},
		{
			FlightDescriptor: &flight.FlightDescriptor{Type: flight.DescriptorCMD, Cmd: []byte("put")},
			DataHeader:       []byte("header"), AppMetadata: []byte{7}, DataBody: body,
		},
	} {
		parts, err := newCodec().Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		var got flight.FlightData
		if err := proto.Unmarshal(parts.Materialize(), &got); err != nil || !proto.Equal(&got, d) {
			t.Errorf("%v became %v, %v", d, &got, err)
		}
		if n := len(parts); len(d.DataBody) > 0 && &parts[n-1].ReadOnlyData()[0] != &d.DataBody[0] {
			t.Errorf("the body of %d bytes was copied", len(d.DataBody))
		}
	}
}

// TestRoomOfWhatWasAcknowledged: bytes are used again once the only call that has them has
// sent them all.
func TestRoomOfWhatWasAcknowledged(t *testing.T) {
	once, twice := make([]byte, 10), make([]byte, 20)
	s := &stream{
		free: make(chan []byte, window), acked: func(uint64) {},
		unacked: []batch{{number: 1, message: once, calls: 1}, {number: 2, message: twice, calls: 2}, {number: 3, calls: 1}},
	}
	for _, number := range []uint64{3, 2, 1} {
		if !s.settle(number) {
			t.Errorf("batch %d was not sent", number)
		}
	}
	if room := s.room(); cap(room) != 10 || len(room) != 0 {
		t.Errorf("room for %d bytes, want that of the batch that was sent once", cap(room))
	}
	if room := s.room(); room != nil {
		t.Errorf("room for %d bytes of a batch that an earlier call may still send", cap(room))
	}
}
