package protocol

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"analyzer/shuffle/broker"
)

func page(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../../docs/protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// example is a fenced block of the page.
type example struct {
	kind, of string // such as json, Status
	text     []byte
}

func examples(t *testing.T) []example {
	t.Helper()
	var out []example
	for _, m := range regexp.MustCompile("(?ms)^```(\\w+) ([^\n]+)\n(.*?)^```$").FindAllStringSubmatch(page(t), -1) {
		out = append(out, example{kind: m[1], of: m[2], text: []byte(m[3])})
	}
	return out
}

// The code reads each example and writes it back unchanged. So an example has no member
// that the code does not know, and leaves none out.
func TestExamplesOfThePage(t *testing.T) {
	kinds := map[string]any{
		"OpenRequest": new(OpenRequest), "Opened": new(Opened), "JobRequest": new(JobRequest), "Status": new(Status),
		"List": new(List), "KeysRequest": new(KeysRequest), "Keys": new(Keys), "TableEnd": new(TableEnd), "JobEnd": new(JobEnd),
		"Put": new(Put), "Ticket": new(Ticket), "CutRequest": new(CutRequest), "NoteRequest": new(NoteRequest), "Note": new(Note),
		"BindRequest": new(BindRequest), "FeedRequest": new(FeedRequest), "News": new(News),
	}
	seen := make(map[string]bool)
	for _, e := range examples(t) {
		seen[e.of] = true
		if e.kind == "hex" {
			continue
		}
		if kinds[e.of] == nil {
			t.Errorf("an example of %q", e.of)
			continue
		}
		into := reflect.New(reflect.TypeOf(kinds[e.of]).Elem()).Interface()
		d := json.NewDecoder(bytes.NewReader(e.text))
		d.DisallowUnknownFields()
		if err := d.Decode(into); err != nil {
			t.Errorf("%s: %v", e.of, err)
			continue
		}
		text, err := json.Marshal(into)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := plain(t, text), plain(t, e.text); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: the page says\n%v\nthe code\n%v", e.of, want, got)
		}
	}
	for kind := range kinds {
		if !seen[kind] {
			t.Errorf("there is no example of %s", kind)
		}
	}
}

// plain reads JSON as maps and slices.
func plain(t *testing.T, text []byte) (out any) {
	t.Helper()
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// Opening the page's request gives the page's result.
func TestThePageOpensAJob(t *testing.T) {
	var r OpenRequest
	var want Opened
	for _, e := range examples(t) {
		var err error
		switch e.of {
		case "OpenRequest":
			err = json.Unmarshal(e.text, &r)
		case "Opened":
			err = json.Unmarshal(e.text, &want)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	spec, err := NewSpec(nil, r, "ann", 2, broker.Classic, time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(Opened{Job: spec.ID, Spec: spec})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(plain(t, got), plain(t, text)) {
		t.Errorf("open makes\n%s\nthe page says\n%s", got, text)
	}
}

func TestNumbersOfThePage(t *testing.T) {
	for _, e := range examples(t) {
		if e.kind != "hex" {
			continue
		}
		words := strings.Fields(e.of)
		var numbers []uint64
		for _, w := range words[1:] {
			n, err := strconv.ParseUint(w, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			numbers = append(numbers, n)
		}
		got := EncodeKeys(numbers)
		if words[0] == "number" {
			got = EncodeNumber(numbers[0])
		}
		if want := strings.TrimSpace(string(e.text)); hex.EncodeToString(got) != want {
			t.Errorf("%s: the code writes %x, the page says %s", e.of, got, want)
		}
	}
}

// The page names every action, code, state and phase of the code, each code with its gRPC
// code, and every limit with its value.
func TestThePageNamesEverything(t *testing.T) {
	text := page(t)
	for _, name := range []string{"actions.go", "errors.go", "status.go"} {
		for constant, value := range constants(t, name) {
			if constant == "domain" || constant == "grpcCodes" {
				continue
			}
			if !strings.Contains(text, "`"+value+"`") {
				t.Errorf("the page does not name %s, %s", constant, value)
			}
			if row := fmt.Sprintf("| `%s` | %s |", value, Code(value).GRPC()); name == "errors.go" && !strings.Contains(text, row) {
				t.Errorf("the page has no row %s", row)
			}
		}
	}
	limits := map[string]any{
		"MaxMessage": MaxMessage, "Margin": Margin, "MaxBatch": MaxBatch, "MaxPage": MaxPage, "MaxRows": MaxRows,
		"MaxRequest": MaxRequest, "MaxReason": MaxReason, "MaxCounts": MaxCounts, "MaxKeys": MaxKeys, "MaxRow": MaxRow, "Window": Window,
		"MinTTL": MinTTL, "MaxTTL": MaxTTL, "MaxBlock": MaxBlock, "MaxNote": MaxNote, "MaxSourceFiles": MaxSourceFiles, "FileBytes": FileBytes,
	}
	for name := range constants(t, "limits.go") {
		if limits[name] == nil {
			t.Errorf("the limit %s is not held to the page", name)
		}
	}
	for name, value := range limits {
		if row := fmt.Sprintf("| %s | %v |", name, value); !strings.Contains(text, row) {
			t.Errorf("the page has no row %s", row)
		}
	}
}

// constants returns the constants of a file, with the values of those that are text.
func constants(t *testing.T, file string) map[string]string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	out := make(map[string]string)
	ast.Inspect(f, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != len(spec.Names) {
			return true
		}
		for i, name := range spec.Names {
			value, _ := spec.Values[i].(*ast.BasicLit)
			if out[name.Name] = ""; value != nil {
				out[name.Name] = strings.Trim(value.Value, `"`)
			}
		}
		return true
	})
	if len(out) == 0 {
		t.Fatalf("%s has no constants", file)
	}
	return out
}
