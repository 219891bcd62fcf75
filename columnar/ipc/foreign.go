package ipc

import (
	"encoding/binary"
	"errors"
	"fmt"

	"analyzer/columnar"
)

// What other programs write has more types than ours, dictionaries and compressed buffers.
// Header, ReadSchema and ReadBatch read the metadata of such messages without trusting it: no
// length in the bytes causes an allocation larger than the bytes. Whoever reads the buffers that
// they describe checks those.

// Message is what the metadata of a message says about it.
type Message struct {
	Kind MessageKind
	Body int64 // bytes of the body
	// Unions says that a column of unions has a validity bitmap, as up to version 4 of the format.
	Unions bool
}

// MessageKind says what a message holds.
type MessageKind uint64

// The kinds of messages, by the numbers of Message.fbs.
const (
	SchemaMessage     MessageKind = headerSchema
	DictionaryMessage MessageKind = 2
	BatchMessage      MessageKind = headerBatch
)

// version5 is the number of version 5 of the format.
const version5 = 4

// Magic is what a file, unlike a stream, begins and ends with. At its beginning two zeros follow.
const Magic = magic

// Prefix reads the bytes before the metadata of a message: how many they are, and how many bytes of
// metadata follow, 0 at the end of a stream. begin is at least MaxPrefix bytes, or what there is.
func Prefix(begin []byte) (prefix int, metadata int64, ok bool) {
	if len(begin) >= prefixSize && binary.LittleEndian.Uint32(begin) == continuation {
		return prefixSize, int64(binary.LittleEndian.Uint32(begin[4:])), true
	}
	const old = 4 // up to version 0.14 of Arrow
	if len(begin) < old {
		return 0, 0, false
	}
	return old, int64(binary.LittleEndian.Uint32(begin)), true
}

// MaxPrefix is the maximum number of bytes before the metadata of a message.
const MaxPrefix = prefixSize

// Header reads what the metadata of a message says about the message.
func Header(metadata []byte) (Message, error) {
	message, err := rootTable(metadata)
	if err != nil {
		return Message{}, err
	}
	kind, err := message.number(number{slot: messageHeaderType, size: 1})
	if err != nil {
		return Message{}, err
	}
	body, err := message.number(number{slot: messageBodyLength, size: 8})
	if err == nil && int64(body) < 0 {
		err = fmt.Errorf("body of %d bytes", int64(body))
	}
	if err != nil {
		return Message{}, err
	}
	version, err := message.number(number{slot: 0, size: 2})
	return Message{Kind: MessageKind(kind), Body: int64(body), Unions: version < version5}, err
}

// TypeKind is the kind of a column's type.
type TypeKind uint64

// The kinds of types, by the numbers of Schema.fbs.
const (
	Null TypeKind = iota + 1
	Integer
	FloatingPoint
	Binary
	Utf8
	Bool
	Decimal
	Date
	Time
	Timestamp
	Interval
	List
	Struct
	Union
	FixedSizeBinary
	FixedSizeList
	Map
	Duration
	LargeBinary
	LargeUtf8
	LargeList
	RunEndEncoded
	BinaryView
	Utf8View
	ListView
	LargeListView
	maxKind = LargeListView
)

// Field is a column of a schema, or a part of one.
type Field struct {
	Name   string
	Kind   TypeKind
	Bits   int  // of an Integer, Decimal or Time
	Signed bool // Integer
	// Unit is that of a FloatingPoint (half, single, double), Date (days, milliseconds), and of times
	// (seconds, milli-, micro-, nanoseconds), from 0; of a Union, 1 if it is dense.
	Unit             int
	Precision, Scale int    // Decimal
	Width            int64  // of a FixedSizeBinary in bytes, of a FixedSizeList in items
	Zone             string // Timestamp
	Items            []Field
	Extension        string // the name of an extension type; "": none
	// Own is the type whose values our own program wrote in the form of its batches, as schemas made by
	// columnar.Schema.Arrow say; Invalid: none. Whether the other properties are those of that form, whoever
	// reads the buffers must see.
	Own columnar.Type
	// Dictionary is set if the values are positions in a dictionary, whose values have the type.
	Dictionary *Dictionary
}

// Dictionary says which dictionary a column uses.
type Dictionary struct {
	ID     int64
	Bits   int // of a position
	Signed bool
}

// typeSlots says where the table of a kind of type has its properties, and their sizes and values
// when absent.
var typeSlots = map[TypeKind]func(f *Field, t table) error{
	Integer: func(f *Field, t table) error {
		return errors.Join(into(&f.Bits, t, number{0, 4, 0}), truth(&f.Signed, t, number{1, 1, 0}))
	},
	FloatingPoint: func(f *Field, t table) error { return into(&f.Unit, t, number{0, 2, 0}) },
	Decimal: func(f *Field, t table) error {
		return errors.Join(into(&f.Precision, t, number{0, 4, 0}), into(&f.Scale, t, number{1, 4, 0}), into(&f.Bits, t, number{2, 4, 128}))
	},
	Date: func(f *Field, t table) error { return into(&f.Unit, t, number{0, 2, 1}) },
	Time: func(f *Field, t table) error {
		return errors.Join(into(&f.Unit, t, number{0, 2, 1}), into(&f.Bits, t, number{1, 4, 32}))
	},
	Timestamp: func(f *Field, t table) error {
		zone, err := t.vector(1, 1)
		f.Zone = string(zone.bytes(1))
		return errors.Join(err, into(&f.Unit, t, number{0, 2, 0}))
	},
	Union:           func(f *Field, t table) error { return into(&f.Unit, t, number{0, 2, 0}) },
	FixedSizeBinary: func(f *Field, t table) error { return into(&f.Width, t, number{0, 4, 0}) },
	FixedSizeList:   func(f *Field, t table) error { return into(&f.Width, t, number{0, 4, 0}) },
}

// into reads a number, which may be negative if it has 4 bytes.
func into[T int | int64](to *T, t table, n number) error {
	v, err := t.number(n)
	if n.size == 4 {
		*to = T(int32(v))
	} else {
		*to = T(v)
	}
	return err
}

func truth(to *bool, t table, n number) error {
	v, err := t.number(n)
	*to = v != 0
	return err
}

// maxDepth is how deep types may be nested, and maxFields how many columns and parts of columns a
// schema may have: the tables of a flatbuffer may be referred to many times.
const (
	maxDepth  = 64
	maxFields = 1 << 20
)

// ErrBigEndian is the error of a schema whose numbers have their first byte last.
var ErrBigEndian = errors.New("numbers are big endian")

// ReadSchema reads the columns that the metadata of a schema message, from any writer, declares.
func ReadSchema(metadata []byte) ([]Field, error) {
	schema, err := messageTable(metadata, headerSchema)
	if err != nil {
		return nil, err
	}
	return columnsOf(schema)
}

func columnsOf(schema table) ([]Field, error) {
	if big, err := schema.number(number{slot: schemaEndianness, size: 2}); err != nil || big != 0 {
		return nil, errors.Join(err, ErrBigEndian)
	}
	left := maxFields
	return readFields(schema, schemaFields, maxDepth, &left)
}

// Footer is what stands at the end of a file, before its own size and the magic bytes.
type Footer struct {
	Fields                []Field
	Unions                bool    // as in Message
	Dictionaries, Batches []int64 // offsets of the messages in the file
}

// FooterTail is how many bytes follow a footer.
const FooterTail = 4 + len(magic)

// FooterSize returns how many bytes a footer has, from the FooterTail bytes at the end of a file.
func FooterSize(tail []byte) (size int64, ok bool) {
	if len(tail) != FooterTail || string(tail[4:]) != magic {
		return 0, false
	}
	return int64(binary.LittleEndian.Uint32(tail)), true
}

// ReadFooter reads a footer.
func ReadFooter(data []byte) (*Footer, error) {
	t, err := rootTable(data)
	if err != nil {
		return nil, err
	}
	version, err := t.number(number{slot: 0, size: 2})
	if err != nil {
		return nil, err
	}
	schema, err := t.table(1)
	if err != nil {
		return nil, err
	}
	f := &Footer{Unions: version < version5}
	if f.Fields, err = columnsOf(schema); err != nil {
		return nil, err
	}
	if f.Dictionaries, err = offsetsOf(t, 2); err != nil {
		return nil, err
	}
	f.Batches, err = offsetsOf(t, 3)
	return f, err
}

// offsetsOf returns the offsets of the blocks of a footer.
func offsetsOf(t table, slot int) ([]int64, error) {
	blocks, err := t.vector(slot, blockSize)
	if err != nil {
		return nil, err
	}
	offsets := make([]int64, blocks.count)
	for i := range offsets {
		offsets[i] = int64(binary.LittleEndian.Uint64(blocks.data[blocks.pos+i*blockSize:]))
	}
	return offsets, nil
}

func readFields(t table, slot, depth int, left *int) ([]Field, error) {
	all, err := t.vector(slot, offsetSize)
	if err != nil || all.count == 0 {
		return nil, err
	}
	if *left -= all.count; depth == 0 || *left < 0 {
		return nil, errors.New("the schema has too many parts")
	}
	fields := make([]Field, all.count)
	for i := range fields {
		field, err := all.table(i)
		if err == nil {
			err = fields[i].read(field, depth, left)
		}
		if err != nil {
			return nil, err
		}
	}
	return fields, nil
}

func (f *Field) read(t table, depth int, left *int) error {
	name, err := t.vector(fieldName, 1)
	if err != nil {
		return err
	}
	f.Name = string(name.bytes(1))
	kind, err := t.number(number{slot: fieldTypeKind, size: 1})
	if err != nil {
		return err
	}
	if f.Kind = TypeKind(kind); f.Kind == 0 || f.Kind > maxKind {
		return fmt.Errorf("column %.100q has a type with the number %d, which is not known", f.Name, kind)
	}
	if properties := typeSlots[f.Kind]; properties != nil {
		details, err := t.table(fieldType)
		if err == nil {
			err = properties(f, details)
		}
		if err != nil {
			return err
		}
	}
	if err := f.readDictionary(t); err != nil {
		return err
	}
	if f.Extension, err = metadataOf(t, fieldMetadata, "ARROW:extension:name"); err != nil {
		return err
	}
	own, err := metadataOf(t, fieldMetadata, columnar.TypeKey)
	if err != nil {
		return err
	}
	if f.Own.UnmarshalText([]byte(own)) != nil {
		f.Own = columnar.Invalid
	}
	f.Items, err = readFields(t, fieldItems, depth-1, left)
	return err
}

func (f *Field) readDictionary(t table) error {
	if !t.has(fieldDict) {
		return nil
	}
	encoding, err := t.table(fieldDict)
	if err != nil {
		return err
	}
	d := &Dictionary{Bits: 32, Signed: true}
	if err := into(&d.ID, encoding, number{0, 8, 0}); err != nil {
		return err
	}
	if encoding.has(1) {
		index, err := encoding.table(1)
		if err == nil {
			err = errors.Join(into(&d.Bits, index, number{0, 4, 0}), truth(&d.Signed, index, number{1, 1, 0}))
		}
		if err != nil {
			return err
		}
	}
	f.Dictionary = d
	return nil
}

// metadataOf returns the value of a key in a table's metadata, "" if it has none.
func metadataOf(t table, slot int, key string) (string, error) {
	pairs, err := t.vector(slot, offsetSize)
	if err != nil {
		return "", err
	}
	for i := range pairs.count {
		pair, err := pairs.table(i)
		if err != nil {
			return "", err
		}
		name, err := pair.vector(0, 1)
		if err != nil {
			return "", err
		}
		if string(name.bytes(1)) == key {
			value, err := pair.vector(1, 1)
			return string(value.bytes(1)), err
		}
	}
	return "", nil
}

// Codec is how the buffers of a batch are compressed.
type Codec int

// The codecs. The numbers of those that compress are one more than in Message.fbs.
const (
	Plain Codec = iota
	LZ4Frame
	Zstd
)

// Batch is what the metadata of a batch of rows, or of a dictionary, says.
type Batch struct {
	Rows     int64
	Codec    Codec
	Variadic []int64 // how many buffers each view column has beyond two, depth first
	// Of a dictionary.
	Dictionary int64 // its ID
	Delta      bool  // the values follow those that the dictionary has

	nodes, buffers pairs
}

// Nodes returns how many columns and parts of columns the batch has.
func (b *Batch) Nodes() int { return len(b.nodes) / pairSize }

// Buffers returns how many buffers the batch has.
func (b *Batch) Buffers() int { return len(b.buffers) / pairSize }

// Node returns how many values the i-th column has, depth first, and how many of them are null.
func (b *Batch) Node(i int) (length, nulls int64) {
	rest := b.nodes[i*pairSize:]
	length, nulls, _ = rest.next()
	return length, nulls
}

// Buffer returns where, in the body, the i-th buffer lies.
func (b *Batch) Buffer(i int) (offset, length int64) {
	rest := b.buffers[i*pairSize:]
	offset, length, _ = rest.next()
	return offset, length
}

// ReadBatch reads the metadata of a message with rows or with values of a dictionary. The Batch
// shares its memory.
func ReadBatch(metadata []byte) (*Batch, error) {
	header, err := Header(metadata)
	if err != nil {
		return nil, err
	}
	batch, err := messageTable(metadata, uint64(header.Kind))
	if err != nil {
		return nil, err
	}
	b := new(Batch)
	if header.Kind == DictionaryMessage {
		if err := errors.Join(into(&b.Dictionary, batch, number{0, 8, 0}), truth(&b.Delta, batch, number{2, 1, 0})); err != nil {
			return nil, err
		}
		if batch, err = batch.table(1); err != nil {
			return nil, err
		}
	}
	return b, b.read(batch)
}

func (b *Batch) read(t table) (err error) {
	if err := into(&b.Rows, t, number{slot: batchLength, size: 8}); err != nil {
		return err
	}
	if b.Rows < 0 {
		return fmt.Errorf("%d rows", b.Rows)
	}
	if b.nodes, err = t.pairs(batchNodes); err != nil {
		return err
	}
	if b.buffers, err = t.pairs(batchBuffers); err != nil {
		return err
	}
	counts, err := t.vector(batchVariadic, 8)
	if err != nil {
		return err
	}
	for values := counts.bytes(8); len(values) > 0; values = values[8:] {
		b.Variadic = append(b.Variadic, int64(binary.LittleEndian.Uint64(values)))
	}
	if !t.has(batchCompression) {
		return nil
	}
	compression, err := t.table(batchCompression)
	if err != nil {
		return err
	}
	codec, err := compression.number(number{slot: 0, size: 1})
	if err == nil && codec > 1 {
		err = fmt.Errorf("the codec with the number %d is not known", codec)
	}
	b.Codec = Codec(codec) + LZ4Frame
	return err
}
