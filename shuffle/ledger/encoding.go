package ledger

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/cespare/xxhash/v2"
)

var (
	// ErrMalformed is wrapped by the error of bytes that do not encode a ledger.
	ErrMalformed = errors.New("malformed ledger")

	// ErrPorts is wrapped by the error of a ledger of other ports.
	ErrPorts = errors.New("ledger of other ports")
)

const (
	version    = 1
	headerSize = 1 + 8

	flagEnded = 1
	flagGaps  = 2
)

// MarshalBinary returns the ledger's encoding. It returns no error.
func (l *Ledger) MarshalBinary() ([]byte, error) {
	dst := []byte{version}
	dst = binary.LittleEndian.AppendUint64(dst, l.fingerprint)
	for i := range l.ports {
		for j := range l.ports[i].streams {
			dst = l.ports[i].streams[j].append(dst)
		}
	}
	return dst, nil
}

func (s *stream) append(dst []byte) []byte {
	gaps := s.gaps()
	flags := byte(0)
	if s.ended {
		flags |= flagEnded
	}
	if gaps {
		flags |= flagGaps
	}
	dst = append(dst, flags)
	if s.ended {
		dst = binary.AppendUvarint(dst, s.n)
	}
	if !gaps {
		return binary.AppendUvarint(dst, s.count)
	}
	s.seen.RunOptimize()
	dst = binary.AppendUvarint(dst, s.seen.GetSerializedSizeInBytes())
	out := bytes.NewBuffer(dst)
	// A bytes.Buffer returns no error.
	_, _ = s.seen.WriteTo(out)
	return out.Bytes()
}

// UnmarshalBinary replaces the contents of the ledger by those that data encodes, which
// must be of a ledger of the same ports. Errors wrap ErrMalformed or ErrPorts, and leave
// the ledger as it was.
func (l *Ledger) UnmarshalBinary(data []byte) error {
	if len(data) < headerSize || data[0] != version {
		return fmt.Errorf("%w: it does not begin as one of version %d", ErrMalformed, version)
	}
	if binary.LittleEndian.Uint64(data[1:]) != l.fingerprint {
		return ErrPorts
	}
	read := Ledger{ports: make([]port, len(l.ports)), fingerprint: l.fingerprint}
	rest := data[headerSize:]
	for i, p := range l.ports {
		p.streams = newStreams(len(p.Senders))
		read.ports[i] = p
		for j := range p.streams {
			var err error
			if rest, err = p.streams[j].read(rest); err != nil {
				return fmt.Errorf("%w: %s from %s: %w", ErrMalformed, p, p.Senders[j], err)
			}
		}
	}
	// Several byte strings may decode to this ledger; only the canonical one is accepted.
	if again, _ := read.MarshalBinary(); !bytes.Equal(again, data) {
		return fmt.Errorf("%w: %d bytes, %d suffice", ErrMalformed, len(data), len(again))
	}
	*l = read
	return nil
}

// read decodes a stream from the front of data and returns the rest.
func (s *stream) read(data []byte) (rest []byte, err error) {
	if len(data) == 0 || data[0] > flagEnded|flagGaps {
		return nil, errors.New("no flags")
	}
	flags, data := data[0], data[1:]
	if flags&flagEnded != 0 {
		if s.n, data, err = uvarint(data); err != nil {
			return nil, err
		}
	}
	size, data, err := uvarint(data)
	if err != nil {
		return nil, err
	}
	if flags&flagGaps == 0 {
		s.seen.AddRange(0, size)
		s.count = size
	} else {
		if size > uint64(len(data)) {
			return nil, fmt.Errorf("bitmap of %d bytes in %d", size, len(data))
		}
		if err := s.readBitmap(data[:size]); err != nil {
			return nil, err
		}
		data = data[size:]
	}
	if flags&flagEnded != 0 {
		if _, err := s.finish(s.n); err != nil {
			return nil, err
		}
	}
	return data, nil
}

func (s *stream) readBitmap(data []byte) error {
	n, err := s.seen.ReadFrom(bytes.NewReader(data))
	if err == nil && n != int64(len(data)) {
		err = fmt.Errorf("bitmap of %d bytes in %d", n, len(data))
	}
	if err == nil {
		err = s.seen.Validate()
	}
	if err != nil {
		return err
	}
	s.count = s.seen.GetCardinality()
	if s.bound() > MaxMessages {
		return fmt.Errorf("id %d", s.bound()-1)
	}
	return nil
}

// uvarint decodes a number of at most MaxMessages from the front of data.
func uvarint(data []byte) (n uint64, rest []byte, err error) {
	n, size := binary.Uvarint(data)
	if size <= 0 || n > MaxMessages {
		return 0, nil, errors.New("no number")
	}
	return n, data[size:], nil
}

// fingerprint is a hash of the ports and their senders, in order.
func fingerprint(ports []Port) uint64 {
	var b []byte
	word := func(n int) { b = binary.LittleEndian.AppendUint64(b, uint64(n)) }
	for _, p := range ports {
		word(p.Node)
		word(p.Input)
		word(len(p.Senders))
		for _, s := range p.Senders {
			word(int(s.Kind))
			word(s.Number)
			word(s.Replica)
		}
	}
	return xxhash.Sum64(b)
}
