package step_test

import (
	"testing"

	"github.com/promptuary/promptuary/internal/step"
)

func TestVariable(t *testing.T) {
	t.Parallel()
	runExamples(t, "VARIABLE", step.Env{}, []example{
		{name: "wrapped string", config: `{"value":{"type":"string","value":"a"}}`, want: `"a"`},
		{name: "wrapped JSON text", config: `{"value":{"type":"json","value":"{\"b\":[1.50]}"}}`, want: `{"b":[1.50]}`},
		{name: "wrapped JSON value", config: `{"value":{"type":"json","value":{"b":1}}}`, want: `{"b":1}`},
		{name: "wrapped null", config: `{"value":{"type":"json","value":null}}`, want: `null`},
		{name: "any case", config: `{"value":{"type":"JSON","value":"1"}}`, want: `1`},
		{name: "scalar", config: `{"value":12345678901234567890,"template":"kept"}`, want: `12345678901234567890`},
		{name: "scalar with type", config: `{"value":"[1, 2]","value_type":"json"}`, want: `[1,2]`},
		{name: "type is null", config: `{"value":"[1]","value_type":null}`, want: `"[1]"`},
		{name: "object that is the value", config: `{"value":{"type":"t"}}`, want: `{"type":"t"}`},
		{name: "false", config: `{"value":false}`, want: `false`},
		{name: "null", config: `{"value":null}`, refused: "value: Field required"},
		{name: "no JSON", config: `{"value":{"type":"json","value":"{"}}`, refused: "value: the text is not valid JSON"},
		{name: "unknown type", config: `{"value":{"type":"xml","value":"a"}}`, refused: "value.type: Input should be 'string' or 'json'"},
		{name: "type is a number", config: `{"value":1,"value_type":2}`, refused: "value_type: Input should be '"},
	})
}

func TestCompareStep(t *testing.T) {
	t.Parallel()
	const values = `{"s":"x","t":"X","n":5,"m":"5.0","j":"{\"a\":1,\"b\":[1,2]}","o":{"b":[1.0,2],"a":1e0},"z":null,"big":12345678901234567890,"bigger":12345678901234567891}`
	runExamples(t, "COMPARE", step.Env{}, []example{
		{name: "default", config: `{"sources":["s","s"]}`, values: values, want: `true`, sources: "s"},
		{name: "case counts", config: `{"source1":"s","source2":"t"}`, values: values, want: `false`, sources: "s t"},
		{name: "strings of numbers", config: `{"sources":["n","m"],"comparison_type":"STRING"}`, values: values, want: `false`},
		{name: "target", config: `{"sources":["s"],"target":"x"}`, values: values, want: `true`},
		{name: "first source and a target", config: `{"source1":"s","target":"x"}`, values: values, want: `true`, sources: "s"},
		{name: "numeric target", config: `{"sources":["n"],"target":5,"comparison_type":null}`, values: values, want: `true`},
		{name: "numbers", config: `{"sources":["n","m"],"comparison_type":{"type":"NUMBER"}}`, values: values, want: `true`},
		{name: "lower case", config: `{"sources":["n","m"],"comparison_type":"number"}`, values: values, want: `true`},
		{name: "large numbers", config: `{"sources":["big","bigger"],"comparison_type":"NUMBER"}`, values: values, want: `false`},
		{name: "large numbers in order", config: `{"sources":["big","bigger"],"comparison_type":{"type":"NUMBER","operator":"LT"}}`, values: values, want: `true`},
		{name: "gte", config: `{"sources":["n","m"],"comparison_type":{"type":"NUMBER","operator":"GTE"}}`, values: values, want: `true`},
		{name: "gt", config: `{"sources":["n","m"],"comparison_type":{"type":"NUMBER","operator":"GT"}}`, values: values, want: `false`},
		{name: "no number", config: `{"sources":["n","s"],"comparison_type":{"type":"NUMBER","operator":"LT"}}`, values: values, want: `false`},
		{name: "no number is not equal", config: `{"sources":["n","s"],"comparison_type":{"type":"NUMBER","operator":"NE"}}`, values: values, want: `true`},
		{name: "JSON", config: `{"sources":["j","o"],"comparison_type":{"type":"JSON"}}`, values: values, want: `true`},
		{name: "JSON of a path", config: `{"sources":["j","o"],"comparison_type":{"type":"JSON","json_path":"$.b[1]"}}`, values: values, want: `true`},
		{name: "JSON of other lengths", config: `{"sources":["j"],"target":{"a":1,"b":[1]},"comparison_type":"JSON"}`, values: values, want: `false`},
		{name: "JSON of other elements", config: `{"sources":["j"],"target":{"a":1,"b":[1,3]},"comparison_type":"JSON"}`, values: values, want: `false`},
		{name: "JSON of other members", config: `{"sources":["j"],"target":{"a":1,"c":[1,2]},"comparison_type":"JSON"}`, values: values, want: `false`},
		{name: "JSON of fewer members", config: `{"sources":["j"],"target":{"a":1},"comparison_type":"JSON"}`, values: values, want: `false`},
		{name: "JSON of other kinds", config: `{"sources":["n"],"target":"\"5\"","comparison_type":"JSON"}`, values: values, want: `false`},
		{name: "JSON and text", config: `{"sources":["j","s"],"comparison_type":{"type":"JSON","operator":"NE"}}`, values: values, want: `true`},
		{name: "not JSON", config: `{"sources":["s","s"],"comparison_type":{"type":"JSON"}}`, values: values, want: `false`},
		{name: "not equal", config: `{"sources":["s","t"],"comparison_type":{"type":"STRING","operator":"NE"}}`, values: values, want: `true`},
		{name: "null is empty", config: `{"sources":["z"],"target":""}`, values: values, want: `true`},
		{name: "missing is null", config: `{"sources":["z","nothing"],"comparison_type":"JSON"}`, values: values, want: `true`},
		{name: "one source", config: `{"sources":["s"]}`, refused: "must name two sources"},
		{name: "three sources", config: `{"sources":["s","t","n"]}`, refused: "must name two sources"},
		{name: "no names", config: `{"sources":["s",1]}`, refused: "sources[1]: Input should be a valid string"},
		{name: "no array", config: `{"sources":"s"}`, refused: "sources: Input should be a valid list"},
		{name: "unknown type", config: `{"sources":["s","t"],"comparison_type":"FUZZY"}`, refused: "comparison_type: Input should be '"},
		{name: "unknown operator", config: `{"sources":["s","t"],"comparison_type":{"type":"NUMBER","operator":"=="}}`, refused: "comparison_type.operator: Input should be '"},
		{name: "order of strings", config: `{"sources":["s","t"],"comparison_type":{"operator":"GT"}}`, refused: "comparison_type.operator: Input should be 'EQ' or 'NE' unless numbers are compared"},
		{name: "bad path", config: `{"sources":["s","t"],"comparison_type":{"type":"JSON","json_path":"$["}}`, refused: "invalid JSON path"},
	})
}

func TestContains(t *testing.T) {
	t.Parallel()
	const values = `{"s":"Hello World","p":"WORLD","e":"","n":120,"z":null}`
	runExamples(t, "CONTAINS", step.Env{}, []example{
		{name: "value", config: `{"source":"s","value":"hello"}`, values: values, want: `true`, sources: "s"},
		{name: "source", config: `{"source":"s","value_source":"p"}`, values: values, want: `true`, sources: "s p"},
		{name: "source wins", config: `{"source":"s","value":"nothing","value_source":"p"}`, values: values, want: `true`},
		{name: "source is null", config: `{"source":"s","value":"nothing","value_source":null}`, values: values, want: `false`},
		{name: "empty value", config: `{"source":"s","value":""}`, values: values, want: `true`},
		{name: "empty in empty", config: `{"source":"z","value_source":"z"}`, values: values, want: `true`},
		{name: "numbers", config: `{"source":"n","value":2}`, values: values, want: `true`},
		{name: "nothing to find", config: `{"source":"s"}`, refused: "'value' or 'value_source' is required"},
		{name: "nothing to search", config: `{"value":"a"}`, refused: "source: Field required"},
		{name: "source is no name", config: `{"source":1,"value":"a"}`, refused: "source: Input should be a valid string"},
		{name: "source is empty", config: `{"source":"","value":"a"}`, refused: "source: String should have at least 1 character"},
	})
}

func TestCoalesce(t *testing.T) {
	t.Parallel()
	const values = `{"n":null,"e":"","f":false,"x":1}`
	runExamples(t, "COALESCE", step.Env{}, []example{
		{name: "empty counts", config: `{"sources":["n","e","x"]}`, values: values, want: `""`, sources: "n e x"},
		{name: "false counts", config: `{"sources":["missing","f"]}`, values: values, want: `false`},
		{name: "nothing", config: `{"sources":["n","missing"]}`, values: values, want: `null`},
		{name: "one by one", config: `{"source1":"n","source2":"x"}`, values: values, want: `1`},
		{name: "too few", config: `{"sources":["n"]}`, refused: "at least two"},
		{name: "only the first", config: `{"source1":"n"}`, refused: "at least two"},
		{name: "none", config: `{"sources":null}`, refused: "at least two"},
	})
}

func TestCombineColumns(t *testing.T) {
	t.Parallel()
	const values = `{"a":1.50,"b":"x","n":null,"l":[1, 2]}`
	runExamples(t, "COMBINE_COLUMNS", step.Env{}, []example{
		{name: "object", config: `{"sources":["b","a","n","b","missing"]}`, values: values, want: `{"b":"x","a":1.50,"n":null,"missing":null}`},
		{name: "format", config: `{"sources":["a","b"],"format":"{b}-{a}-{c}-{{b}}-{"}`, values: values, want: `"x-1.5-{c}-{x}-{"`},
		{name: "separator", config: `{"sources":["a","n","l"],"separator":"|"}`, values: values, want: `"1.5||[1,2]"`},
		{name: "empty separator", config: `{"sources":["a","b"],"separator":""}`, values: values, want: `"1.5x"`},
		{name: "format wins", config: `{"sources":["a","b"],"separator":"-","format":"{a}"}`, values: values, want: `"1.5"`},
		{name: "nulls", config: `{"sources":["a"],"separator":null,"format":null}`, values: values, want: `{"a":1.50}`},
		{name: "none", config: `{"sources":[]}`, refused: "at least one"},
		{name: "format is a number", config: `{"sources":["a"],"format":1}`, refused: "format: Input should be a valid string"},
	})
}
