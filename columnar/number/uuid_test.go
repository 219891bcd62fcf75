package number

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"
)

func TestParseUUID(t *testing.T) {
	const plain = "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"
	for text, want := range map[string]string{
		plain: plain, "{A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11}": plain, "a0eebc999c0b4ef8bb6d6bb9bd380a11": plain,
		"a-0eebc999c0b4ef8bb6d6bb9bd380a11-": plain, "": "", "{": "", "{}": "", "{" + plain: "", plain + "}": "", " " + plain: "",
		plain + "0": "", plain[1:]: "", "g" + plain[1:]: "",
	} {
		got := ""
		if n, ok := ParseUUID([]byte(text)); ok {
			got = string(AppendUUID(nil, n))
		}
		if got != want {
			t.Errorf("%q is %q, not %q", text, got, want)
		}
	}
}

// UUIDs have the order of their bytes and of their texts.
func TestOrderOfUUIDs(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		draw := func(name string) ([]byte, Int128) {
			b := rapid.SliceOfN(rapid.Byte(), UUIDBytes, UUIDBytes).Draw(rt, name)
			return b, UUIDOf(b)
		}
		b, x := draw("x")
		c, y := draw("y")
		if got := AppendUUIDBytes(nil, x); !bytes.Equal(got, b) {
			rt.Fatalf("%x became %x", b, got)
		}
		text := AppendUUID(nil, x)
		if back, ok := ParseUUID(text); !ok || back != x {
			rt.Fatalf("%s is read as %v, %t", text, back, ok)
		}
		if want := bytes.Compare(b, c); x.Cmp(y) != want || bytes.Compare(text, AppendUUID(nil, y)) != want {
			rt.Fatalf("%x and %x compare as %d", b, c, x.Cmp(y))
		}
	})
}

func TestEscapedBytes(t *testing.T) {
	for text, want := range map[string]string{
		`a\xAA\x00`: "a\xaa\x00", `\xaf~`: "\xaf~", "": "", "\n": "\n",
	} {
		if got, ok := AppendUnescaped([]byte("-"), []byte(text)); !ok || string(got) != "-"+want {
			t.Errorf("%q is %q, %t", text, got, ok)
		}
	}
	for _, text := range []string{`\x`, `\xA`, `\xAG`, `\n`, `a\`, "ü", `\\`, `a\xA`} {
		if got, ok := AppendUnescaped([]byte("-"), []byte(text)); ok || string(got) != "-" {
			t.Errorf("%q is %q", text, got)
		}
	}
	if got := AppendEscaped(nil, []byte("a'\"\\é\n~ ")); string(got) != `a\x27\x22\x5C\xC3\xA9\x0A~ ` {
		t.Errorf("escaped: %s", got)
	}
	rapid.Check(t, func(rt *rapid.T) {
		b := rapid.SliceOf(rapid.Byte()).Draw(rt, "bytes")
		if got, ok := AppendUnescaped(nil, AppendEscaped(nil, b)); !ok || !bytes.Equal(got, b) {
			rt.Fatalf("%x became %x", b, got)
		}
	})
}
