package client

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow/flight"
	"google.golang.org/grpc/encoding"
	_ "google.golang.org/grpc/encoding/proto" // registers the codec that uncopied delegates to
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/encoding/protowire"
)

// uncopied passes the bodies of batches to the connection without copying them, and encodes
// everything else as gRPC does. So a body must not change before the connection is done with
// it: see stream.settle.
type uncopied struct{ encoding.CodecV2 }

func newCodec() uncopied { return uncopied{encoding.GetCodecV2("proto")} }

// bodyField is the number of FlightData's body in Flight.proto.
const bodyField = 1000

// Marshal returns a message in parts; the last one is the body, not copied.
func (c uncopied) Marshal(v any) (mem.BufferSlice, error) {
	d, ok := v.(*flight.FlightData)
	if !ok || len(d.DataBody) == 0 {
		return c.CodecV2.Marshal(v)
	}
	before, err := c.CodecV2.Marshal(&flight.FlightData{FlightDescriptor: d.FlightDescriptor, DataHeader: d.DataHeader, AppMetadata: d.AppMetadata})
	if err != nil {
		return nil, fmt.Errorf("write what is before the body of a batch: %w", err)
	}
	tag := protowire.AppendVarint(protowire.AppendTag(nil, bodyField, protowire.BytesType), uint64(len(d.DataBody)))
	return append(before, mem.SliceBuffer(tag), mem.SliceBuffer(d.DataBody)), nil
}
