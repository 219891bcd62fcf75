package page

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"analyzer/compose/answers"
	"analyzer/compose/cluster/protocol"
)

// TestOpenAPI holds docs/openapi.yaml to what is served: routes, fields, formats and codes.
func TestOpenAPI(t *testing.T) {
	text, err := os.ReadFile("../../../docs/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	type schema struct {
		Properties map[string]struct {
			Enum []string `yaml:"enum"`
		} `yaml:"properties"`
	}
	var api struct {
		Paths      map[string]map[string]yaml.Node `yaml:"paths"`
		Components struct {
			Schemas map[string]schema `yaml:"schemas"`
		} `yaml:"components"`
	}
	if err := yaml.Unmarshal(text, &api); err != nil {
		t.Fatal(err)
	}
	var documented, served []string
	for path, methods := range api.Paths {
		for method := range methods {
			if method != "parameters" {
				documented = append(documented, strings.ToUpper(method)+" "+path)
			}
		}
	}
	for _, r := range new(Page).routes() {
		served = append(served, r.pattern)
	}
	slices.Sort(documented)
	slices.Sort(served)
	if !slices.Equal(documented, served) {
		t.Errorf("documented are\n%s\nserved\n%s", strings.Join(documented, "\n"), strings.Join(served, "\n"))
	}
	for name, value := range map[string]any{
		"Request": Request{}, "Job": Job{}, "Stage": Stage{}, "Answer": Answer{}, "Table": Table{}, "Failure": Failure{},
	} {
		var fields, written []string
		for i := range reflect.TypeOf(value).NumField() {
			tag, _, _ := strings.Cut(reflect.TypeOf(value).Field(i).Tag.Get("json"), ",")
			fields = append(fields, tag)
		}
		for field := range api.Components.Schemas[name].Properties {
			written = append(written, field)
		}
		slices.Sort(fields)
		slices.Sort(written)
		if !slices.Equal(fields, written) {
			t.Errorf("%s has %q, documented are %q", name, fields, written)
		}
	}
	codes := api.Components.Schemas["Failure"].Properties["code"].Enum
	if len(codes) != len(meanings()) {
		t.Errorf("%d codes are documented, there are %d", len(codes), len(meanings()))
	}
	for _, code := range codes {
		if meanings()[protocol.Code(code)].status == 0 {
			t.Errorf("there is no code %s", code)
		}
	}
	for format, kind := range formats() {
		if format != answers.JSON && !strings.Contains(string(text), strings.TrimSuffix(kind, "; charset=utf-8")+": {}") {
			t.Errorf("%s is not documented as %s", format, kind)
		}
	}
}
