package page

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"analyzer/columnar/scan"
	"analyzer/compose/cluster/protocol"
)

// part is which bytes of a file a request has.
type part struct {
	from, to int64 // to is negative where the body's end says it
	last     bool  // the file ends with it
	size     int64 // of the file; negative where nobody says it
}

// contentRange is compiled when it is needed, as are others: each start of the program
// would wait for it.
var contentRange = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^bytes (\d{1,18})-(\d{1,18})/(\d{1,18}|\*)$`)
})

// parsePart reads which part a request has; all of the file if it does not say.
func parsePart(r *http.Request) (part, error) {
	if e := r.Header.Get("Content-Encoding"); e != "" && e != "identity" {
		return part{}, protocol.Errorf(protocol.Refused, "content encoding %q: send a compressed file as it is; how it is compressed is found out", e)
	}
	text := r.Header.Get("Content-Range")
	if text == "" {
		return part{to: r.ContentLength, last: true, size: r.ContentLength}, nil
	}
	m := contentRange().FindStringSubmatch(text)
	if m == nil {
		return part{}, protocol.Errorf(protocol.Refused, "content range %q; expected such as bytes 0-1023/4096, or bytes 0-1023/* where the length is not known yet", text)
	}
	var numbers [3]int64
	for i, digits := range m[1:] {
		numbers[i] = -1
		if digits == "*" {
			continue
		}
		var err error
		if numbers[i], err = strconv.ParseInt(digits, 10, 64); err != nil {
			return part{}, protocol.Errorf(protocol.Refused, "content range %q: %v", text, err)
		}
	}
	p := part{from: numbers[0], to: numbers[1] + 1, last: numbers[1]+1 == numbers[2], size: numbers[2]}
	switch length := p.to - p.from; {
	case length <= 0 || numbers[2] >= 0 && p.to > numbers[2]:
		return part{}, protocol.Errorf(protocol.Refused, "content range %q contradicts itself", text)
	case r.ContentLength >= 0 && r.ContentLength != length:
		return part{}, protocol.Errorf(protocol.Refused, "content range %q is of %d bytes, the body has %d", text, length, r.ContentLength)
	}
	return p, nil
}

// offsetError is that of a part that does not go on where the others ended.
type offsetError struct{ offset int64 }

func (e *offsetError) Error() string {
	return fmt.Sprintf("%d bytes of the file have come; go on there, or begin with its first byte", e.offset)
}

// because adds to an error of rejected rows what was wrong with them.
func because(err error, rejected []scan.Count) error {
	if !errors.Is(err, scan.ErrTooManyRejects) {
		return err
	}
	reasons := make([]string, 0, len(rejected))
	for _, c := range rejected {
		reasons = append(reasons, strings.TrimSpace(fmt.Sprintf("%d %s %s", c.Count, c.What, c.Column)))
	}
	return fmt.Errorf("%w: %s", err, strings.Join(reasons, ", "))
}
