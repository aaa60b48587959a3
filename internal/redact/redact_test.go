package redact_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/redact"
)

func TestActions(t *testing.T) {
	t.Parallel()
	const text = "ann@example.com, bob@example.com, ann@example.com"
	rule := redact.Rule{Name: "mail", Detector: redact.Email}
	rule.Action = redact.Mask
	if got, _ := compile(t, rule).NewPass(nil).Text(text, "input"); got != "[mail], [mail], [mail]" {
		t.Error(got)
	}
	rule.Action = redact.Drop
	if got, _ := compile(t, rule).NewPass(nil).Text(text, "input"); got != ", , " {
		t.Error(got)
	}
	rule.Action = redact.Hash
	hashed, _ := compile(t, rule).NewPass(nil).Text(text, "input")
	got := strings.Split(hashed, ", ")
	if !regexp.MustCompile(`^\[mail:[0-9a-f]{16}\]$`).MatchString(got[0]) || got[0] != got[2] || got[0] == got[1] {
		t.Error(got)
	}
	other, err := redact.Compile([]redact.Rule{rule}, []byte("another key"))
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := other.NewPass(nil).Text(text, "input"); strings.HasPrefix(again, got[0]) {
		t.Error("another key has the same hash")
	}
	rule.Disabled = true
	rules := compile(t, rule)
	if got, changed := rules.NewPass(nil).Text(text, "input"); !rules.Empty() || changed || got != text {
		t.Errorf("a disabled rule made %q", got)
	}
}

func TestOverlapsGoToTheFirstRule(t *testing.T) {
	t.Parallel()
	rules := compile(t,
		redact.Rule{Name: "order", Pattern: `order \d{4}`, Action: redact.Mask},
		redact.Rule{Name: "card", Detector: redact.Card, Action: redact.Drop},
		redact.Rule{Name: "digits", Pattern: `\d+`, Action: redact.Drop},
	)
	var counts [3]int
	got, _ := rules.NewPass(func(r redact.Replacement) { counts[r.Rule]++ }).Text("order 4111 1111 1111 1111, 4111 1111 1111 1111, 7", "input")
	if got != "[order], , " {
		t.Error(got)
	}
	if counts != [3]int{1, 1, 1} {
		t.Errorf("the rules replaced %d pieces", counts)
	}
}

func TestPaths(t *testing.T) {
	t.Parallel()
	const text = `{"a": {"ssn": 123, "name": "Ann", "ok": true}, "list": [{"ssn": "1\n2"}, {"x": {"ssn": [1, "y"]}}], "z": null}`
	for path, want := range map[string]string{
		"input.a.ssn":      `{"a": {"ssn": "[p]", "name": "Ann", "ok": true}, "list": [{"ssn": "1\n2"}, {"x": {"ssn": [1, "y"]}}], "z": null}`,
		"input.a":          `{"a": {"ssn": "[p]", "name": "[p]", "ok": true}, "list": [{"ssn": "1\n2"}, {"x": {"ssn": [1, "y"]}}], "z": null}`,
		"input.list.0.ssn": `{"a": {"ssn": 123, "name": "Ann", "ok": true}, "list": [{"ssn": "[p]"}, {"x": {"ssn": [1, "y"]}}], "z": null}`,
		"input.list.*.*":   `{"a": {"ssn": 123, "name": "Ann", "ok": true}, "list": [{"ssn": "[p]"}, {"x": {"ssn": ["[p]", "[p]"]}}], "z": null}`,
		"input.**.ssn":     `{"a": {"ssn": "[p]", "name": "Ann", "ok": true}, "list": [{"ssn": "[p]"}, {"x": {"ssn": ["[p]", "[p]"]}}], "z": null}`,
		"**.ssn":           `{"a": {"ssn": "[p]", "name": "Ann", "ok": true}, "list": [{"ssn": "[p]"}, {"x": {"ssn": ["[p]", "[p]"]}}], "z": null}`,
		"**.x.**.1":        `{"a": {"ssn": 123, "name": "Ann", "ok": true}, "list": [{"ssn": "1\n2"}, {"x": {"ssn": [1, "[p]"]}}], "z": null}`,
		"output.a":         text,
		"input.*.none":     text,
		"input.z":          text,
	} {
		rules := compile(t, redact.Rule{Name: "p", Path: path, Action: redact.Mask})
		got, changed := rules.NewPass(nil).JSON([]byte(text), "input")
		if string(got) != want || changed != (want != text) {
			t.Errorf("%s: %s", path, got)
		}
	}
	rules := compile(t, redact.Rule{Name: "p", Path: "input.a", Action: redact.Drop})
	got, _ := rules.NewPass(nil).JSON([]byte(`{"a": ["x", 1], "b": 2}`), "input")
	if string(got) != `{"a": [null, null], "b": 2}` {
		t.Errorf("%s", got)
	}
	rules = compile(t, redact.Rule{Name: "p", Path: "error_message", Action: redact.Mask})
	if got, _ := rules.NewPass(nil).Text("boom", "error_message"); got != "[p]" {
		t.Error(got)
	}
}

func TestJSON(t *testing.T) {
	t.Parallel()
	rules := compile(t, allDetectors()...)
	for text, want := range map[string]string{
		`{"a@b.example": "x"}`:                                        `{"a@b.example": "x"}`, // keys stay
		`["tell\nann@example.com\n\"now\"", 1.50]`:                    `["tell\u000a[email]\u000a\"now\"", 1.50]`,
		`{"card": 4111111111111111, "n": 12, "f": 4.111111111111111}`: `{"card": "[card]", "n": 12, "f": 4.111111111111111}`,
		`"\u002b49 30 1234567"`:                                       `"[phone]"`,
		`not json ann@example.com`:                                    `"not json [email]"`,
		``:                                                            ``,
	} {
		got, _ := rules.NewPass(nil).JSON([]byte(text), "input")
		if string(got) != want {
			t.Errorf("%s became %s, want %s", text, got, want)
		}
		if len(got) > 0 && !json.Valid(got) {
			t.Errorf("%s is not valid", got)
		}
	}
}

func TestReplacementsAreReported(t *testing.T) {
	t.Parallel()
	rules := compile(t, redact.Rule{Name: "mail", Detector: redact.Email, Action: redact.Mask})
	var seen []redact.Replacement
	rules.NewPass(func(r redact.Replacement) { seen = append(seen, r) }).JSON([]byte(`{"messages": [{"text": "to ann@example.com"}]}`), "input")
	want := redact.Replacement{Rule: 0, Path: "input.messages.0.text", Before: "ann@example.com", After: "[mail]"}
	if len(seen) != 1 || seen[0] != want {
		t.Errorf("%+v", seen)
	}
}

// TestReportChangesNothing replaces the same whether or not somebody is told where.
func TestReportChangesNothing(t *testing.T) {
	t.Parallel()
	rules := compile(t, allDetectors()...)
	for _, text := range []string{
		`{"a":["ann@example.com",{"b\u0041":"call +49 30 123456, \u0061nn@example.com"}],"c":4111111111111111,"d":[[["10.0.0.1"]],"none"]}`,
		`["",{},[],null,"sk-abcdefghijklmnopqrstuvwxyz0123456789"]`, `"DE89 3704 0044 0532 0130 00"`,
	} {
		tree, err := jsontree.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		told := 0
		silent, _ := rules.NewPass(nil).Value(tree, "input")
		reported, _ := rules.NewPass(func(redact.Replacement) { told++ }).Value(tree, "input")
		if string(silent) != string(reported) || told == 0 || string(silent) == text {
			t.Errorf("%s became %s, and with %d reports %s", text, silent, told, reported)
		}
	}
}

// Texts that regular expressions cannot read within the limit are replaced as a
// whole.
func TestRegularExpressionsAreBounded(t *testing.T) {
	t.Parallel()
	rules := compile(t, redact.Rule{Name: "slow", Pattern: `[a-z]{0,200}x{1,200}`, Action: redact.Mask})
	long := strings.Repeat("y ", 1<<20)
	pass := rules.NewPass(nil)
	if got, _ := pass.Text("short xx", "input"); got != "short [slow]" {
		t.Errorf("%q", got)
	}
	if got, _ := pass.Text(long, "input"); got != "[slow]" {
		t.Errorf("%.40q", got)
	}
	literal := compile(t, redact.Rule{Name: "ref", Pattern: `REF-[a-z]{0,200}x{1,200}`, Action: redact.Mask})
	if got, _ := literal.NewPass(nil).Text(long, "input"); got != long {
		t.Errorf("%.40q", got)
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	many := make([]redact.Rule, redact.MaxRules+1)
	for _, test := range []struct {
		list []redact.Rule
		want string
	}{
		{allDetectors(), ""},
		{[]redact.Rule{{Name: "a", Path: "metadata.user.*", Action: redact.Hash}, {Name: "b c-d_1", Pattern: `\bREF\d+`, Action: redact.Drop}}, ""},
		{many, "at most 50"},
		{[]redact.Rule{{Name: "", Detector: redact.Email, Action: redact.Mask}}, "A name has"},
		{[]redact.Rule{{Name: "a]b", Detector: redact.Email, Action: redact.Mask}}, "A name has"},
		{[]redact.Rule{{Name: "a", Detector: redact.Email, Action: "x"}}, `Unknown action "x"`},
		{[]redact.Rule{{Name: "a", Action: redact.Mask}}, "exactly one of"},
		{[]redact.Rule{{Name: "a", Detector: redact.Email, Path: "input", Action: redact.Mask}}, "exactly one of"},
		{[]redact.Rule{{Name: "a", Detector: "nose", Action: redact.Mask}}, `Unknown detector "nose"`},
		{[]redact.Rule{{Name: "a", Pattern: `(`, Action: redact.Mask}}, "Not a valid regular expression"},
		{[]redact.Rule{{Name: "a", Pattern: `x*`, Action: redact.Mask}}, "matches an empty text"},
		{[]redact.Rule{{Name: "a", Pattern: `(x{30}){30}(y{30}){30}`, Action: redact.Mask}}, "too large"},
		{[]redact.Rule{{Name: "a", Pattern: strings.Repeat("x", 1001), Action: redact.Mask}}, "at most 1000 bytes"},
		{[]redact.Rule{{Name: "a", Path: "input..x", Action: redact.Mask}}, "list of keys"},
		{[]redact.Rule{{Name: "a", Path: "inputs.x", Action: redact.Mask}}, "begins with"},
		{[]redact.Rule{{Name: "a", Path: "**.a.**.b.**.c.**.d", Action: redact.Mask}}, "at most three"},
		{[]redact.Rule{{Name: "a", Detector: redact.Email, Action: redact.Mask}, {Name: "a", Detector: redact.IP, Action: redact.Mask}}, "same name"},
	} {
		var problems fault.Problems
		redact.Check(test.list, []any{"body", "rules"}, &problems)
		got := fmt.Sprint(problems.Err())
		if test.want == "" && problems.Any() || !strings.Contains(got, test.want) {
			t.Errorf("%+v: %s, want %s", test.list[0], got, test.want)
		}
	}
}

// BenchmarkDetectors reads a log of 2.6 KB, which was parsed when it was received, with
// all built-in detectors.
func BenchmarkDetectors(b *testing.B) {
	rules := compile(b, allDetectors()...)
	sentence := "Please summarise the following order of 2026-11-16 and tell the customer when it arrives; the total is 1,234.50 EUR.\n"
	text, err := json.Marshal(map[string]any{"type": "chat", "messages": []any{
		map[string]any{"role": "user", "content": []any{map[string]any{"type": "text", "text": strings.Repeat(sentence, 11)}}},
		map[string]any{"role": "assistant", "content": []any{map[string]any{"type": "text", "text": strings.Repeat(sentence, 11)}}},
	}})
	if err != nil {
		b.Fatal(err)
	}
	tree, err := jsontree.Parse(text)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, changed := rules.NewPass(nil).Value(tree, "input"); changed {
			b.Fatal("something was found")
		}
	}
}
