package template

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/template/render"
)

func valuesOf(t testing.TB, object string) *render.Values { return render.NewValues(tree(t, object)) }

func textItem(s string) string { return `{"type":"text","text":"` + s + `"}` }

func userMessage(items string) string { return `{"role":"user","content":[` + items + `]}` }

func jinjaMessage(items string) string {
	return `{"role":"user","template_format":"jinja2","content":[` + items + `]}`
}

// jinjaTools returns a Jinja2 chat with tools.
func jinjaTools(tools string) string {
	return `{"type":"chat","messages":[` + jinjaMessage("") + `],"tools":[` + tools + `]}`
}

const png = "iVBORw0KGgoAAAANS"

func TestRender(t *testing.T) {
	t.Parallel()
	const image = `{"type":"image_url","image_url":{"url":"","detail":"low"},"image_variable":"pics","cache":1}`
	const file = `{"type":"media_variable","name":"files","cache":1}`
	cases := map[string]struct{ template, values, want string }{
		"completion": {itemsOf(textItem("Hi {a}")), `{"a":"you","b":"more"}`, itemsOf(textItem("Hi you"))},
		"nothing to do": {
			chatOf(userMessage(textItem(`plain\n`) + `,{"type":"code","code":"{a}"}`)), `{"a":"x"}`,
			chatOf(userMessage(textItem(`plain\n`) + `,{"type":"code","code":"{a}"}`)),
		},
		"all messages": {
			chatOf(userMessage(textItem("{a}")+","+textItem("{b}")) + "," + jinjaMessage(textItem("{{ a }}")) + `,{"role":"assistant","content":null}`),
			`{"a":"1","b":"2"}`,
			chatOf(userMessage(textItem("1")+","+textItem("2")) + "," + jinjaMessage(textItem("1")) + `,{"role":"assistant","content":null}`),
		},
		"values are quoted": {itemsOf(textItem("{a}")), `{"a":"\"\u0001\\é"}`, itemsOf(textItem(`\"\u0001\\é`))},
		"escaped braces":    {itemsOf(textItem(`\u007ba\u007d`)), `{"a":"x"}`, itemsOf(textItem("x"))},
		"missing":           {itemsOf(textItem("a{a}b")), `{}`, itemsOf(textItem("ab"))},
		"placeholders stay": {chatOf(`{"role":"placeholder","name":"h"},` + userMessage(textItem("{a}"))), `{"a":"x","h":[]}`, chatOf(`{"role":"placeholder","name":"h"},` + userMessage(textItem("x")))},
		"white space": {
			`{ "type" : "completion", "content" : [ ` + image + ` , ` + textItem("{a}") + ` , ` + file + ` ] }`, `{"a":"x"}`,
			`{ "type" : "completion", "content" : [` + textItem("x") + ` ] }`,
		},
		"pictures": {
			itemsOf(image), `{"pics":["https://x/y","data:image/gif;base64,AA","` + png + `",1,null,""]}`,
			itemsOf(`{"type":"image_url","image_url":{"url":"https://x/y","detail":"low"},"cache":1},` +
				`{"type":"image_url","image_url":{"url":"data:image/gif;base64,AA","detail":"low"},"cache":1},` +
				`{"type":"image_url","image_url":{"url":"data:image/png;base64,` + png + `","detail":"low"},"cache":1}`),
		},
		"an unknown picture": {itemsOf(image), `{"pics":["AAAA"]}`, itemsOf(`{"type":"image_url","image_url":{"url":"data:image/jpeg;base64,AAAA","detail":"low"},"cache":1}`)},
		"one picture":        {itemsOf(image), `{"pics":"u:"}`, itemsOf(`{"type":"image_url","image_url":{"url":"u:","detail":"low"},"cache":1}`)},
		"no pictures":        {itemsOf(textItem("{a}") + "," + image + "," + textItem("b")), `{"a":"x","pics":[]}`, itemsOf(textItem("x") + "," + textItem("b"))},
		"an item without a variable stays": {
			itemsOf(`{"type":"image_url","image_url":{"url":"u"},"image_variable":null},` + image), `{}`,
			itemsOf(`{"type":"image_url","image_url":{"url":"u"},"image_variable":null}`),
		},
		"files": {
			itemsOf(textItem("{a}") + "," + file + "," + textItem("{a}")), `{"a":"x","files":["https://x/y.pdf","JVBERi0xLjc","data:text/plain,hi","AAAA"]}`,
			itemsOf(textItem("x") + `,{"type":"media","media":{"title":"media","url":"https://x/y.pdf","format":"url"},"cache":1},` +
				`{"type":"media","media":{"title":"media","type":"application/pdf","url":"JVBERi0xLjc","format":"base64"},"cache":1},` +
				`{"type":"media","media":{"title":"media","type":"text/plain","url":"data:text/plain,hi","format":"base64"},"cache":1},` +
				`{"type":"media","media":{"title":"media","url":"AAAA","format":"base64"},"cache":1},` + textItem("x")),
		},
		"tool variable": {
			toolsOf(`{"type":"variable","name":"t"},{"type":"bash"}`),
			`{"t":[{"name":"f","input_schema":{"x":1.0}},{"name":"g","description":"d","parameters":{}},{"type":"function","function":{"name":"h"}},{"type":"function","name":"i"},{"type":"web_search","name":"w"},{"type":"variable","name":"t"},{},1]}`,
			toolsOf(`{"type":"function","function":{"name":"f","description":"","strict":false,"parameters":{"x":1.0}}},` +
				`{"type":"function","function":{"name":"g","description":"d","strict":false,"parameters":{}}},` +
				`{"type":"function","function":{"name":"h","description":"","strict":false,"parameters":{"type":"object","properties":{}}}},` +
				`{"type":"function","function":{"name":"i","description":"","strict":false,"parameters":{"type":"object","properties":{}}}},` +
				`{"type":"web_search","name":"w"},{"type":"bash"}`),
		},
		"missing tools":       {toolsOf(`{"type":"variable","name":"t"}`), `{"t":"x"}`, toolsOf(``)},
		"given tools are raw": {jinjaTools(`{"type":"variable","name":"t"}`), `{"a":"x","t":[{"type":"mcp","x":"{{ a }}"}]}`, jinjaTools(`{"type":"mcp","x":"{{ a }}"}`)},
		"tools in Jinja2": {
			jinjaTools(`{"type":"variable","name":"t"},{"type":"function","function":{"name":"{{ a }}","x":["{{ a }}",1.0,true]}}`), `{"a":"x"}`,
			jinjaTools(`{"type":"function","function":{"name":"x","x":["x",1.0,true]}}`),
		},
		"functions in Jinja2": {
			`{"type":"chat","functions":[{"name":"{{ a }}"}],"messages":[` + jinjaMessage("") + `]}`, `{"a":"x"}`,
			`{"type":"chat","functions":[{"name":"x"}],"messages":[` + jinjaMessage("") + `]}`,
		},
		"tools in f-string": {toolsOf(`{"type":"mcp","name":"{a}","x":"{{ a }}"}`), `{"a":"x"}`, toolsOf(`{"type":"mcp","name":"{a}","x":"{{ a }}"}`)},
		"schema variables": {
			jinjaTools(`{"type":"function","function":{"name":"f","parameters":{"p":{"enum":{"name":"e","type":"enum_variable"}},"q":{"type":"variable","name":"o"}}}}`),
			`{"e":["a",1.0],"o":{"type":"{{ e }}"}}`,
			jinjaTools(`{"type":"function","function":{"name":"f","parameters":{"p":{"enum":["a",1.0]},"q":{"type":"{{ e }}"}}}}`),
		},
		"schema variables that do not fit": {
			jinjaTools(`{"type":"mcp","x":{"name":"e","type":"enum_variable"},"y":{"type":"variable","name":"o"}}`), `{"e":"a","o":[]}`,
			jinjaTools(`{"type":"mcp","x":{"name":"e","type":"enum_variable"},"y":{"type":"variable","name":"o"}}`),
		},
		"properties named like a variable": {
			jinjaTools(`{"type":"mcp","properties":{"type":{"type":"string"},"name":{"const":"variable"}}}`), `{}`,
			jinjaTools(`{"type":"mcp","properties":{"type":{"type":"string"},"name":{"const":"variable"}}}`),
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := Render(tree(t, c.template), valuesOf(t, c.values), render.NewBudget(t.Context(), nil))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, string(got.Template)); diff != "" {
				t.Errorf("template (-want +got):\n%s", diff)
			}
		})
	}
}

func TestMissingVariables(t *testing.T) {
	t.Parallel()
	template := `{"type":"chat","messages":[` + userMessage(textItem("{b}{a}{b}")+","+textItem("{b}")) + `,` + userMessage("") + `,` +
		jinjaMessage(textItem("{{ a }}")+`,{"type":"media_variable","name":"files"}`) + `],` +
		`"tools":[{"type":"variable","name":"t"},{"type":"mcp","x":{"type":"enum_variable","name":"e"},"y":"{{ c }}{{ given }}"}]}`
	got, err := Render(tree(t, template), valuesOf(t, `{"given":"x"}`), render.NewBudget(t.Context(), nil))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"b", "a", "files", "t", "e", "c"}, got.Missing); diff != "" {
		t.Errorf("missing (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]Spot{{0, "b"}, {0, "a"}, {2, "a"}, {2, "files"}}, got.Spots); diff != "" {
		t.Errorf("spots (-want +got):\n%s", diff)
	}
}

func TestWarning(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		rendered Rendered
		want     string
	}{
		"nothing": {Rendered{}, ""},
		"one":     {Rendered{Missing: []string{"a"}}, "Some input variables are missing: (`a`)"},
		"spots": {
			Rendered{Missing: []string{"a", "b"}, Spots: []Spot{{0, "a"}, {2, "b"}}},
			"Some input variables are missing: (`a`, `b`)\nUndefined variable in message index 0: 'a' is undefined\nUndefined variable in message index 2: 'b' is undefined",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, Warning(c.rendered)); diff != "" {
				t.Errorf("warning (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRenderJSON(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		value  string
		format render.Format
		want   string
	}{
		"strings in Jinja2":   {`{"type":"json_schema","name":"{{ a }}","n":1.0}`, render.Jinja2, `{"type":"json_schema","name":"x","n":1.0} []`},
		"strings in f-string": {`{"name":"{a}"}`, render.FString, `{"name":"{a}"} []`},
		"a whole variable":    {`{"type":"variable","name":"o"}`, render.FString, `{"k":1} []`},
		"missing":             {`["{{ n }}",{"type":"enum_variable","name":"m"}]`, render.Jinja2, `["",{"type":"enum_variable","name":"m"}] [n m]`},
		"null":                {`null`, render.Jinja2, `null []`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, missing, err := RenderJSON(tree(t, c.value), c.format, valuesOf(t, `{"a":"x","o":{"k":1}}`), render.NewBudget(t.Context(), nil))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, fmt.Sprintf("%s %v", text, missing)); diff != "" {
				t.Errorf("value (-want +got):\n%s", diff)
			}
		})
	}
}

// TestRenderedSizeIsLimited uses large values many times.
func TestRenderedSizeIsLimited(t *testing.T) {
	t.Parallel()
	large := strings.Repeat("x", 1<<20)
	deep := strings.Repeat(`{"x":`, 150) + "1" + strings.Repeat("}", 150)
	nest := strings.Repeat(`{"x":`, 150) + `{"type":"variable","name":"v"}` + strings.Repeat("}", 150)
	repeat := func(item string) string { return strings.Repeat(item+",", 99) + item }
	cases := map[string]struct{ template, values, want string }{
		"pictures": {chatOf(userMessage("") + "," + userMessage(repeat(`{"type":"image_url","image_url":{"url":""},"image_variable":"v"}`))), `{"v":["https://` + large + `"]}`, "message 1: the values add more than 64 MiB"},
		"tools":    {toolsOf(repeat(`{"type":"variable","name":"v"}`)), `{"v":[{"name":"` + large + `"}]}`, "the values add more than 64 MiB"},
		"schemas":  {toolsOf(repeat(`{"type":"mcp","x":{"type":"variable","name":"v"}}`)), `{"v":{"x":"` + large + `"}}`, "the values add more than 64 MiB"},
		"depth":    {toolsOf(`{"type":"mcp","x":` + nest + `}`), `{"v":` + deep + `}`, "nested deeper than 200 levels"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Render(tree(t, c.template), valuesOf(t, c.values), render.NewBudget(t.Context(), nil))
			if !fault.Is(err, fault.Invalid) || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("error = %v, want %q", err, c.want)
			}
		})
	}
}

func TestInjectPlaceholders(t *testing.T) {
	t.Parallel()
	const placeholder = `{"role":"placeholder","name":"h"}`
	user := userMessage(textItem("x"))
	cases := map[string]struct{ template, values, want string }{
		"none":        {chatOf(user), `{}`, chatOf(user)},
		"messages":    {chatOf(user + "," + placeholder + "," + user), `{"h":[{"role":"user","content":[{"type":"text","text":"{a}"}],"n":1.0},{"role":"assistant","tool_calls":[]}]}`, chatOf(user + `,{"role":"user","content":[{"type":"text","text":"{a}"}],"n":1.0},{"role":"assistant","tool_calls":[]},` + user)},
		"bare text":   {chatOf(placeholder), `{"h":[{"content":"hi\n","role":"user","x":1}]}`, chatOf(`{"role":"user","content":[{"type":"text","text":"hi\n"}],"x":1}`)},
		"missing":     {chatOf(placeholder + "," + user), `{}`, chatOf(user)},
		"empty":       {chatOf(user + "," + placeholder), `{"h":[]}`, chatOf(user)},
		"no array":    {chatOf(placeholder), `{"h":"x"}`, chatOf(``)},
		"no messages": {chatOf(placeholder), `{"h":[1,null,{"role":"placeholder","name":"h"}]}`, chatOf(``)},
		"two":         {chatOf(placeholder + "," + placeholder), `{"h":[` + user + `]}`, chatOf(user + "," + user)},
		"completion":  {itemsOf(textItem("x")), `{}`, itemsOf(textItem("x"))},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := InjectPlaceholders(tree(t, c.template), valuesOf(t, c.values))
			if diff := cmp.Diff(c.want, string(got)); diff != "" {
				t.Errorf("template (-want +got):\n%s", diff)
			}
		})
	}
}

func TestInjectedSizeIsLimited(t *testing.T) {
	t.Parallel()
	large := `{"role":"user","content":[` + textItem(strings.Repeat("x", 1<<20)) + `]}`
	template := chatOf(strings.Repeat(`{"role":"placeholder","name":"h"},`, 99) + userMessage(""))
	got := InjectPlaceholders(tree(t, template), valuesOf(t, `{"h":[`+large+`]}`))
	if len(got) > maxRendered+len(template) || len(got) < maxRendered/2 {
		t.Errorf("the template has %d bytes", len(got))
	}
	if end := `"}]},` + userMessage("") + `]}`; !strings.HasSuffix(string(got), end) {
		t.Errorf("the template ends in %s, want %s", got[len(got)-100:], end)
	}
}

func TestFormatOf(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		template string
		want     render.Format
	}{
		"chat":             {chatOf(userMessage("")), render.FString},
		"one in Jinja2":    {chatOf(userMessage("") + "," + jinjaMessage("")), render.Jinja2},
		"completion":       {`{"type":"completion","content":[],"template_format":"jinja2"}`, render.Jinja2},
		"format of a chat": {`{"type":"chat","messages":[],"template_format":"jinja2"}`, render.FString},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := FormatOf(tree(t, c.template)); got != c.want {
				t.Errorf("format = %s, want %s", got, c.want)
			}
		})
	}
}

// tooMuch is a text that exceeds a rendering limit if v is large.
const tooMuch = `{% for i in range(9) %}{{ v }}{% endfor %}`

func TestLimitsNameTheMessage(t *testing.T) {
	t.Parallel()
	cases := map[string]struct{ template, want string }{
		"message":          {chatOf(userMessage(textItem("{a}")) + "," + userMessage("") + "," + jinjaMessage(textItem(tooMuch))), "message 2: rendering exceeds"},
		"tool":             {jinjaTools(`{"type":"mcp","x":"` + tooMuch + `"}`), "rendering exceeds"},
		"tool message":     {chatOf(`{"role":"tool","tool_call_id":"1","template_format":"jinja2","content":[` + textItem(tooMuch) + `]}`), ""},
		"function message": {chatOf(`{"role":"function","name":"f","template_format":"jinja2","content":[` + textItem(tooMuch) + `]}`), ""},
	}
	values := valuesOf(t, `{"v":"`+strings.Repeat("x", 1<<20)+`"}`)
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := Render(tree(t, c.template), values, render.NewBudget(t.Context(), nil))
			if c.want == "" {
				if err != nil || string(got.Template) != c.template {
					t.Errorf("template = %s, %v; want it unchanged", got.Template, err)
				}
				return
			}
			if !fault.Is(err, fault.Invalid) || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("error = %v, want %q", err, c.want)
			}
		})
	}
}

func TestRenderStopsWithContext(t *testing.T) {
	t.Parallel()
	const endless = `{% for i in range(90000) %}{% for j in range(90000) %}{{ i }}{% endfor %}{% endfor %}`
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Render(tree(t, chatOf(jinjaMessage(textItem(endless)))), valuesOf(t, `{}`), render.NewBudget(ctx, nil))
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error = %v, want %v", err, context.Canceled)
	}
}
