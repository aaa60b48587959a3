package step_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/step"
)

func TestJSONPath(t *testing.T) {
	t.Parallel()
	const values = `{"v":{"z":1.50,"a":{"k-1":"x","list":[0,1,2,3,4],"é":[]},"n":null,"list":[{"k":1},{"k":2},{"a":{"k":3}}]},"s":"[1, {\"b\":2}]","x":"x","i":5,"null":null}`
	at := func(path string) string { return `{"source":"v","json_path":"` + path + `"}` }
	all := func(path string) string { return `{"source":"v","path":"` + path + `","return_first_match":false}` }
	runExamples(t, "JSON_PATH", step.Env{}, []example{
		{name: "root", config: `{"source":"s","json_path":"$"}`, values: values, want: `[1,{"b":2}]`, sources: "s"},
		{name: "bytes are kept", config: at("$.z"), values: values, want: `1.50`},
		{name: "string is parsed", config: `{"source":"s","path":"$[1].b"}`, values: values, want: `2`},
		{name: "without a root", config: at("a.list[2]"), values: values, want: `2`},
		{name: "quoted key", config: at("$['a']['k-1']"), values: values, want: `"x"`},
		{name: "key in other letters", config: at("$.a.é"), values: values, want: `[]`},
		{name: "from the end", config: at("$.a.list[-1]"), values: values, want: `4`},
		{name: "beyond the end", config: at("$.a.list[5]"), values: values, want: `null`},
		{name: "before the start", config: at("$.a.list[-6]"), values: values, want: `null`},
		{name: "null is a match", config: all("$.n"), values: values, want: `[null]`},
		{name: "no match", config: at("$.nothing"), values: values, want: `null`},
		{name: "no matches", config: all("$.nothing[*]"), values: values, want: `[]`},
		{name: "slice", config: all("$.a.list[1:3]"), values: values, want: `[1,2]`},
		{name: "open slice", config: all("$.a.list[3:]"), values: values, want: `[3,4]`},
		{name: "slice from the end", config: all("$.a.list[-2:]"), values: values, want: `[3,4]`},
		{name: "slice up to the end", config: all("$.a.list[:-3]"), values: values, want: `[0,1]`},
		{name: "every second", config: all("$.a.list[::2]"), values: values, want: `[0,2,4]`},
		{name: "backwards", config: all("$.a.list[::-1]"), values: values, want: `[4,3,2,1,0]`},
		{name: "slice beyond the end", config: all("$.a.list[4:99999999999]"), values: values, want: `[4]`},
		{name: "huge step", config: all("$.a.list[1::9223372036854775807]"), values: values, want: `[1]`},
		{name: "all elements", config: all("$.list[*].k"), values: values, want: `[1,2]`},
		{name: "all members in order", config: all("$.a.*"), values: values, want: `["x",[0,1,2,3,4],[]]`},
		{name: "union of keys", config: all("$['z','n']"), values: values, want: `[1.50,null]`},
		{name: "union of indexes", config: all("$.a.list[0,-1]"), values: values, want: `[0,4]`},
		{name: "descent", config: all("$..k"), values: values, want: `[1,2,3]`},
		{name: "descent to an index", config: all("$..list[0]"), values: values, want: `[{"k":1},0]`},
		{name: "first of a descent", config: at("$..k"), values: values, want: `1`},
		{name: "return_all", config: `{"source":"v","path":"$..k","return_all":true}`, values: values, want: `[1,2,3]`},
		{name: "canonical spelling wins", config: `{"source":"v","path":"$..k","return_all":true,"return_first_match":true}`, values: values, want: `1`},
		{name: "nulls", config: `{"source":"v","json_path":null,"path":"$..k","return_all":null,"return_first_match":null}`, values: values, want: `1`},
		{name: "scalar", config: `{"source":"i","path":"$.a"}`, values: values, want: `null`},
		{name: "null source", config: `{"source":"null","path":"$.a"}`, values: values, want: `null`},
		{name: "not JSON", config: `{"source":"x","path":"$"}`, values: values, fails: "the value of 'x' is not valid JSON"},
		{name: "filter", config: at("$.list[?(@.k > 1)]"), refused: "unsupported JSON path"},
		{name: "script", config: at("$.list[(@.length-1)]"), refused: "JSON path"},
		{name: "step of zero", config: at("$[::0]"), refused: "unsupported JSON path"},
		{name: "ends in dots", config: at("$.."), refused: "JSON path"},
		{name: "not closed", config: at("$.a["), refused: "invalid JSON path"},
		{name: "empty", config: at(""), refused: "json_path: String should have at least 1 character"},
		{name: "none", config: `{"source":"v"}`, refused: "json_path: Field required"},
		{name: "very long", config: at(strings.Repeat(".a", 3000)), refused: "longer than"},
		{name: "flag is a string", config: `{"source":"v","path":"$","return_all":"yes"}`, refused: "return_all: Input should be a valid boolean"},
	})
}

// TestHostilePaths checks the limit for paths with an exponential number of
// visits.
func TestHostilePaths(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat(`{"a":[`, 80) + strings.Repeat(`]}`, 80)
	wide := "[" + strings.Repeat("[],", 200_000) + "1]"
	for name, c := range map[string]struct{ path, value string }{
		"many descents":         {"$" + strings.Repeat("..*", 30), deep},
		"many descents to keys": {"$" + strings.Repeat("..a", 30), deep},
		"wide union":            {"$[" + strings.Repeat("-1,", 1000) + "-1]", wide},
		"union of unions":       {"$" + strings.Repeat("['a','a','a','a']", 60), strings.Repeat(`{"a":`, 70) + "1" + strings.Repeat("}", 70)},
		"slices of everything":  {"$..[::-1]..[::-1]..[::-1]", deep},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			prepared := mustPrepare(t, "JSON_PATH", fmt.Sprintf(`{"source":"v","path":"%s","return_all":true}`, c.path))
			began := time.Now()
			_, err := prepared.Run(t.Context(), &step.Env{Values: valuesOf(t, `{"v":`+c.value+`}`)})
			if took := time.Since(began); took > timeout {
				t.Errorf("took %v", took)
			}
			wantFault(t, err, "too")
		})
	}
}
