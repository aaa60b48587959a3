package step_test

import (
	"strings"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/step"
)

func TestRegex(t *testing.T) {
	t.Parallel()
	const values = `{"s":"foo123\nbar","n":42,"z":null,"l":["a"]}`
	runExamples(t, "REGEX", step.Env{}, []example{
		{name: "anywhere", config: `{"source":"s","regex_pattern":"\\d{3}"}`, values: values, want: `true`, sources: "s"},
		{name: "other spelling", config: `{"source":"s","regex_pattern":null,"pattern":"^bar"}`, values: values, want: `false`},
		{name: "flags", config: `{"source":"s","pattern":"(?mi)^BAR$"}`, values: values, want: `true`},
		{name: "lookahead", config: `{"source":"s","pattern":"foo(?=123)"}`, values: values, want: `true`},
		{name: "lookbehind", config: `{"source":"s","pattern":"(?<!foo)123"}`, values: values, want: `false`},
		{name: "backreference", config: `{"source":"s","pattern":"(o)\\1"}`, values: values, want: `true`},
		{name: "named backreference", config: `{"source":"s","pattern":"(?P<c>o)(?P=c)1"}`, values: values, want: `true`},
		{name: "dot and line feed", config: `{"source":"s","pattern":"3.b"}`, values: values, want: `false`},
		{name: "number", config: `{"source":"n","pattern":"^42$"}`, values: values, want: `true`},
		{name: "null", config: `{"source":"z","pattern":"^$"}`, values: values, want: `true`},
		{name: "array", config: `{"source":"l","pattern":"^\\[\"a\"\\]$"}`, values: values, want: `true`},
		{name: "not closed", config: `{"source":"s","pattern":"(a"}`, refused: "invalid regular expression '(a'"},
		{name: "empty", config: `{"source":"s","pattern":""}`, refused: "pattern: String should have at least 1 character"},
		{name: "none", config: `{"source":"s"}`, refused: "regex_pattern: Field required"},
		{name: "too long", config: `{"source":"s","pattern":"` + strings.Repeat("a", 10_001) + `"}`, refused: "longer than"},
	})
}

func TestRegexExtraction(t *testing.T) {
	t.Parallel()
	const values = `{"s":"a=1, b=22, c","d":"2024-05-06 and 2023-01-02","w":"ab","q":"x[y]z-","e":"line\n"}`
	runExamples(t, "REGEX_EXTRACTION", step.Env{}, []example{
		{name: "whole matches", config: `{"source":"s","regex_pattern":"\\d+"}`, values: values, want: `["1","22"]`},
		{name: "one group", config: `{"source":"s","pattern":"(\\w)=\\d"}`, values: values, want: `["a","b"]`},
		{name: "several groups", config: `{"source":"s","pattern":"(\\w)=(\\d+)"}`, values: values, want: `[["a","1"],["b","22"]]`},
		{name: "groups that take no part", config: `{"source":"s","pattern":"(\\w)(=\\d+)?(?:,|$)"}`, values: values, want: `[["a","=1"],["b","=22"],["c",""]]`},
		{name: "group that takes no part", config: `{"source":"w","pattern":"(x)?b"}`, values: values, want: `[""]`},
		{name: "group 0", config: `{"source":"s","pattern":"(\\w)=(\\d+)","group":0}`, values: values, want: `["a=1","b=22"]`},
		{name: "group 2", config: `{"source":"s","pattern":"(\\w)=(\\d+)","group":2}`, values: values, want: `["1","22"]`},
		{name: "named group", config: `{"source":"d","pattern":"(?P<y>\\d{4})-(\\d\\d)-(?P<day>\\d\\d)","group":"day"}`, values: values, want: `["06","02"]`},
		{name: "names do not change numbers", config: `{"source":"d","pattern":"(?P<y>\\d{4})-(\\d\\d)-(?P<day>\\d\\d)"}`, values: values, want: `[["2024","05","06"],["2023","01","02"]]`},
		{name: "empty matches", config: `{"source":"w","pattern":"b*"}`, values: values, want: `["","b",""]`},
		{name: "empty matches before others", config: `{"source":"w","pattern":"a*?|b"}`, values: values, want: `["","a","","b",""]`},
		{name: "ends in a comment", config: `{"source":"w","pattern":"(?x)b*? # nothing"}`, values: values, want: `["","","b",""]`},
		{name: "condition on a group", config: `{"source":"q","pattern":"(?P<o>\\[)?\\w(?(o)\\])","group":0}`, values: values, want: `["x","[y]","z"]`},
		{name: "bracket in a class", config: `{"source":"q","pattern":"[^[a-z-]"}`, values: values, want: `["]"]`},
		{name: "closing bracket in a class", config: `{"source":"q","pattern":"[]x]"}`, values: values, want: `["x","]"]`},
		{name: "the very end", config: `{"source":"e","pattern":"e\\Z"}`, values: values, want: `[]`},
		{name: "before the last line feed", config: `{"source":"e","pattern":"e$"}`, values: values, want: `["e"]`},
		{name: "at most", config: `{"source":"s","pattern":"b=\\d{,1}"}`, values: values, want: `["b=2"]`},
		{name: "literal parenthesis", config: `{"source":"w","pattern":"[(]|\\(|(b)(?#comment()"}`, values: values, want: `["b"]`},
		{name: "no match", config: `{"source":"s","pattern":"z"}`, values: values, want: `[]`},
		{name: "no such group", config: `{"source":"s","pattern":"(a)","group":2}`, refused: "group: Input should be a group of the regular expression"},
		{name: "no such name", config: `{"source":"s","pattern":"(a)","group":"x"}`, refused: "group: Input should be a group of the regular expression"},
		{name: "negative group", config: `{"source":"s","pattern":"(a)","group":-1}`, refused: "group: Input should be a group of the regular expression"},
		{name: "one name twice", config: `{"source":"s","pattern":"(?P<a>a)(?P<a>b)"}`, refused: "invalid regular expression"},
		{name: "unknown name", config: `{"source":"s","pattern":"(?P=a)"}`, refused: "invalid regular expression"},
		{name: "name in quotes", config: `{"source":"s","pattern":"(?'a'a)"}`, refused: "invalid regular expression"},
		{name: "groups in a comment", config: `{"source":"w","pattern":"(?x)(a) # (not) a group\n(b)"}`, values: values, want: `[["a","b"]]`},
		{name: "bad name", config: `{"source":"s","pattern":"(?P<1a>a)"}`, refused: "invalid regular expression"},
	})
}

func TestRegexReplace(t *testing.T) {
	t.Parallel()
	const values = `{"s":"a=1, b=22, c","d":"2024-05-06","w":"aäb","n":42,"z":null}`
	runExamples(t, "REGEX_REPLACE", step.Env{}, []example{
		{name: "all matches", config: `{"source":"s","regex_pattern":"\\d+","replacement":"N"}`, values: values, want: `"a=N, b=N, c"`, sources: "s"},
		{name: "other spelling", config: `{"source":"s","pattern":"(?i)A|C","replacement":"x"}`, values: values, want: `"x=1, b=22, x"`},
		{name: "removes", config: `{"source":"s","pattern":"[ =]"}`, values: values, want: `"a1,b22,c"`},
		{name: "null removes", config: `{"source":"s","pattern":"[ =]","replacement":null}`, values: values, want: `"a1,b22,c"`},
		{name: "groups", config: `{"source":"s","pattern":"(\\w)=(\\d+)","replacement":"\\2=\\1"}`, values: values, want: `"1=a, 22=b, c"`},
		{name: "named groups", config: `{"source":"d","pattern":"(?P<y>\\d+)-(\\d+)-(?P<d>\\d+)","replacement":"\\g<d>.\\g<2>.\\g<y>"}`, values: values, want: `"06.05.2024"`},
		{name: "digits after a group", config: `{"source":"d","pattern":"(\\d+)-.*","replacement":"\\g<1>0"}`, values: values, want: `"20240"`},
		{name: "whole match", config: `{"source":"n","pattern":"\\d","replacement":"<\\g<0>>"}`, values: values, want: `"<4><2>"`},
		{name: "group that takes no part", config: `{"source":"w","pattern":"(x)?b","replacement":"[\\1]"}`, values: values, want: `"aä[]"`},
		{name: "empty matches", config: `{"source":"w","pattern":"b*","replacement":"-"}`, values: values, want: `"-a-ä--"`},
		{name: "characters", config: `{"source":"w","pattern":"ä","replacement":"\\n\\r\\t\\\\$1"}`, values: values, want: `"a\u000a\u000d\u0009\\$1b"`},
		{name: "no match", config: `{"source":"w","pattern":"z","replacement":"x"}`, values: values, want: `"aäb"`},
		{name: "null", config: `{"source":"z","pattern":"^","replacement":"x"}`, values: values, want: `"x"`},
		{name: "not a text", config: `{"source":"s","pattern":"a","replacement":1}`, refused: "replacement: Input should be a valid string"},
		{name: "unknown group", config: `{"source":"s","pattern":"(a)","replacement":"\\2"}`, refused: "unknown group"},
		{name: "unknown name", config: `{"source":"s","pattern":"(a)","replacement":"\\g<x>"}`, refused: "unknown group"},
		{name: "name not closed", config: `{"source":"s","pattern":"(a)","replacement":"\\g<1"}`, refused: "invalid escape sequence"},
		{name: "unknown escape", config: `{"source":"s","pattern":"(a)","replacement":"\\d"}`, refused: "invalid escape sequence"},
		{name: "backslash at the end", config: `{"source":"s","pattern":"a","replacement":"x\\"}`, refused: "invalid escape sequence"},
		{name: "no pattern", config: `{"source":"s","replacement":"x"}`, refused: "regex_pattern: Field required"},
	})
}

func TestRegexReplaceLimitsResult(t *testing.T) {
	t.Parallel()
	values := valuesOf(t, `{"s":"`+strings.Repeat("a", 100_000)+`"}`)
	for _, config := range []string{
		`{"source":"s","pattern":"a","replacement":"` + strings.Repeat("b", 10_000) + `"}`,
		`{"source":"s","pattern":"a+","replacement":"` + strings.Repeat(`\\g<0>`, 100_000) + `"}`,
	} {
		_, err := mustPrepare(t, "REGEX_REPLACE", config).Run(t.Context(), &step.Env{Values: values})
		wantFault(t, err, "larger than")
	}
}

// TestSlowExpressions checks the time limit for catastrophic backtracking.
func TestSlowExpressions(t *testing.T) {
	t.Parallel()
	values := valuesOf(t, `{"s":"`+strings.Repeat("a", 5000)+`","long":"`+strings.Repeat("a", 1<<20+1)+`"}`)
	for _, typ := range []string{"REGEX", "REGEX_EXTRACTION", "REGEX_REPLACE"} {
		t.Run(typ, func(t *testing.T) {
			t.Parallel()
			began := time.Now()
			_, err := mustPrepare(t, typ, `{"source":"s","pattern":"(a*)*(a|aa)+\\1b$"}`).Run(t.Context(), &step.Env{Values: values})
			wantFault(t, err, "takes longer than 2s")
			if took := time.Since(began); took > timeout {
				t.Errorf("took %v", took)
			}
			_, err = mustPrepare(t, typ, `{"source":"long","pattern":"a"}`).Run(t.Context(), &step.Env{Values: values})
			wantFault(t, err, "too large for a regular expression")
		})
	}
}

func TestLargeRepeatsCompileQuickly(t *testing.T) {
	t.Parallel()
	for _, pattern := range []string{`a{2000000000}`, `(a{60000}){60000}`, `((((a{9}){9}){9}){9}){9}`, strings.Repeat("(", 4000) + strings.Repeat(")", 4000)} {
		began := time.Now()
		if prepared, err := prepare(t, "REGEX", `{"source":"s","pattern":"`+pattern+`"}`); err == nil {
			_, _ = prepared.Run(t.Context(), &step.Env{Values: valuesOf(t, `{"s":"aaaaaaaaaaaaaaaaaaaaaa"}`)})
		}
		if took := time.Since(began); took > timeout {
			t.Errorf("%.20s took %v", pattern, took)
		}
	}
}
