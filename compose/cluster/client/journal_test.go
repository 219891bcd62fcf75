package client

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"analyzer/columnar/vfs"
	"analyzer/columnar/vfs/vfstest"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/engine"
	"analyzer/operators/query/physical"
)

func put(t testing.TB, fs vfs.FS, name, text string) {
	t.Helper()
	f, err := fs.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.WriteString(f, text)
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
}

func newSpec() *protocol.Spec { return &protocol.Spec{ID: protocol.NewJobID(), Opened: time.Now()} }

func TestJournalComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		fs, spec := vfs.NewMem(), newSpec()
		j, err := NewJournal(fs, "/cache/jobs", spec, "source", func(err error) { t.Error(err) })
		if err != nil {
			t.Fatal(err)
		}
		scans := rapid.IntRange(0, 3)
		batches := rapid.SampledFrom([]uint64{0, 1, 2, 70_000, 1<<32 - 1})
		type key struct {
			scan  int
			batch uint64
		}
		acked, ended := make(map[key]bool), make(map[int]bool)
		for range rapid.IntRange(0, 30).Draw(t, "steps") {
			k := key{scans.Draw(t, "scan"), batches.Draw(t, "batch")}
			switch rapid.IntRange(0, 9).Draw(t, "step") {
			case 0:
				j.end([]int{k.scan}, engine.TableReport{Table: "t"})
				ended[k.scan] = true
			case 1: // another process goes on
				j.save()
				source := ""
				if j, err = OpenJournal(fs, "/cache/jobs", spec.ID, &source, func(err error) { t.Error(err) }); err != nil || source != "source" {
					t.Fatalf("opened with source %q: %v", source, err)
				}
			default:
				if !ended[k.scan] {
					j.acked(k.scan, k.batch)
					acked[k] = true
				}
			}
			for scan := range 4 {
				if j.ended(scan) != ended[scan] {
					t.Fatalf("scan %d ended: %t", scan, j.ended(scan))
				}
				for _, b := range []uint64{0, 1, 2, 70_000, 1<<32 - 1, 1 << 32} {
					if got := j.has(scan, b); !ended[scan] && got != acked[key{scan, b}] {
						t.Fatalf("scan %d has batch %d: %t", scan, b, got)
					}
				}
			}
		}
	})
}

func TestJournalThatCannotBeRead(t *testing.T) {
	id := protocol.NewJobID()
	valid := `{"version":2,"job":"` + id.String() + `","source":"x"`
	for name, text := range map[string]string{
		"nothing":        "",
		"no JSON":        "x",
		"another job":    `{"version":2,"job":"` + protocol.NewJobID().String() + `","source":"x"}`,
		"a version":      strings.Replace(valid, `:2,`, `:1,`, 1) + "}",
		"a broken set":   valid + `,"acked":{"0":"AAAA"}}`,
		"another source": strings.Replace(valid, `"x"`, "7", 1) + "}",
	} {
		fs := vfs.NewMem()
		if err := fs.MkdirAll("/jobs"); err != nil {
			t.Fatal(err)
		}
		put(t, fs, "/jobs/"+id.String()+".json", text)
		source := ""
		if _, err := OpenJournal(fs, "/jobs", id, &source, nil); err == nil || errors.Is(err, ErrNoJournal) {
			t.Errorf("%s: opened: %v", name, err)
		}
	}
	if _, err := OpenJournal(vfs.NewMem(), "/jobs", id, new(string), nil); !errors.Is(err, ErrNoJournal) {
		t.Errorf("no file: %v", err)
	}
}

// Every operation of the file system fails once; the journal is then an old one or
// none, and somebody is told once.
func TestJournalOnAFailingDisk(t *testing.T) {
	for n := int64(0); ; n++ {
		mem, spec := vfs.NewMem(), newSpec()
		fs := vfstest.Inject(mem, vfstest.FailFrom(n))
		told := 0
		j, err := NewJournal(fs, "/jobs", spec, "x", func(error) { told++ })
		if err != nil {
			continue
		}
		j.acked(1, 7)
		j.save()
		j.acked(1, 8)
		j.save()
		again, err := OpenJournal(mem, "/jobs", spec.ID, new(string), nil)
		if err != nil {
			t.Fatalf("operation %d fails: %v", n, err)
		}
		if told > 1 || told == 0 && !again.has(1, 8) {
			t.Errorf("operation %d fails: told %d times, batch 8 noted: %t", n, told, again.has(1, 8))
		}
		if told == 0 {
			return
		}
	}
}

func TestOldJournalsGo(t *testing.T) {
	fs := vfs.NewMem()
	old, young, next := newSpec(), newSpec(), newSpec()
	old.Opened = time.Now().Add(-protocol.MaxTTL - time.Hour)
	for _, spec := range []*protocol.Spec{young, old, next} {
		if _, err := NewJournal(fs, "/jobs", spec, "x", nil); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := OpenJournal(fs, "/jobs", old.ID, new(string), nil); !errors.Is(err, ErrNoJournal) {
		t.Errorf("an old journal: %v", err)
	}
	if _, err := OpenJournal(fs, "/jobs", young.ID, new(string), nil); err != nil {
		t.Errorf("a young journal: %v", err)
	}
}

func TestFingerprints(t *testing.T) {
	fs := vfs.NewMem()
	of := func(text string) protocol.Fingerprint {
		put(t, fs, "/f", text)
		return fingerprintOf(t, fs, "/f")
	}
	for _, size := range []int{0, 1, pageBytes - 1, pageBytes + 1, samples * pageBytes, samples*pageBytes + 1, 3_000_000} {
		text := strings.Repeat("0123456789", size/10+1)[:size]
		p := of(text)
		if again := of(text); again != p {
			t.Errorf("%d bytes: one content has two fingerprints", size)
		}
		if of(text+"0") == p {
			t.Errorf("%d bytes: a longer one is the same", size)
		}
		for _, at := range []int{0, size / 2 / pageBytes * pageBytes, size - 1} {
			inSample := at == 0 || at == size-1 || size <= samples*pageBytes
			if size > 0 && inSample && of(text[:at]+"x"+text[at+1:]) == p {
				t.Errorf("%d bytes: another byte at %d is the same", size, at)
			}
		}
	}
}

// A byte outside the sample is changed by writing to the file, which its time says.
func TestFingerprintsOfFilesWrittenTo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	text := bytes.Repeat([]byte("0123456789"), 300_000)
	write := func() protocol.Fingerprint {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		return fingerprintOf(t, vfs.OS(), path)
	}
	p := write()
	text[pageBytes+1] = 'x'
	for end := time.Now().Add(time.Minute); write() == p; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the file was changed, and has the same fingerprint")
		}
	}
}

func fingerprintOf(t *testing.T, fs vfs.FS, path string) protocol.Fingerprint {
	t.Helper()
	f, err := fs.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, err := Identify(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A table is read once in each phase that scans it. Another file that takes the place of the first
// one between two readings is refused, as is a source that is not the one of the job.
func TestAFileThatIsReplacedBetweenTwoReadings(t *testing.T) {
	fs, spec := vfs.NewMem(), newSpec()
	put(t, fs, "/first", "a,b\n1,2\n")
	put(t, fs, "/second", "a,b\n1,3\n")
	begin := func(j *Journal, name string) (err error) {
		f, err := fs.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		return j.begin(t.Context(), "t", f)
	}
	j, err := NewJournal(fs, "/jobs", spec, "x", func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	for _, reading := range []struct {
		file    string
		changed bool
	}{{"/first", false}, {"/first", false}, {"/second", true}, {"/first", false}} {
		if err := begin(j, reading.file); errors.Is(err, ErrChanged) != reading.changed || !reading.changed && err != nil {
			t.Errorf("%s: %v", reading.file, err)
		}
	}
	f, err := fs.Open("/first")
	if err != nil {
		t.Fatal(err)
	}
	known, err := Identify(t.Context(), f)
	if err = errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	spec.Plan = &physical.Plan{Stages: []*physical.Stage{{Table: "t"}}}
	spec.Sources = map[string]protocol.Source{"t": {SourceFile: protocol.SourceFile{Name: "/first", Fingerprint: known}}}
	j, err = (&Job{Spec: spec}).SourceJournal(protocol.Unit{}, new(Memo))
	if err != nil {
		t.Fatal(err)
	}
	if err := begin(j, "/second"); !errors.Is(err, ErrChanged) {
		t.Errorf("a source that is another one: %v", err)
	}
	if err := begin(j, "/first"); err != nil {
		t.Errorf("the source of the job: %v", err)
	}
}
