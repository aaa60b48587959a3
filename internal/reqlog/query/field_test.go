package query

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/reqlog"
)

var update = flag.Bool("update", false, "write the table of filter fields to docs/api.md")

// TestFieldsAreComplete checks what the rest of the program relies on.
func TestFieldsAreComplete(t *testing.T) {
	t.Parallel()
	names, queryNames, columns := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for i := range Fields {
		f := &Fields[i]
		t.Run(string(f.Name), func(t *testing.T) {
			if f.Label == "" || !strings.HasSuffix(f.Doc, ".") || f.Section == "" || f.Type.Operators() == nil {
				t.Errorf("incomplete: %+v", f)
			}
			if names[string(f.Name)] || !f.Type.HasKeys() && queryNames[f.QueryName] || f.Column != "" && columns[f.Column] {
				t.Error("a name is used twice")
			}
			names[string(f.Name)], columns[f.Column] = true, true
			queryNames[f.QueryName] = queryNames[f.QueryName] || !f.Type.HasKeys()
			if got, want := readers(f), wantedReaders(f); got != want {
				t.Errorf("reads its value as %q, want %q", got, want)
			}
			if f.Type.HasKeys() != (f.Keys != "") || f.Keys != "" && f.Keys.Type() != TypeArray {
				t.Errorf("keys: %q", f.Keys)
			}
			if isNumber := f.Type == TypeNumeric || f.Type == TypeScore; !isNumber && (f.Metric || f.Unit != "") {
				t.Error("only numbers have a unit and are measured")
			}
			if (f.Sortable || f.GroupBy || f.Metric) && f.Column == "" {
				t.Error("what is sorted, grouped or measured needs a column")
			}
		})
	}
}

// readers names the functions that read the value of a field.
func readers(f *FieldSpec) string {
	var given []string
	for name, is := range map[string]bool{
		"Int": f.Int != nil, "Float": f.Float != nil, "Time": f.Time != nil, "Flag": f.Flag != nil,
		"Word": f.Word != nil, "Text": f.Text != nil, "List": f.List != nil, "Pairs": f.Pairs != nil,
	} {
		if is {
			given = append(given, name)
		}
	}
	slices.Sort(given)
	return strings.Join(given, " ")
}

func wantedReaders(f *FieldSpec) string {
	if !f.Stored() {
		return ""
	}
	if f.Type == TypeNumeric && f.Float != nil {
		return "Float"
	}
	return map[FieldType]string{
		TypeIdentifier: "Int", TypeNumeric: "Int", TypeString: "Word", TypeStatus: "Word", TypeIntent: "List",
		TypeText: "Text", TypeDatetime: "Time", TypeBoolean: "Flag", TypeArray: "List", TypeNested: "Pairs", TypeScore: "Pairs",
	}[f.Type]
}

// TestOptionalFields checks that exactly the optional fields may lack a value.
func TestOptionalFields(t *testing.T) {
	t.Parallel()
	for _, f := range Fields {
		given := true
		switch {
		case f.Int != nil:
			_, given = f.Int(&reqlog.Log{})
		case f.Float != nil:
			_, given = f.Float(&reqlog.Log{})
		case f.Word != nil:
			_, given = f.Word(&reqlog.Log{})
		}
		if given == f.Optional {
			t.Errorf("%s: optional is %v, but an empty log has a value: %v", f.Name, f.Optional, given)
		}
	}
}

func TestOperatorsAreComplete(t *testing.T) {
	t.Parallel()
	used := map[Op]bool{}
	for _, typ := range OperatorsByType {
		for _, op := range typ.Operators {
			used[op] = true
			if spec := op.Spec(); spec.Negates != "" && !slices.Contains(typ.Operators, spec.Negates) {
				t.Errorf("%s takes %s but not %s", typ.Type, op, spec.Negates)
			}
		}
	}
	for _, op := range Operators {
		if !used[op.Name] || op.Label == "" || op.Negates != "" && op.Negates.Spec().Arity != op.Arity {
			t.Errorf("incomplete: %+v", op)
		}
	}
}

const (
	docsStart = "<!-- fields: go test ./internal/reqlog/query -update -->\n"
	docsEnd   = "<!-- end of fields -->\n"
)

// TestFieldsAreDocumented compares the tables in docs with the fields.
func TestFieldsAreDocumented(t *testing.T) {
	t.Parallel()
	compareDocs(t, "../../../docs/api.md", docsTables())
	compareDocs(t, "../../../docs/tracing.md", docsTraceTable())
}

func compareDocs(t *testing.T, docsFile, want string) {
	t.Helper()
	page, err := os.ReadFile(docsFile)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(page), docsStart)
	documented, after, ended := strings.Cut(rest, docsEnd)
	if !found || !ended {
		t.Fatalf("%s has no place for the fields", docsFile)
	}
	if *update {
		if err := os.WriteFile(docsFile, []byte(before+docsStart+want+docsEnd+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, documented); diff != "" {
		t.Errorf("run the test with -update (-want +got):\n%s", diff)
	}
}

func docsTraceTable() string {
	var out strings.Builder
	out.WriteString("| field | type | what it is | also for |\n|---|---|---|---|\n")
	for _, f := range TraceFields {
		fmt.Fprintf(&out, "| `%s` | %s | %s%s | %s |\n", f.Name, f.Type, f.Doc, docsValues(f), docsUses(f))
	}
	return out.String()
}

func docsTables() string {
	var out strings.Builder
	out.WriteString("| field | in the web app | type | what it is | also for |\n|---|---|---|---|---|\n")
	for _, f := range Fields {
		name := f.QueryName
		if f.Type.HasKeys() {
			name += ".KEY"
		}
		fmt.Fprintf(&out, "| `%s` | `%s` | %s | %s%s | %s |\n", f.Name, name, f.Type, f.Doc, docsValues(f), docsUses(f))
	}
	out.WriteString("\n| type | operators |\n|---|---|\n")
	for _, t := range OperatorsByType {
		names := make([]string, len(t.Operators))
		for i, op := range t.Operators {
			names[i] = "`" + string(op) + "`"
		}
		fmt.Fprintf(&out, "| %s | %s |\n", t.Type, strings.Join(names, ", "))
	}
	return out.String()
}

func docsValues(f FieldSpec) string {
	if f.Values == nil {
		return ""
	}
	return " One of `" + strings.Join(f.Values, "`, `") + "`."
}

func docsUses(f FieldSpec) string {
	var uses []string
	for _, use := range []struct {
		name  string
		given bool
	}{{"sorting", f.Sortable}, {"metrics", f.Metric}, {"groups", f.GroupBy}, {"suggestions", f.Suggest != ""}} {
		if use.given {
			uses = append(uses, use.name)
		}
	}
	return strings.Join(uses, ", ")
}
