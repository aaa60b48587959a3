package step

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// parse reads a configuration of a test.
func parse(t *testing.T, text string) jsontree.Value {
	t.Helper()
	config, err := jsontree.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return config
}

// TestInitialConfigurationsAreValid prepares each type as an editor creates it,
// with the texts that a person has yet to type.
func TestInitialConfigurationsAreValid(t *testing.T) {
	t.Parallel()
	for _, spec := range Specs() {
		text := strings.NewReplacer(`"$source"`, `"a"`, `""`, `"x"`, `"https://"`, `"https://example.com"`).Replace(string(spec.Initial))
		typ, _ := Find(spec.Name)
		if _, err := typ.Prepare(parse(t, text)); err != nil {
			t.Errorf("%s: %s: %v", spec.Name, text, err)
		}
		for name := range parse(t, string(spec.Initial)).Members() {
			if !declares(spec, name) {
				t.Errorf("%s: the initial configuration has the undeclared member %s", spec.Name, name)
			}
		}
	}
}

func declares(spec Spec, name string) bool {
	return slices.ContainsFunc(spec.Fields, func(f Field) bool { return f.Name == name || slices.Contains(f.Aliases, name) })
}

// examples are values of fields by kind.
var examples = map[FieldKind]string{
	FieldSource: `"a"`, FieldSources: `["a","b"]`, FieldText: `"x"`, FieldTexts: `["x","y"]`, FieldURL: `"https://example.com"`, FieldLong: `"x"`, FieldPattern: `"$"`,
	FieldNumber: `1`, FieldMapping: `{"v":"a"}`, FieldHeaders: `{"X-A":"b"}`, FieldFlag: `true`, FieldJSON: `null`,
}

// TestReadersReadWhatSpecsDeclare runs each reader over many configurations and
// compares the members it asks for with the declared ones, in both directions.
func TestReadersReadWhatSpecsDeclare(t *testing.T) {
	t.Parallel()
	for _, spec := range Specs() {
		seen := map[string]bool{}
		for _, config := range configurations(spec) {
			c := newSettings(&spec, parse(t, config))
			c.seen = func(name string) { seen[name] = true }
			spec.read(c)
		}
		for name := range seen {
			if _, ok := spec.field(name); !ok {
				t.Errorf("%s: the reader asks for the undeclared member %s", spec.Name, name)
			}
		}
		for _, field := range spec.Fields {
			if !seen[field.Name] {
				t.Errorf("%s: nothing reads the declared member %s", spec.Name, field.Name)
			}
		}
	}
}

// configurations returns the initial configuration of a type, an empty one, one
// with every member, and one for each choice.
func configurations(spec Spec) []string {
	initial := strings.NewReplacer(`"$source"`, `"a"`, `""`, `"x"`).Replace(string(spec.Initial))
	list := []string{"{}", initial, object(spec, "", "")}
	for _, field := range spec.Fields {
		for _, choice := range field.Choices {
			list = append(list, object(spec, field.Name, choice.Value))
		}
	}
	return list
}

// object returns a configuration with every member of the type, and one choice
// made.
func object(spec Spec, chosen, value string) string {
	var members []string
	for _, field := range spec.Fields {
		text := examples[field.Kind]
		if field.Kind == FieldChoice {
			text = `"` + field.Choices[0].Value + `"`
		}
		if field.Name == chosen {
			text = `"` + value + `"`
		}
		members = append(members, fmt.Sprintf("%q:%s", field.Name, text))
	}
	return "{" + strings.Join(members, ",") + "}"
}

var placeholder = regexp.MustCompile(`\{([^}]*)\}`)

// TestSpecsAreComplete checks what the editors rely on.
func TestSpecsAreComplete(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, spec := range Specs() {
		if names[spec.Name] {
			t.Errorf("%s is declared twice", spec.Name)
		}
		names[spec.Name] = true
		if spec.Label == "" || spec.Icon == "" || !strings.HasSuffix(spec.Doc, ".") || !slices.Contains(Groups, spec.Group) || !json.Valid(spec.Initial) {
			t.Errorf("%s is incomplete: %+v", spec.Name, spec)
		}
		for _, match := range placeholder.FindAllStringSubmatch(spec.Summary, -1) {
			for _, name := range strings.FieldsFunc(match[1], func(r rune) bool { return r == '|' || r == '/' }) {
				if _, ok := spec.field(name); !ok {
					t.Errorf("%s: the summary names the undeclared member %s", spec.Name, name)
				}
			}
		}
		for _, field := range spec.Fields {
			if field.Label == "" || field.Kind == FieldChoice && len(field.Choices) == 0 {
				t.Errorf("%s: the field %s is incomplete: %+v", spec.Name, field.Name, field)
			}
			hasURL := slices.ContainsFunc(spec.Fields, func(f Field) bool { return f.Kind == FieldURL })
			if field.Secret && !hasURL || len(field.Public) > 0 && !field.Secret {
				t.Errorf("%s: the field %s is secret without a server, or public without being secret", spec.Name, field.Name)
			}
		}
	}
}
