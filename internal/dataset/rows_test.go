package dataset_test

import (
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/dataset"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// TestSearchIgnoresEscapes searches one cell: it does not matter how a file
// wrote its characters.
func TestSearchIgnoresEscapes(t *testing.T) {
	t.Parallel()
	s := onSQLite(t)
	group := s.group("g")
	for name, test := range map[string]struct {
		cell           string
		found, missing []string
	}{
		"text":                      {`"\u0130 a\u000ab"`, []string{"İ", "a\nb"}, []string{"u0130", "u000a", `\n`}},
		"letters in an object":      {`{"k":"\u0130","\u00e9":[1]}`, []string{"İ", `{"k":"İ","é":[1]}`, "É"}, []string{"u0130", "u00e9", `\`}},
		"letters in a list":         {`[ "\u65e5\ud83d\ude00" , 1.50 ]`, []string{"日😀", `["日😀",1.50]`}, []string{"65e5", "ud83d", ", 1"}},
		"quotes":                    {`{"k":"say \u0022hi\""}`, []string{`say "hi"`, `"say \"hi\""`}, []string{"u0022"}},
		"backslashes":               {`{"k":"C:\\temp\u005cx"}`, []string{`c:\temp\x`, `C:\\temp\\x`}, []string{"u005c"}},
		"line breaks":               {`[{"k":"a\u000ab\r\tc"}]`, []string{"a\nb", "\r\tc", `a\nb\r\tc`}, []string{"u000a"}},
		"slashes":                   {`["a\/b"]`, []string{"a/b"}, []string{`\`}},
		"characters without a form": {`["\u0001\u0000"]`, []string{"\x01", "\x00"}, []string{"u0001", "u0000"}},
		"escapes that are text":     {`["\\u0130"]`, []string{`\u0130`, `\\u0130`}, []string{"İ"}},
		"half a pair":               {`["\ud800x"]`, []string{"\ufffdx"}, []string{"ud800"}},
		"values in values":          {`{"a":{"b":["\u00fc",true,null]}}`, []string{`{"b":["Ü"`, "true,null]"}, []string{"u00fc"}},
		"numbers":                   {`[12, -1e5]`, []string{"12,-1E5"}, []string{"12, "}},
	} {
		t.Run(name, func(t *testing.T) {
			made := check.Must(s.imported(group, "a.json", `[{"c":`+test.cell+`}]`))(t)
			total := func(text string) int64 {
				return check.Must(s.Rows(s.ctx, &made, dataset.RowQuery{Text: text, Limit: 1}, func([]jsontree.Value) error { return nil }))(t)
			}
			for _, text := range test.found {
				if total(text) != 1 {
					t.Errorf("%q is not found in %s", text, test.cell)
				}
			}
			for _, text := range test.missing {
				if total(text) != 0 {
					t.Errorf("%q is found in %s", text, test.cell)
				}
			}
		})
	}
}
