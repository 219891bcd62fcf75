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

// part says which bytes of a file the body of a request holds.
type part struct {
	from, to int64 // to is negative if only the end of the body tells
	last     bool  // the file ends with this part
	size     int64 // of the file; negative if unknown
}

// contentRange is compiled on first use, like other expressions, so that it does not slow
// down the start of the program.
var contentRange = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^bytes (\d{1,18})-(\d{1,18})/(\d{1,18}|\*)$`)
})

// parsePart reads which part of a file a request has; all of it if the request does not say.
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
	number := func(digits string) int64 {
		n, err := strconv.ParseInt(digits, 10, 64)
		if err != nil {
			return -1 // an asterisk: unknown
		}
		return n
	}
	p := part{from: number(m[1]), to: number(m[2]) + 1, size: number(m[3])}
	p.last = p.to == p.size
	switch length := p.to - p.from; {
	case length <= 0 || p.size >= 0 && p.to > p.size:
		return part{}, protocol.Errorf(protocol.Refused, "content range %q contradicts itself", text)
	case r.ContentLength >= 0 && r.ContentLength != length:
		return part{}, protocol.Errorf(protocol.Refused, "content range %q is of %d bytes, the body has %d", text, length, r.ContentLength)
	}
	return p, nil
}

// offsetError refuses a part that does not begin where the last one ended.
type offsetError struct{ offset int64 }

func (e *offsetError) Error() string {
	return fmt.Sprintf("%d bytes of the file have come; go on there, or begin with its first byte", e.offset)
}

// because adds what was wrong with the rows to an error about rejected rows.
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
