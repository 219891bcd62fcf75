package expr

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"unicode/utf8"

	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/operators/registry"
)

// Bytes, of texts and of UUIDs.
const (
	OpUUIDBytes Op = "uuid_bytes"
	OpUUIDOf    Op = "uuid_of_bytes"
)

func init() { functions.Add(blobFunctions) }

func blobFunctions() []function {
	return []function{
		converted(registry.Texts.Doc("encode", "(text)", "the bytes of a text, in UTF-8, as a BLOB", "encode('é')", `\xC3\xA9`),
			columnar.Text, columnar.Bytes, "a text", appendPlain),
		converted(registry.Texts.Doc("decode", "(blob)", "the text whose bytes, in UTF-8, are those of a BLOB", `decode('\xC3\xA9'::BLOB)`, "é"),
			columnar.Bytes, columnar.Text, "bytes", appendDecoded),
		converted(registry.Texts.Doc("unhex from_hex", "(text)", "the bytes that hexadecimal digits stand for, as a BLOB", "unhex('C3A9')", `\xC3\xA9`),
			columnar.Text, columnar.Bytes, "a text", appendUnhex),
		converted(registry.Texts.Doc("unbin from_binary", "(text)", "the bytes that binary digits stand for, as a BLOB", "unbin('1100001')", "a"),
			columnar.Text, columnar.Bytes, "a text", appendUnbin),
		converted(registry.Texts.Doc("from_base64", "(text)", "the bytes that a text in base 64 stands for, as a BLOB", "from_base64('YQ==')", "a"),
			columnar.Text, columnar.Bytes, "a text", appendFromBase64),
		{
			op: OpUUIDBytes, takes: "a UUID", types: oneOf(columnar.Bytes, columnar.UUID), cost: costText,
			build: just(func(out *result, args []*columnar.Vector) error {
				for i := range out.rows() {
					out.Data = number.AppendUUIDBytes(out.Data, args[0].Wides[i])
				}
				return nil
			}),
		},
		{op: OpUUIDOf, takes: "bytes", types: oneOf(columnar.UUID, columnar.Bytes), cost: costText, canFail: true, build: just(uuidsOf)},
		{
			op: "uuid_extract_version", takes: "a UUID", types: oneOf(columnar.Int, columnar.UUID), cost: costFixed,
			build: just(mapEach(ints, wides, versionOf)),
			doc: registry.Texts.Doc("uuid_extract_version", "(uuid)", "the version of a UUID, by which it was made",
				"uuid_extract_version('019482e4-1441-7aad-8127-eec637573dc2')", "7"),
		},
		{
			op: "uuid_extract_timestamp", takes: "a UUID", types: oneOf(columnar.Instant, columnar.UUID), cost: costFixed, canFail: true, build: just(uuidTimes),
			doc: registry.Times.Doc("uuid_extract_timestamp", "(uuid)", "when a UUID of version 7 was made",
				"uuid_extract_timestamp('019482e4-1441-7aad-8127-eec637573dc2')", "2025-01-20 08:46:13.057+00"),
		},
	}
}

// converted is a function of bytes that appends others, or says why there are none.
func converted(doc registry.Doc, from, to columnar.Type, takes string, f func(dst, b []byte) ([]byte, error)) function {
	return function{
		op: Op(doc.Names[0]), doc: doc, takes: takes, types: oneOf(to, from), cost: costText * 2, canFail: true,
		build: just(func(out *result, args []*columnar.Vector) (err error) {
			for i := range out.rows() {
				if out.Data, err = f(out.Data, args[0].Bytes(i)); err != nil {
					return err
				}
			}
			return nil
		}),
	}
}

func appendPlain(dst, b []byte) ([]byte, error) { return append(dst, b...), nil }

func appendDecoded(dst, b []byte) ([]byte, error) {
	if !utf8.Valid(b) {
		return dst, noBytes(number.AppendEscaped(nil, b), "text in UTF-8")
	}
	return append(dst, b...), nil
}

// noBytes is the error of a value that stands for no bytes, or no text.
func noBytes(text []byte, what string) error {
	return fmt.Errorf("%q is no %s: %w", columnar.Excerpt(string(text), 60), what, ErrCast)
}

// appendUnhex appends bytes of two digits, but for the first one of an odd number of digits.
func appendUnhex(dst, text []byte) ([]byte, error) {
	odd, begin := text, len(dst)
	if len(text)%2 == 1 {
		odd = append([]byte{'0'}, text...)
	}
	dst, err := hex.AppendDecode(dst, odd)
	if err != nil {
		return dst[:begin], noBytes(text, "hexadecimal number")
	}
	return dst, nil
}

// appendUnbin appends bytes of eight digits, but for the first one, which may have fewer.
func appendUnbin(dst, text []byte) ([]byte, error) {
	b := byte(0)
	for i, c := range text {
		if c != '0' && c != '1' {
			return dst, noBytes(text, "binary number")
		}
		if b = b<<1 | (c - '0'); (len(text)-i)%8 == 1 {
			dst = append(dst, b)
		}
	}
	return dst, nil
}

func appendFromBase64(dst, text []byte) ([]byte, error) {
	begin := len(dst)
	dst, err := base64.StdEncoding.AppendDecode(dst, text)
	if err != nil {
		return dst[:begin], noBytes(text, "text in base 64")
	}
	return dst, nil
}

func uuidsOf(out *result, args []*columnar.Vector) error {
	for i := range out.rows() {
		b := args[0].Bytes(i)
		if len(b) != number.UUIDBytes {
			return fmt.Errorf("a UUID has %d bytes, not %d: %w", number.UUIDBytes, len(b), ErrCast)
		}
		out.Wides[i] = number.UUIDOf(b)
	}
	return nil
}

func versionOf(uuid number.Int128) int64 { return uuid.HighBits() >> 12 & 15 }

// uuidTimes reads the milliseconds that UUIDs of version 7 begin with.
func uuidTimes(out *result, args []*columnar.Vector) error {
	for i := range out.rows() {
		uuid := args[0].Wides[i]
		if v := versionOf(uuid); v != 7 {
			return fmt.Errorf("the UUID %s has version %d, and only those of version 7 say when they were made: %w", number.AppendUUID(nil, uuid), v, ErrCast)
		}
		millis := binary.BigEndian.Uint64(number.AppendUUIDBytes(nil, uuid)) >> 16
		out.Ints[i] = int64(millis) * 1000
	}
	return nil
}
