package workbook

import (
	"errors"
	"fmt"
	"strconv"
)

// texts are those that cells refer to by their number.
type texts struct {
	data []byte
	ends []uint32
}

// maxTexts is how many bytes of memory the texts of a workbook may take.
const maxTexts = 64 << 20

func (t *texts) at(i int) ([]byte, error) {
	if i < 0 || i >= len(t.ends) {
		return nil, fmt.Errorf("a cell has the text %d of %d", i, len(t.ends))
	}
	begin := uint32(0)
	if i > 0 {
		begin = t.ends[i-1]
	}
	return t.data[begin:t.ends[i]], nil
}

func (b *book) readTexts(name string) error {
	t := &b.texts
	phonetic := false
	return b.scan(name, func(s *scanner) error {
		switch {
		case string(s.name) == "rPh" && !s.empty: // how to pronounce the text
			phonetic = !s.end
		case s.ends("t") && !phonetic:
			if !s.empty {
				t.data = appendText(t.data, s.text)
			}
		case s.ends("si"):
			t.ends = append(t.ends, uint32(len(t.data)))
		}
		if len(t.data)+4*len(t.ends) > maxTexts {
			return &Error{Detail: fmt.Sprintf("the texts in the workbook take more than %d MiB", maxTexts>>20), Hint: "save the sheet as CSV, and name that file"}
		}
		return nil
	})
}

// appendText appends a text, in which _x000D_ and the like stand for characters that XML has not.
func appendText(dst, text []byte) []byte {
	const length = len("_x000D_")
	for i := 0; i < len(text); i++ {
		if text[i] == '_' && i+length <= len(text) && text[i+1] == 'x' && text[i+length-1] == '_' {
			if n, err := strconv.ParseUint(string(text[i+2:i+length-1]), 16, 16); err == nil && n < 0x80 {
				dst = append(dst, byte(n))
				i += length - 1
				continue
			}
		}
		dst = append(dst, text[i])
	}
	return dst
}

var errOrder = errors.New("rows or cells are not in order")
