package gateway

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/apache/arrow/go/v17/arrow/flight"
	"google.golang.org/grpc/encoding"
	_ "google.golang.org/grpc/encoding/proto" // registers the codec that boundedCodec hands on to
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"analyzer/compose/door"
)

// boundedCodec reads messages whose bytes are not trusted. A protocol buffer can
// take a multiple of its bytes in memory, as a list of empty texts takes sixteen
// for each two; here none takes more than a little over what came.
type boundedCodec struct{ encoding.CodecV2 }

func newCodec() boundedCodec { return boundedCodec{encoding.GetCodecV2("proto")} }

const (
	maxDescriptor = 64 << 10
	maxHeader     = 1 << 20 // of Arrow metadata
)

// Unmarshal reads a message. FlightData is read here, since it alone may be long.
func (c boundedCodec) Unmarshal(data mem.BufferSlice, v any) error {
	d, ok := v.(*flight.FlightData)
	if !ok {
		if n := data.Len(); n > door.MaxRequest+maxDescriptor {
			return fmt.Errorf("a request of %d bytes; %d are possible", n, door.MaxRequest)
		}
		return c.CodecV2.Unmarshal(data, v)
	}
	buf := data.MaterializeToBuffer(mem.DefaultBufferPool())
	defer buf.Free()
	return parseFlightData(buf.ReadOnlyData(), d)
}

// Fields of FlightData in Flight.proto.
const (
	descriptorField = 1
	headerField     = 2
	metadataField   = 3
	bodyField       = 1000
)

// parseFlightData copies what it keeps.
func parseFlightData(data []byte, d *flight.FlightData) error {
	for len(data) > 0 {
		field, kind, n := protowire.ConsumeTag(data)
		if n < 0 {
			return protowire.ParseError(n)
		}
		data = data[n:]
		if kind != protowire.BytesType || !field.IsValid() {
			return fmt.Errorf("field %d of a FlightData is of wire type %d", field, kind)
		}
		value, n := protowire.ConsumeBytes(data)
		if n < 0 {
			return protowire.ParseError(n)
		}
		data = data[n:]
		if err := setField(d, field, value); err != nil {
			return err
		}
	}
	return nil
}

func setField(d *flight.FlightData, field protowire.Number, value []byte) error {
	switch field {
	case descriptorField:
		if len(value) > maxDescriptor || d.FlightDescriptor != nil {
			return errors.New("the descriptor is too long, or there are two")
		}
		d.FlightDescriptor = new(flight.FlightDescriptor)
		return proto.Unmarshal(value, d.FlightDescriptor)
	case headerField:
		if len(value) > maxHeader {
			return fmt.Errorf("an Arrow header of %d bytes; %d are possible", len(value), maxHeader)
		}
		d.DataHeader = bytes.Clone(value)
	case metadataField:
		if len(value) > maxDescriptor {
			return fmt.Errorf("application metadata of %d bytes; %d are possible", len(value), maxDescriptor)
		}
		d.AppMetadata = bytes.Clone(value)
	case bodyField:
		d.DataBody = bytes.Clone(value)
	}
	return nil
}
