package step_test

import (
	"testing"

	"github.com/promptuary/promptuary/internal/step"
)

func TestAbsoluteNumericDistance(t *testing.T) {
	t.Parallel()
	const values = `{"a":5,"b":" 7.5 ","c":"x","d":true,"big":100000000000000000001,"one":1}`
	runExamples(t, "ABSOLUTE_NUMERIC_DISTANCE", step.Env{}, []example{
		{name: "sources", config: `{"sources":["a","b"]}`, values: values, want: `2.5`, sources: "a b"},
		{name: "one by one", config: `{"source1":"b","source2":"a","sources":null}`, values: values, want: `2.5`},
		{name: "exact", config: `{"sources":["one","big"]}`, values: values, want: `100000000000000000000`},
		{name: "zero", config: `{"sources":["a","a"]}`, values: values, want: `0`},
		{name: "text", config: `{"sources":["a","c"]}`, values: values, fails: "the value of 'c' is not a number"},
		{name: "boolean", config: `{"sources":["d","a"]}`, values: values, fails: "the value of 'd' is not a number"},
		{name: "missing", config: `{"sources":["a","nothing"]}`, values: values, fails: "is not a number"},
		{name: "three", config: `{"sources":["a","b","c"]}`, refused: "must name two sources"},
		{name: "only the first", config: `{"source1":"a"}`, refused: "must name two sources"},
		{name: "only the second", config: `{"source2":"a"}`, refused: "source1: Field required"},
	})
}

func TestMathOperator(t *testing.T) {
	t.Parallel()
	const values = `{"a":7,"b":"2","n":-7,"f":0.5,"z":0,"big":90071992547409930,"x":"x","huge":1e400,"one":-1,"far":99999999999,"eleven":11}`
	two := func(operator, right string) string {
		return `{"sources":["a","` + right + `"],"operator":"` + operator + `"}`
	}
	runExamples(t, "MATH_OPERATOR", step.Env{}, []example{
		{name: "plus", config: two("+", "b"), values: values, want: `9`},
		{name: "minus", config: two("-", "f"), values: values, want: `6.5`},
		{name: "times", config: `{"source1":"big","source2":"eleven","operator":"*"}`, values: values, want: `990791918021509230`},
		{name: "divided", config: two("/", "b"), values: values, want: `3.5`},
		{name: "divided without a rest", config: `{"sources":["big"],"value":10,"operator":"/"}`, values: values, want: `9007199254740993`},
		{name: "rest", config: two("%", "b"), values: values, want: `1`},
		{name: "rest with the divisor's sign", config: `{"sources":["n"],"value":"2","operator":"%"}`, values: values, want: `1`},
		{name: "rest of a fraction", config: `{"sources":["n"],"value":2.5,"operator":"%"}`, values: values, want: `0.5`},
		{name: "power", config: two("**", "b"), values: values, want: `49`},
		{name: "root", config: two("**", "z"), values: values, want: `1`},
		{name: "power of one", config: `{"sources":["one","far"],"operator":"**"}`, values: values, want: `-1`},
		{name: "power that is too large", config: two("**", "far"), values: values, fails: "not a finite number"},
		{name: "root of a negative", config: `{"sources":["n","f"],"operator":"**"}`, values: values, fails: "not a finite number"},
		{name: "lt", config: `{"sources":["b"],"value":3,"operator":"lt"}`, values: values, want: `true`},
		{name: "le", config: `{"sources":["b"],"value":2,"operator":"le"}`, values: values, want: `true`},
		{name: "gt", config: `{"sources":["b"],"value":2,"operator":"gt"}`, values: values, want: `false`},
		{name: "ge", config: `{"sources":["huge","a"],"operator":"ge"}`, values: values, want: `true`},
		{name: "two sources and a value", config: `{"sources":["a","b"],"value":100,"operator":"+"}`, values: values, want: `9`},
		{name: "first source and a value", config: `{"source1":"a","value":4,"operator":"+"}`, values: values, want: `11`, sources: "a"},
		{name: "by zero", config: two("/", "z"), values: values, fails: "division by zero"},
		{name: "rest by zero", config: two("%", "z"), values: values, fails: "division by zero"},
		{name: "text", config: two("+", "x"), values: values, fails: "the value of 'x' is not a number"},
		{name: "no value", config: `{"sources":["a"],"operator":"+"}`, refused: "or one together with 'value'"},
		{name: "no value with the first source", config: `{"source1":"a","operator":"+"}`, refused: "or one together with 'value'"},
		{name: "second source alone", config: `{"source2":"a","operator":"+","value":4}`, refused: "source1: Field required"},
		{name: "second source is empty", config: `{"source1":"a","source2":"","operator":"+","value":4}`, refused: "source2: String should have at least 1 character"},
		{name: "value is text", config: `{"sources":["a"],"operator":"+","value":"x"}`, refused: "value: Input should be a valid number"},
		{name: "no operator", config: `{"sources":["a","b"]}`, refused: "operator: Field required"},
		{name: "unknown operator", config: two("^", "b"), refused: "operator: Input should be '"},
	})
}

func TestMinMax(t *testing.T) {
	t.Parallel()
	const values = `{"l":[3,"1",null,2.50],"j":"[{\"v\":4},{\"v\":9},{\"v\":[10,-1]}]","o":{"a":1,"b":7},"e":[],"n":null,"s":"x","t":["x"],"i":12345678901234567891}`
	runExamples(t, "MIN_MAX", step.Env{}, []example{
		{name: "min", config: `{"source":"l","type":"min"}`, values: values, want: `1`, sources: "l"},
		{name: "max", config: `{"source":"l","operation":"max"}`, values: values, want: `3`},
		{name: "path", config: `{"source":"j","type":"max","json_path":"$[*].v"}`, values: values, want: `10`},
		{name: "path to nothing", config: `{"source":"j","type":"max","json_path":"$.x"}`, values: values, want: `null`},
		{name: "object", config: `{"source":"o","type":"max"}`, values: values, want: `7`},
		{name: "several sources", config: `{"sources":["l","o","i"],"operation":"MAX"}`, values: values, want: `12345678901234567891`},
		{name: "empty", config: `{"source":"e","type":"min"}`, values: values, want: `null`},
		{name: "null", config: `{"source":"n","type":"min"}`, values: values, want: `null`},
		{name: "a number alone", config: `{"source":"i","type":"min"}`, values: values, want: `12345678901234567891`},
		{name: "no JSON", config: `{"source":"s","type":"min"}`, values: values, fails: "the value of 's' is not valid JSON"},
		{name: "no number", config: `{"source":"t","type":"min"}`, values: values, fails: "'x' is not a number"},
		{name: "no source", config: `{"type":"min"}`, refused: "source: Field required"},
		{name: "no type", config: `{"source":"l"}`, refused: "type: Field required"},
		{name: "bad path", config: `{"source":"l","type":"min","json_path":"$[?(@.x)]"}`, refused: "unsupported JSON path"},
	})
}

func TestCount(t *testing.T) {
	t.Parallel()
	const values = `{"s":"Hé was 3.5 m tall. Was he? \"Yes!\" he said...\n\nNew  block e.g. here\n \n\nlast","e":"","w":" \n ","c":"一。二！","n":null,"i":1234}`
	runExamples(t, "COUNT", step.Env{}, []example{
		{name: "chars", config: `{"source":"c","type":"chars"}`, values: values, want: `4`},
		{name: "characters", config: `{"source":"i","count_type":"characters"}`, values: values, want: `4`},
		{name: "words", config: `{"source":"s","type":"words"}`, values: values, want: `15`},
		{name: "sentences", config: `{"source":"s","type":"sentences"}`, values: values, want: `6`},
		{name: "sentences without blanks", config: `{"source":"c","type":"sentences"}`, values: values, want: `2`},
		{name: "paragraphs", config: `{"source":"s","type":"paragraphs"}`, values: values, want: `3`},
		{name: "nothing", config: `{"source":"e","type":"paragraphs"}`, values: values, want: `0`},
		{name: "white space", config: `{"source":"w","type":"sentences"}`, values: values, want: `0`},
		{name: "null", config: `{"source":"n","type":"words"}`, values: values, want: `0`},
		{name: "within", config: `{"source":"i","type":"chars","min_count":4,"max_count":4}`, values: values, want: `true`},
		{name: "too few", config: `{"source":"i","type":"chars","min_count":5,"max_count":null}`, values: values, want: `false`},
		{name: "too many", config: `{"source":"i","type":"chars","max_count":"3"}`, values: values, want: `false`},
		{name: "unknown", config: `{"source":"s","type":"lines"}`, refused: "type: Input should be '"},
		{name: "bound is text", config: `{"source":"s","type":"words","min_count":"few"}`, refused: "min_count: Input should be a valid number"},
	})
}

func TestParseValue(t *testing.T) {
	t.Parallel()
	const values = `{"n":" +1.50 ","b":"TRUE","i":1,"j":"{\"a\": 1}","o":{"a":[1.0, 2]},"z":null,"x":"x","big":12345678901234567890.0,"e":"1E+2"}`
	runExamples(t, "PARSE_VALUE", step.Env{}, []example{
		{name: "number", config: `{"source":"n","type":"number"}`, values: values, want: `1.5`},
		{name: "exponent", config: `{"source":"e","target_type":"number"}`, values: values, want: `100`},
		{name: "number as it is", config: `{"source":"big","type":"number"}`, values: values, want: `12345678901234567890.0`},
		{name: "string of a number", config: `{"source":"big","type":"string"}`, values: values, want: `"12345678901234567890"`},
		{name: "string of an object", config: `{"source":"o","target_type":"string"}`, values: values, want: `"{\"a\":[1.0,2]}"`},
		{name: "string of null", config: `{"source":"z","type":"string"}`, values: values, want: `""`},
		{name: "boolean", config: `{"source":"b","type":"boolean"}`, values: values, want: `true`},
		{name: "boolean of a number", config: `{"source":"i","type":"boolean"}`, values: values, want: `true`},
		{name: "object", config: `{"source":"j","type":"object"}`, values: values, want: `{"a":1}`},
		{name: "json", config: `{"source":"o","type":"json"}`, values: values, want: `{"a":[1.0,2]}`},
		{name: "no number", config: `{"source":"x","type":"number"}`, values: values, fails: "'x' is not a number"},
		{name: "no boolean", config: `{"source":"x","type":"boolean"}`, values: values, fails: "'x' is not a boolean"},
		{name: "no object", config: `{"source":"x","type":"object"}`, values: values, fails: "not valid JSON"},
		{name: "null is no number", config: `{"source":"z","type":"number"}`, values: values, fails: "is not a number"},
		{name: "no type", config: `{"source":"x","type":null}`, refused: "type: Field required"},
		{name: "unknown type", config: `{"source":"x","type":"date"}`, refused: "type: Input should be '"},
	})
}
