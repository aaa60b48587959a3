package script

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestValuesOfJavaScript(t *testing.T) {
	t.Parallel()
	r := newRunner(t, Options{})
	const data = `{"n":12345678901234567,"b":"ü\u0000\"<&>","zz":1,"a":{"__proto__":{"x":1},"list":[1,null,"x",2.50]}}`
	for name, test := range map[string]struct{ code, want string }{
		"nothing":                {"", "null"},
		"expression":             {"1 + 1", "2"},
		"last expression":        {"let a = 20;\na += 1;\na * 2", "42"},
		"declaration only":       {"const a = 1", "null"},
		"return":                 {"const a = 1; return a + 1", "2"},
		"return nothing":         {"return", "null"},
		"return in a branch":     {"if (data.zz === 1) return 'one'; return 'other'", `"one"`},
		"object alone":           {`{"a": 1, b: [data.zz]}`, `{"a":1,"b":[1]}`},
		"block":                  {"{ const a = 7; a }", "7"},
		"comment at the end":     {"return 1 // done", "1"},
		"comment after value":    {"5 // done", "5"},
		"own data":               {"const data = {x: 1}; return data.x", "1"},
		"input":                  {"data", `{"n":12345678901234568,"b":"ü\u0000\"<&>","zz":1,"a":{"__proto__":{"x":1},"list":[1,null,"x",2.5]}}`},
		"order of keys":          {"({b: 1, a: 2, 2: 3, 1: 4})", `{"1":4,"2":3,"b":1,"a":2}`},
		"undefined":              {"undefined", "null"},
		"undefined members":      {"({a: undefined, b: [undefined, , 1]})", `{"b":[null,null,1]}`},
		"boolean":                {"!0", "true"},
		"null":                   {"null", "null"},
		"fraction":               {"0.1 + 0.2", "0.30000000000000004"},
		"negative zero":          {"-0", "0"},
		"large number":           {"1e21", "1e+21"},
		"small number":           {"1e-7", "1e-7"},
		"safe integer":           {"9007199254740991", "9007199254740991"},
		"whole number of BigInt": {"12345678901234567890n * 10n", "123456789012345678900"},
		"text":                   {"'a\\n\"\\u2028' + String.fromCharCode(1)", "\"a\\u000a\\\"\u2028\\u0001\""},
		"half a character":       {"'a\\ud83d'", "\"a\uFFFD\""},
		"emoji":                  {"'🙂'.length + '🙂'", `"2🙂"`},
		"date":                   {"new Date(Date.UTC(2024, 1, 29))", `"2024-02-29T00:00:00.000Z"`},
		"local time is UTC":      {"new Date(2024, 1, 29).getTime() === Date.UTC(2024, 1, 29)", "true"},
		"boxed":                  {"[new Number(1), new String('s'), new Boolean(false), Object(true)]", `[1,"s",false,true]`},
		"toJSON":                 {"({toJSON(key) { return [key, 1] }})", `["",1]`},
		"toJSON of a member":     {"({a: {toJSON(key) { return key }}, b: [{toJSON(key) { return key }}]})", `{"a":"a","b":["0"]}`},
		"getter":                 {"({get a() { return 1 }})", `{"a":1}`},
		"class":                  {"class P { constructor() { this.x = 1 } get y() { return 2 } }; new P()", `{"x":1}`},
		"proxy":                  {"new Proxy({a: 1, b: 2}, {get: (o, k) => typeof k === 'string' && k !== 'toJSON' ? k + k : undefined})", `{"a":"aa","b":"bb"}`},
		"proxy of an array":      {"new Proxy([1, 2], {})", "[1,2]"},
		"no prototype":           {"const o = Object.create(null); o.a = 1; o", `{"a":1}`},
		"shared, no cycle":       {"const o = {a: 1}; [o, o]", `[{"a":1},{"a":1}]`},
		"promise":                {"Promise.resolve(3)", "3"},
		"async function":         {"async function f() { return (await 4) + 1 } f()", "5"},
		"await at the end":       {"const a = await Promise.resolve(6); (a) + 1;", "7"},
		"value after a return":   {"if (!data.zz) return 1; [2].map(x => x + 1)", "[3]"},
		"own data as a script":   {"const data = 5; data + 1", "6"},
		"strict":                 {"'use strict'; data.zz", "1"},
		"strict body":            {"'use strict'; return data.zz", "1"},
		"CRLF":                   {"const a = 1\r\nreturn a\r\n", "1"},
		"byte order mark":        {"\ufeffdata.zz", "1"},
		"return within":          {"[1, 2].map(function (x) { return x * 2 })", "[2,4]"},
		"text that says return":  {"'return'", `"return"`},
		"await":                  {"const a = await Promise.resolve(6); return a", "6"},
		"many promises":          {"return await Promise.all([1, 2].map(async x => { await null; return x * 2 }))", "[2,4]"},
		"generator":              {"[...(function* () { yield 1; yield 2 })()]", "[1,2]"},
		"modern":                 {"const {a: {list: [x, y = 5, ...rest]}} = data; return {x, y, rest, z: data?.q?.r ?? `t${x}`}", `{"x":1,"y":null,"rest":["x",2.5],"z":"t1"}`},
		"regular expression":     {"'2024-05'.replace(/(?<y>\\d+)-(\\d+)/, '$2/$<y>')", `"05/2024"`},
		"caught":                 {"try { null.x } catch (e) { return e.name }", `"TypeError"`},
		"source map":             {"1\n//# sourceMappingURL=/etc/passwd", "1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := js(test.code)
			p.Data = []byte(data)
			if diff := cmp.Diff(test.want, value(t, r, p)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFailuresOfJavaScript(t *testing.T) {
	t.Parallel()
	r := newRunner(t, Options{})
	for name, test := range map[string]struct {
		code    string
		reason  Reason
		message string
	}{
		"exception":            {"let a\n\na.b", Thrown, "TypeError: Cannot read property 'b' of undefined (line 3)"},
		"thrown in a function": {"function f() {\n  throw new RangeError('no')\n}\nreturn f()", Thrown, "RangeError: no (line 2)"},
		"thrown text":          {"\nthrow 'plain'", Thrown, "plain (line 2)"},
		"thrown null":          {"throw null", Thrown, "null (line 1)"},
		"unknown name":         {"x + 1", Thrown, "ReferenceError: x is not defined (line 1)"},
		"rejected":             {"\nPromise.reject(new Error('later'))", Thrown, "Error: later (line 2)"},
		"rejected with text":   {"Promise.reject('later')", Thrown, "later"},
		"awaited rejection":    {"await null\nthrow new TypeError('t')", Thrown, "TypeError: t (line 2)"},
		"hostile exception":    {"throw {toString() { throw 1 }}", Thrown, "an exception that cannot be shown (line 1)"},
		"never settled":        {"new Promise(() => {})", Unsettled, "the code awaits a promise that is never settled"},
		"awaits for ever":      {"await new Promise(() => {}); return 1", Unsettled, "the code awaits a promise that is never settled"},
		"syntax":               {"let a = 1\nlet b = = 2", Syntax, "SyntaxError: Unexpected token = (line 2)"},
		"syntax in a body":     {"return 1 +", Syntax, "SyntaxError: Unexpected token } (line 2)"},
		"closes its function":  {"return 1 }), (function () { return 2", Syntax, "SyntaxError: Unexpected } at the top"},
		"declared twice":       {"let a; let a", Syntax, "SyntaxError: Identifier 'a' has already been declared (line 1)"},
		"NaN":                  {"NaN", BadValue, "the result is NaN, which JSON cannot hold"},
		"infinity within":      {"({a: [1, {b: -1/0}]})", BadValue, "result.a[1].b is -Infinity, which JSON cannot hold"},
		"function":             {"x => x", BadValue, "the result is a function, which JSON cannot hold"},
		"function within":      {"({f() {}})", BadValue, "result.f is a function, which JSON cannot hold"},
		"symbol":               {"[Symbol('s')]", BadValue, "result[0] is a symbol, which JSON cannot hold"},
		"map":                  {"({m: new Map()})", BadValue, "result.m is a Map, which JSON cannot hold"},
		"set":                  {"new Set([1])", BadValue, "the result is a Set, which JSON cannot hold"},
		"promise within":       {"[Promise.resolve(1)]", BadValue, "result[0] is a promise, which JSON cannot hold"},
		"cycle":                {"const a = {}; a.b = [a]; a", BadValue, "result.b[0] contains itself, which JSON cannot hold"},
		"deep":                 {"let a = []; for (let i = 0; i < 300; i++) a = [a]; a", BadValue, "the result is nested deeper than 200 levels"},
		"getter that throws":   {"({get a() {\n throw new Error('g') }})", Thrown, "Error: g (line 2)"},
		"toJSON that throws":   {"({toJSON() { throw new Error('j') }})", Thrown, "Error: j (line 1)"},
		"revoked proxy":        {"const p = Proxy.revocable({}, {}); p.revoke(); p.proxy", Thrown, "TypeError: "},
		"recursion":            {"function f() { return f() + 1 } f()", StackLimit, "calls are nested too deeply"},
		"large value":          {"'x'.repeat(1024 * 1024)", OutputLimit, "output limit of 1 MiB exceeded"},
		"many small values":    {"new Array(60000).fill('x'.repeat(20))", OutputLimit, "output limit of 1 MiB exceeded"},
		"endless sparse array": {"const a = []; a.length = 4294967295; a", OutputLimit, "output limit of 1 MiB exceeded"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := fails(t, r, js(test.code), test.reason)
			if !strings.HasPrefix(got.Message, test.message) || strings.Contains(test.message, "(line") && got.Line == 0 {
				t.Errorf("got %q in line %d", got.Message, got.Line)
			}
		})
	}
}

func TestPrinting(t *testing.T) {
	t.Parallel()
	r := newRunner(t, Options{})
	result, err := r.Run(t.Context(), js("console.log('a', 1, {b: [2]}, null, undefined, x => x, new Set(), new Error('e'));console.error('bad'); 1"))
	if err != nil {
		t.Fatal(err)
	}
	want := Result{Value: []byte("1"), Stdout: "a 1 {\"b\":[2]} null undefined [Function] [Object] Error: e\n", Stderr: "bad\n"}
	if diff := cmp.Diff(want, result); diff != "" {
		t.Error(diff)
	}
	result, err = r.Run(t.Context(), js("console.log('before'); throw new Error('x')"))
	if err == nil || result.Stdout != "before\n" {
		t.Errorf("got %+v, %v", result, err)
	}
	result, err = r.Run(t.Context(), js("for (let i = 0; i < 100000; i++) console.log('0123456789'); 1"))
	if err != nil || len(result.Stdout) != MaxPrinted+len(cutMark) || !strings.HasSuffix(result.Stdout, cutMark) {
		t.Errorf("got %d bytes, %v", len(result.Stdout), err)
	}
}

func TestTools(t *testing.T) {
	t.Parallel()
	r := newRunner(t, Options{})
	tool := Program{
		Language: JavaScript, Entry: "weather", Data: []byte(`{"city":"Bonn"}`), Env: map[string]string{"KEY": "k\"1"},
		Code: "const {city} = args\nreturn {city, key: process.env.KEY, other: process.env.NOPE ?? null, name: weather.name, data: typeof data}",
	}
	const want = `{"city":"Bonn","key":"k\"1","other":null,"name":"weather","data":"undefined"}`
	if diff := cmp.Diff(want, value(t, r, tool)); diff != "" {
		t.Error(diff)
	}
	for _, name := range []string{"get-weather", "class", "1a", "a b", "a){}(", "für"} {
		if got := value(t, r, Program{Language: JavaScript, Entry: name, Code: "return await args.x", Data: []byte(`{"x":1}`)}); got != "1" {
			t.Errorf("%s: got %s", name, got)
		}
	}
	if got := value(t, r, Program{Language: JavaScript, Entry: "f", Code: "args.x"}); got != "null" {
		t.Errorf("a tool without return: got %s", got)
	}
	failure := fails(t, r, Program{Language: JavaScript, Entry: "f", Code: "\nreturn args.a.b.c"}, Thrown)
	if failure.Type != "TypeError" || failure.Line != 2 || !strings.Contains(failure.Trace, "code:2:") {
		t.Errorf("got %+v", failure)
	}
}
