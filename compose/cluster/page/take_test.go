package page

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cespare/xxhash/v2"

	"analyzer/compose/cluster/protocol"
)

// A body that stops coming, or has another length than was said, ends its request alone:
// what has come of it stays, and another request goes on there.
func TestTake(t *testing.T) {
	body, pipe := io.Pipe()
	u := &upload{pipe: pipe, sum: xxhash.New(), slow: 30 * time.Millisecond, done: make(chan struct{})}
	var got strings.Builder
	copied := make(chan error, 1)
	go func() {
		_, err := io.Copy(&got, body)
		copied <- err
	}()
	ask := taking(t, u)
	for _, step := range []struct {
		request, says string
		offset        int64
	}{
		{"Content-Length: 9\r\n\r\nabcd", "cut off after 4 bytes", 4}, // and nothing comes
		{"Content-Range: bytes 4-9/10\r\nContent-Length: 5\r\n\r\nefghi", "is of 6 bytes, the body has 5", 4},
		{"Content-Range: bytes 4-6/10\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nefgh\r\n0\r\n\r\n", "4 bytes came where 3 were announced", 8},
		{"Content-Range: bytes 3-6/10\r\nContent-Length: 4\r\n\r\ndefg", "8 bytes of the file have come", 8},
		{"Content-Length: 3\r\n\r\nabc", "it ends after 3 bytes; before, there were 8", 8},
		{"Content-Length: 9\r\n\r\nabcdefgXi", "not those that came before", 8},
		{"Content-Range: bytes 8-9/10\r\nContent-Length: 2\r\n\r\nij", "", 10},
	} {
		if err := ask(step.request); (err == nil) != (step.says == "") || err != nil && !strings.Contains(err.Error(), step.says) {
			t.Errorf("%q: %v, want %q", step.request, err, step.says)
		}
		if at := u.at.Load(); at != step.offset {
			t.Errorf("%q: %d bytes have come, want %d", step.request, at, step.offset)
		}
	}
	if err := errors.Join(pipe.Close(), <-copied); err != nil || got.String() != "abcdefghij" {
		t.Errorf("%q has come, %v", got.String(), err)
	}
}

// taking serves an upload, and returns a function that sends a request to it.
func taking(t *testing.T, u *upload) (ask func(request string) error) {
	failed := make(chan error, 1)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		part, err := parsePart(r)
		if err == nil {
			err = u.take(w, r, part)
		}
		failed <- err
	}))
	t.Cleanup(s.Close)
	return func(request string) error {
		var dial net.Dialer
		c, err := dial.DialContext(context.Background(), "tcp", strings.TrimPrefix(s.URL, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = c.Close() }()
		if _, err := io.WriteString(c, "PUT / HTTP/1.1\r\nHost: x\r\n"+request); err != nil {
			t.Fatal(err)
		}
		return <-failed
	}
}

// Another file that comes while one is being appended to an open job may be sent again, since
// it can be the next one. Of a table with one file it is refused.
func TestAnotherFile(t *testing.T) {
	for open, want := range map[bool]protocol.Code{false: protocol.Refused, true: protocol.Busy} {
		body, pipe := io.Pipe()
		go func() { _, _ = io.Copy(io.Discard, body) }()
		u := &upload{pipe: pipe, sum: xxhash.New(), open: open, slow: time.Minute, done: make(chan struct{})}
		ask := taking(t, u)
		if err := ask("Content-Length: 4\r\n\r\na\n1\n"); err != nil {
			t.Fatal(err)
		}
		_ = pipe.Close() // all of it has come
		for _, text := range []string{"a\n2\n", "a\n1", "a\n1\n2\n", "b\n10\n"} {
			if err := ask("Content-Length: " + strconv.Itoa(len(text)) + "\r\n\r\n" + text); protocol.CodeOf(err) != want {
				t.Errorf("open %v: %q: %v", open, text, err)
			}
		}
		if err := ask("Content-Length: 4\r\n\r\na\n1\n"); err != nil {
			t.Errorf("open %v: the same file: %v", open, err)
		}
	}
}

// Of uploads there are so many at a time, by the memory that there is, and one client has
// no more than half of them.
func TestUploadsAreBounded(t *testing.T) {
	for _, test := range []struct {
		memory int64
		under  map[string]int
		of     string
	}{
		{4 * memoryOfUpload, map[string]int{"ann": 2}, "ann"},
		{4 * memoryOfUpload, map[string]int{"ann": 2, "bob": 2}, "cid"},
		{1, map[string]int{"ann": 1}, "bob"},
		{1 << 50, map[string]int{"ann": maxUploads / 2, "bob": maxUploads / 2}, "cid"},
	} {
		us := newUploads(t.Context(), Config{Owner: func(context.Context) string { return "ann" }, Memory: test.memory}, nil)
		for owner, n := range test.under {
			if err := us.places.Take(owner, n); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := us.begin(t.Context(), uploadKey{}, &protocol.Spec{Owner: test.of, Block: 1 << 10}, note{}, -1); protocol.CodeOf(err) != protocol.Busy {
			t.Errorf("with %d bytes and %v under way, one more of %s: %v", test.memory, test.under, test.of, err)
		}
		larger := &protocol.Spec{Owner: test.of, Block: us.places.Share()*usualBlock + 1}
		if _, err := us.begin(t.Context(), uploadKey{}, larger, note{}, -1); protocol.CodeOf(err) != protocol.Refused {
			t.Errorf("with %d bytes, one that reads %d at a time: %v", test.memory, larger.Block, err)
		}
	}
}

// An upload that was cut off keeps its place until somebody else has none.
func TestFailedUploadsMakeRoom(t *testing.T) {
	begin := func(us *uploads, owner string, failed bool) *upload {
		ctx, cancel := context.WithCancel(t.Context())
		u := &upload{owner: owner, end: cancel, failed: failed, done: make(chan struct{})}
		us.byKey[uploadKey{table: strconv.Itoa(len(us.byKey))}] = u
		context.AfterFunc(ctx, func() { close(u.done) })
		return u
	}
	for name, test := range map[string]struct {
		owners []string // of uploads that have failed, or with a "+", that go on
		of     string
		ends   string // whose ends
	}{
		"goes on":          {[]string{"ann+"}, "bob", ""},
		"another's":        {[]string{"bob+", "ann"}, "cid", "ann"},
		"own":              {[]string{"ann", "bob"}, "bob", "bob"},
		"own that goes on": {[]string{"ann", "bob+"}, "bob", ""},
	} {
		us := newUploads(t.Context(), Config{}, nil)
		var all []*upload
		for _, owner := range test.owners {
			all = append(all, begin(us, strings.TrimSuffix(owner, "+"), !strings.HasSuffix(owner, "+")))
		}
		if made := us.makeRoom(t.Context(), test.of); made != (test.ends != "") {
			t.Errorf("%s: room: %v", name, made)
		}
		left := len(us.byKey)
		if want := len(all) - min(len(test.ends), 1); left != want {
			t.Errorf("%s: %d are left, want %d", name, left, want)
		}
		for _, u := range all {
			select {
			case <-u.done:
				if u.owner != test.ends {
					t.Errorf("%s: that of %s has ended", name, u.owner)
				}
			default:
				u.end()
				<-u.done
			}
		}
	}
}
