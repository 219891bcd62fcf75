package gateway

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow/go/v17/arrow/flight"
	"google.golang.org/grpc/encoding"
	_ "google.golang.org/grpc/encoding/proto" // registers the codec that boundedCodec hands on to
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"analyzer/compose/cluster/protocol"
)

// boundedCodec decodes untrusted messages. A protocol buffer can take several times its
// size in memory: each empty text of a list takes 2 bytes in the message and 16 in
// memory. Here no long message takes much more memory than its size.
type boundedCodec struct{ encoding.CodecV2 }

func newCodec() boundedCodec { return boundedCodec{encoding.GetCodecV2("proto")} }

const (
	maxDescriptor = 64 << 10
	maxHeader     = 256 << 10 // of Arrow metadata
)

// Unmarshal decodes a message. It decodes FlightData itself, since only those may be long.
func (c boundedCodec) Unmarshal(data mem.BufferSlice, v any) error {
	d, ok := v.(*flight.FlightData)
	if !ok {
		if n := data.Len(); n > protocol.MaxRequest+maxDescriptor {
			return fmt.Errorf("a request of %d bytes; %d are possible", n, protocol.MaxRequest)
		}
		return c.CodecV2.Unmarshal(data, v)
	}
	return parseFlightData(data, d)
}

// Fields of FlightData in Flight.proto.
const (
	descriptorField = 1
	headerField     = 2
	metadataField   = 3
	bodyField       = 1000
)

// parseFlightData decodes a FlightData. It copies the fields that it keeps.
func parseFlightData(data mem.BufferSlice, d *flight.FlightData) error {
	r := data.Reader()
	defer func() { _ = r.Close() }() // returns the buffers; cannot fail
	for r.Remaining() > 0 {
		tag, err := binary.ReadUvarint(r)
		if err != nil {
			return fmt.Errorf("read a FlightData: %w", err)
		}
		field, kind := protowire.DecodeTag(tag)
		if kind != protowire.BytesType || !field.IsValid() {
			return fmt.Errorf("field %d of a FlightData is of wire type %d", field, kind)
		}
		n, err := binary.ReadUvarint(r)
		if err == nil && n > uint64(r.Remaining()) {
			err = io.ErrUnexpectedEOF
		}
		if err == nil {
			err = readField(d, field, r, int(n))
		}
		if err != nil {
			return fmt.Errorf("read field %d of a FlightData: %w", field, err)
		}
	}
	return nil
}

// readField reads a field of n bytes. The caller has checked that r has as many.
func readField(d *flight.FlightData, field protowire.Number, r *mem.Reader, n int) (err error) {
	switch field {
	case descriptorField:
		if n > maxDescriptor || d.FlightDescriptor != nil {
			return errors.New("the descriptor is too long, or there are two")
		}
		text, err := readBytes(r, n)
		if err != nil {
			return err
		}
		d.FlightDescriptor = new(flight.FlightDescriptor)
		return proto.Unmarshal(text, d.FlightDescriptor)
	case headerField:
		if n > maxHeader {
			return fmt.Errorf("an Arrow header of %d bytes; %d are possible", n, maxHeader)
		}
		d.DataHeader, err = readBytes(r, n)
	case metadataField:
		if n > maxDescriptor {
			return fmt.Errorf("application metadata of %d bytes; %d are possible", n, maxDescriptor)
		}
		d.AppMetadata, err = readBytes(r, n)
	case bodyField:
		d.DataBody, err = readBytes(r, n)
	default:
		_, err = io.CopyN(io.Discard, r, int64(n))
	}
	return err
}

func readBytes(r *mem.Reader, n int) ([]byte, error) {
	out := make([]byte, n)
	_, err := io.ReadFull(r, out)
	return out, err
}
