package page

import (
	"errors"
	"io"
	"strings"
	"testing"

	"analyzer/columnar/vfs"
	"analyzer/columnar/vfs/vfstest"
	"analyzer/compose/cluster/protocol"
)

// What is appended is known by its bytes, and by the name that its client gives to it.
// What is too long, is cut off, or finds no room is refused.
func TestSpool(t *testing.T) {
	files := vfs.NewMem()
	us := &uploads{files: files, longest: 8}
	first, err := us.spool("/file", strings.NewReader("a,b\n1,2\n"), "")
	if err != nil {
		t.Fatal(err)
	}
	if text, err := vfs.ReadFile(files, "/file"); err != nil || string(text) != "a,b\n1,2\n" {
		t.Errorf("%q is kept, %v", text, err)
	}
	for _, other := range []struct {
		text, as string
		same     bool
	}{{"a,b\n1,2\n", "", true}, {"a,b\n1,3\n", "", false}, {"a,b\n1,2\n", "again", false}, {"a,b\n1,2", "\n", false}} {
		if known, err := us.spool("/file", strings.NewReader(other.text), other.as); err != nil || (known == first) != other.same {
			t.Errorf("%q as %q is %v beside %v: %v", other.text, other.as, known, first, err)
		}
	}
	if _, err := us.spool("/file", strings.NewReader("a,b\n1,22\n"), ""); protocol.CodeOf(err) != protocol.Refused {
		t.Errorf("a file that is too long: %v", err)
	}
	body, pipe := io.Pipe()
	go func() { _ = pipe.CloseWithError(errAbandoned) }()
	if _, err := us.spool("/file", body, ""); !errors.Is(err, errAbandoned) {
		t.Errorf("a file that is cut off: %v", err)
	}
	us.files = vfstest.Inject(files, vfstest.FailFrom(0))
	if _, err := us.spool("/file", strings.NewReader("a\n"), ""); protocol.CodeOf(err) != protocol.Trouble {
		t.Errorf("no room: %v", err)
	}
}
