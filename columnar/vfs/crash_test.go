package vfs

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// crashes returns what a file system may look like after a crash, as text, each
// with how often it came up.
func crashes(t *testing.T, m *Mem) map[string]int {
	t.Helper()
	seen := map[string]int{}
	for seed := range uint64(400) {
		clone := m.Clone()
		clone.Crash(rand.New(rand.NewPCG(seed, 0)))
		seen[contents(t, clone)]++
	}
	return seen
}

// contents lists all files as "path=content path=content …".
func contents(t *testing.T, m *Mem) string {
	t.Helper()
	var parts []string
	for _, path := range slices.Sorted(maps.Keys(m.entries)) {
		if m.entries[path].dir {
			parts = append(parts, path+"/")
			continue
		}
		parts = append(parts, path+"="+string(readAll(t, m, path)))
	}
	return strings.Join(parts, " ")
}

func readAll(t testing.TB, fs FS, path string) []byte {
	t.Helper()
	file, err := fs.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	content, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// do runs steps such as "create /a", "write /a text", "sync /a",
// "rename /a /b", "remove /a", "mkdir /d" and "syncdir /", with semicolons
// between them, and closes all files.
func do(t *testing.T, m *Mem, script string) {
	t.Helper()
	files := map[string]File{}
	defer func() {
		for _, handle := range slices.Collect(maps.Keys(m.handles)) {
			if err := handle.Close(); err != nil {
				t.Error(err)
			}
		}
	}()
	for step := range strings.SplitSeq(script, ";") {
		words := append(strings.Fields(step), "", "", "")
		op, name, more := words[0], words[1], words[2]
		var err error
		switch op {
		case "":
		case "create":
			files[name], err = m.Create(name)
		case "write":
			_, err = files[name].Write([]byte(more))
		case "sync":
			err = files[name].Sync()
		case "rename":
			err = m.Rename(name, more)
		case "remove":
			err = m.Remove(name)
		case "removeall":
			err = m.RemoveAll(name)
		case "mkdir":
			err = m.MkdirAll(name)
		case "syncdir":
			err = m.SyncDir(name)
		default:
			err = fmt.Errorf("no such step")
		}
		if err != nil {
			t.Fatalf("%s: %v", step, err)
		}
	}
}

func TestWhatSurvivesACrash(t *testing.T) {
	const write = "create /a; write /a old; sync /a; syncdir /;"
	for _, c := range []struct {
		script string
		may    []string // all that may be found
	}{
		{"create /a; sync /a", []string{"", "/a="}},
		{write, []string{"/a=old"}},
		{write + "create /b; write /b x; sync /b", []string{"/a=old", "/a=old /b=x"}},
		{write + "remove /a", []string{"/a=old", ""}},
		{write + "rename /a /b", []string{"/a=old", "/b=old"}},
		{write + "rename /a /b; syncdir /", []string{"/b=old"}},
		{write + "rename /a /b; rename /b /c", []string{"/a=old", "/b=old", "/c=old"}},
		{write + "create /t; write /t new; sync /t; rename /t /a", []string{"/a=old", "/a=old /t=new", "/a=new"}},
		{write + "create /a; write /a n; sync /a", []string{"/a=n"}},
		{write + "remove /a; create /a; sync /a", []string{"/a=old", "", "/a="}},
		{"mkdir /d; create /d/a; write /d/a x; sync /d/a; syncdir /d", []string{"", "/d/ /d/a=x"}},
		{"mkdir /d; syncdir /; create /d/a; write /d/a x; sync /d/a; syncdir /", []string{"/d/", "/d/ /d/a=x"}},
		{"mkdir /d; create /d/a; sync /d/a; syncdir /d; syncdir /; removeall /d", []string{"", "/d/", "/d/ /d/a="}},
	} {
		t.Run(c.script, func(t *testing.T) {
			m := NewMem()
			do(t, m, c.script)
			seen := crashes(t, m)
			for found := range seen {
				if !slices.Contains(c.may, found) {
					t.Errorf("found %q, may be %q", found, c.may)
				}
			}
			for _, may := range c.may {
				if seen[may] == 0 {
					t.Errorf("never found %q, only %v", may, seen)
				}
			}
		})
	}
}

func TestUnsyncedBytesAreTornAnywhere(t *testing.T) {
	m := NewMem()
	do(t, m, "create /a; write /a 0123; sync /a; write /a 456789; syncdir /")
	lengths, whole, spoiled := map[int]bool{}, 0, 0
	for found := range crashes(t, m) {
		content := strings.TrimPrefix(found, "/a=")
		if !strings.HasPrefix(content, "0123") || len(content) > 10 {
			t.Fatalf("synced bytes changed: %q", content)
		}
		lengths[len(content)] = true
		if content == "0123456789" {
			whole++
		} else if !strings.HasPrefix("0123456789", content) {
			spoiled++
		}
	}
	if len(lengths) != 7 || whole == 0 || spoiled == 0 {
		t.Errorf("lengths %v, %d whole, %d spoiled", lengths, whole, spoiled)
	}
}

func TestATruncatedFileIsOldOrNew(t *testing.T) {
	m := NewMem()
	do(t, m, "create /a; write /a old; sync /a; syncdir /; create /a; write /a new")
	seen := crashes(t, m)
	for _, may := range []string{"/a=old", "/a=new", "/a=", "/a=n"} {
		if seen[may] == 0 {
			t.Errorf("never found %q", may)
		}
	}
}

func TestACrashEndsOpenFiles(t *testing.T) {
	m := NewMem()
	file, err := m.Create("/a")
	if err != nil {
		t.Fatal(err)
	}
	if open := m.OpenFiles(); len(open) != 1 || open[0] != "/a" {
		t.Errorf("open: %q", open)
	}
	m.Crash(rand.New(rand.NewPCG(1, 1)))
	if _, err := file.Write([]byte("x")); err == nil {
		t.Error("wrote after the crash")
	}
	if err := file.Close(); err == nil {
		t.Error("closed after the crash")
	}
	if open := m.OpenFiles(); len(open) > 0 {
		t.Errorf("open: %q", open)
	}
}

// What is done to a clone or to its original does not show in the other.
func TestClonesAreApart(t *testing.T) {
	m := NewMem()
	file, err := m.Create("/a")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.Write([]byte("abc")); err != nil {
		t.Fatal(err)
	}
	clone := m.Clone()
	if _, err := file.Write([]byte("def")); err != nil {
		t.Fatal(err)
	}
	if err := clone.Remove("/a"); err != nil {
		t.Fatal(err)
	}
	if got := contents(t, m); got != "/a=abcdef" {
		t.Errorf("original: %q", got)
	}
	if got := contents(t, clone); got != "" {
		t.Errorf("clone: %q", got)
	}
	if len(clone.OpenFiles()) > 0 {
		t.Error("the clone has open files")
	}
}

// A file that was synced with its directory, and not touched since, always survives a crash.
func TestSyncedFilesSurvive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := NewMem()
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		safe := map[string][]byte{}
		name := func() string { return fmt.Sprintf("/%c", 'a'+rng.IntN(4)) }
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			path := name()
			switch rng.IntN(4) {
			case 0:
				delete(safe, path)
				file, err := m.Create(path)
				if err != nil {
					t.Fatal(err)
				}
				content := []byte(fmt.Sprint(rng.Uint32()))
				if _, err := file.Write(content); err != nil {
					t.Fatal(err)
				}
				if rng.IntN(2) == 0 {
					if err := file.Sync(); err != nil {
						t.Fatal(err)
					}
					if err := m.SyncDir("/"); err != nil {
						t.Fatal(err)
					}
					safe[path] = content
				}
			case 1:
				delete(safe, path)
				_ = m.Remove(path)
			case 2:
				to := name()
				if path != to && m.Rename(path, to) == nil {
					delete(safe, path)
					delete(safe, to)
				}
			case 3:
				m.Crash(rng)
			}
		}
		m.Crash(rng)
		for path, want := range safe {
			file, err := m.Open(path)
			if err != nil {
				t.Fatalf("lost: %v", err)
			}
			if got, err := io.ReadAll(file); err != nil || !bytes.Equal(got, want) {
				t.Fatalf("%s: %q, %v, want %q", filepath.Base(path), got, err, want)
			}
		}
	})
}
