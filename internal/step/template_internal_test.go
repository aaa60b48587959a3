package step

import (
	"regexp"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/jsontree"
)

var templateName = regexp.MustCompile(`"\$([a-z]+)"`)

// TestTemplates prepares each template, and checks that its example fits it.
func TestTemplates(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, one := range Templates() {
		t.Run(one.Name, func(t *testing.T) {
			if seen[one.Name] || !strings.HasSuffix(one.Doc, ".") {
				t.Errorf("the template is listed twice or not described: %+v", one)
			}
			seen[one.Name] = true
			kind, known := Find(one.Type)
			if !known {
				t.Fatalf("there is no type %s", one.Type)
			}
			config := parse(t, templateName.ReplaceAllString(string(one.Configuration), `"$1"`))
			prepared, err := kind.Prepare(config)
			if err != nil {
				t.Fatal(err)
			}
			given := map[string]bool{"source": one.Example.Text != ""}
			for _, value := range one.Example.Values {
				given[value.Name] = value.Value != ""
			}
			for _, name := range prepared.Sources() {
				if !given[name] {
					t.Errorf("the example has no %s", name)
				}
			}
			check.Equal(t, "number of values", len(given), len(prepared.Sources()))
			mapped := config.Get("variable_mappings")
			for _, match := range braces.FindAllStringSubmatch(config.Get("prompt").Str()+config.Get("rubric").Str(), -1) {
				if !mapped.Get(match[1]).Given() {
					t.Errorf("the variable %s is not mapped", match[1])
				}
			}
			verdict := parse(t, string(one.Example.Verdict))
			if scale := prepared.Scale(); scale != nil {
				_, fits := scale.Points(verdict)
				check.Equal(t, "verdict fits the scale, and there is a reason", fits && one.Example.Reason != "" && prepared.Explains(), true)
				return
			}
			text := jsontree.MustParse(string(jsontree.AppendQuoted(nil, one.Example.Text)))
			got, err := prepared.Run(t.Context(), &Env{Values: List{{"source", text}}})
			check.Equal(t, "verdict", string(got.Raw()), string(verdict.Raw()))
			check.Equal(t, "error", err, nil)
		})
	}
	check.Equal(t, "number of templates", len(seen), 7)
}
