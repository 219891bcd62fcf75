package answers

import (
	"io"

	"analyzer/columnar"
	"analyzer/columnar/ipc"
)

// arrowEncoder writes one answer in Arrow's IPC format.
type arrowEncoder struct {
	ended
	out    io.Writer
	stream bool // the stream format, else the file format
	w      *ipc.Writer
}

// arrowBuffer is roughly how many bytes of an answer are written at once.
const arrowBuffer = 64 << 10

func (e *arrowEncoder) begin(_ string, columns columnar.Schema) (err error) {
	e.w, err = ipc.NewWriter(e.out, columns, ipc.Layout{Stream: e.stream, Public: true}, arrowBuffer)
	return err
}

func (e *arrowEncoder) write(rows columnar.Rows) error {
	_, err := e.w.Write(rows)
	return err
}

func (e *arrowEncoder) end() error { return e.w.Close() }
