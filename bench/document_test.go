package bench

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestReportIsDocumented checks that the documentation of bench.json lists exactly its fields.
func TestReportIsDocumented(t *testing.T) {
	text, err := os.ReadFile("../docs/bench.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	var documented []string
	for line := range strings.Lines(table) {
		fields, _, _ := strings.Cut(strings.TrimPrefix(line, "|"), "|")
		for _, f := range regexp.MustCompile("`[^`]+`").FindAllString(fields, -1) {
			documented = append(documented, strings.Trim(f, "`"))
		}
	}
	var want []string
	fieldsOf(reflect.TypeFor[Report](), "", &want)
	slices.Sort(want)
	slices.Sort(documented)
	if !slices.Equal(want, documented) {
		t.Errorf("docs/bench.md has\n%s\nand the report\n%s", strings.Join(documented, "\n"), strings.Join(want, "\n"))
	}
}

// fieldsOf appends the paths of all fields of JSON below a type.
func fieldsOf(of reflect.Type, path string, all *[]string) {
	switch {
	case of.Kind() == reflect.Slice:
		fieldsOf(of.Elem(), path+"[]", all)
	case of.Kind() == reflect.Struct && of != reflect.TypeFor[time.Time]():
		for i := range of.NumField() {
			f := of.Field(i)
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			below := strings.TrimPrefix(path+"."+name, ".")
			if f.Anonymous {
				below = path
			}
			fieldsOf(f.Type, below, all)
		}
	default:
		*all = append(*all, path)
	}
}
