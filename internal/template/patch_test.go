package template

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

const (
	chatBase = `{"messages":[{"role":"system","content":[{"type":"text","text":"{a}"}],"input_variables":["own","a"]},` +
		`{"role":"user","content":[{"type":"text","text":"{b}"}],"input_variables":["b"]}],"functions":null,` +
		`"tools":[{"type":"variable","name":"t"},{"type":"bash"}],"function_call":null,"tool_choice":"auto","type":"chat",` +
		`"input_variables":["gone","own","a","b","t"],"dataset_examples":[]}`
	completionBase = `{"type":"completion","content":[{"type":"text","text":"{a}"},{"type":"code","code":"c"}],` +
		`"template_format":"f-string","input_variables":["gone","a"],"more":1.0}`
)

// changesOf parses the changes from the body of a patch.
func changesOf(t *testing.T, body string) Changes {
	t.Helper()
	v := tree(t, body)
	return Changes{
		Messages: v.Get("messages"), Tools: v.Get("tools"), Functions: v.Get("functions"),
		FunctionCall: v.Get("function_call"), ToolChoice: v.Get("tool_choice"), Content: v.Get("content"),
	}
}

// patched returns the normalised template after a patch.
func patched(t *testing.T, base, body string) jsontree.Value {
	t.Helper()
	text, err := Patch(tree(t, base), changesOf(t, body))
	if err != nil {
		t.Fatal(err)
	}
	result := tree(t, string(text))
	if got := broken(checkAll(result, Strict)); got != nil {
		t.Fatalf("the result breaks rules: %v", got)
	}
	return tree(t, string(Normalize(result)))
}

func TestPatch(t *testing.T) {
	t.Parallel()
	const message = `{"role":"user","content":[{"type":"text","text":"{n}"}],"input_variables":["stale"]}`
	const normal = `{"role":"user","content":[{"type":"text","text":"{n}"}],"input_variables":["n"],"template_format":"f-string","raw_request_display_role":"","dataset_examples":[],"name":null}`
	cases := map[string]struct {
		base, body, member, want string
	}{
		"one message":               {chatBase, `{"messages":{"1":` + message + `}}`, "messages", ""},
		"all messages":              {chatBase, `{"messages":[` + message + `]}`, "messages", `[` + normal + `]`},
		"variables of new messages": {chatBase, `{"messages":[` + message + `]}`, "input_variables", `["n","t"]`},
		"variables of one message":  {chatBase, `{"messages":{"1":` + message + `}}`, "input_variables", `["own","a","n","t"]`},
		"variables of all others":   {chatBase, `{"tools":null}`, "input_variables", `["own","a","b"]`},
		"no messages":               {chatBase, `{"messages":[]}`, "messages", `[]`},
		"the last of one index":     {chatBase, `{"messages":{"0":{"role":"user","content":[]},"0":` + message + `}}`, "input_variables", `["n","b","t"]`},
		"tools removed":             {chatBase, `{"tools":null}`, "tools", `null`},
		"tools emptied":             {chatBase, `{"tools":[]}`, "tools", `[]`},
		"tools replaced":            {chatBase, `{"tools":[{"type":"shell"}]}`, "tools", `[{"type":"shell"}]`},
		"one tool":                  {chatBase, `{"tools":{"1":{"type":"shell"}}}`, "tools", `[{"type":"variable","name":"t"},{"type":"shell"}]`},
		"tools kept":                {chatBase, `{"tool_choice":"none"}`, "tools", `[{"type":"variable","name":"t"},{"type":"bash"}]`},
		"functions set":             {chatBase, `{"functions":[{"name":"f"}]}`, "functions", `[{"name":"f","description":"","strict":false,"parameters":{"type":"object","properties":{}}}]`},
		"functions removed":         {chatBase, `{"functions":null}`, "functions", `null`},
		"choice removed":            {chatBase, `{"tool_choice":null}`, "tool_choice", `null`},
		"choice as object":          {chatBase, `{"tool_choice":{"x":1.0}}`, "tool_choice", `{"x":1.0}`},
		"choice of any kind":        {chatBase, `{"tool_choice":[1e3]}`, "tool_choice", `[1e3]`},
		"call set":                  {chatBase, `{"function_call":"auto"}`, "function_call", `"auto"`},
		"null content of a chat":    {chatBase, `{"content":null}`, "tool_choice", `"auto"`},
		"one item":                  {completionBase, `{"content":{"1":{"type":"text","text":"{b}"}}}`, "content", `[{"type":"text","text":"{a}"},{"type":"text","text":"{b}"}]`},
		"all items":                 {completionBase, `{"content":[]}`, "content", `[]`},
		"variables of items":        {completionBase, `{"content":{"1":{"type":"text","text":"{b}"}}}`, "input_variables", `["a","b"]`},
		"extra members":             {completionBase, `{"content":[]}`, "more", `1.0`},
		"messages null":             {completionBase, `{"messages":null}`, "more", `1.0`},
		"a base without tools":      {`{"type":"chat","messages":[]}`, `{"tools":[{"type":"bash"}],"tool_choice":"x"}`, "tools", `[{"type":"bash"}]`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			result := patched(t, c.base, c.body)
			want := c.want
			if want == "" { // only the second message may have changed
				first := tree(t, string(Normalize(tree(t, c.base)))).Get("messages")
				for _, m := range first.Elems() {
					want = `[` + string(m.Raw()) + `,` + normal + `]`
					break
				}
			}
			if diff := cmp.Diff(want, string(result.Get(c.member).Raw())); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.member, diff)
			}
		})
	}
}

func TestPatchWithoutChange(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ base, body string }{
		"nothing":       {chatBase, `{}`},
		"empty objects": {chatBase, `{"messages":{},"tools":{},"functions":{}}`},
		"nulls":         {chatBase, `{"messages":null,"content":null}`},
		"completion":    {completionBase, `{"content":{}}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := Patch(tree(t, c.base), changesOf(t, c.body))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.base, string(got)); diff != "" {
				t.Errorf("template (-want +got):\n%s", diff)
			}
		})
	}
}

func TestPatchRejects(t *testing.T) {
	t.Parallel()
	user := `{"role":"user","content":[]}`
	cases := map[string]struct {
		base, body string
		want       fault.Kind
	}{
		"index equal to the length":      {chatBase, `{"messages":{"2":` + user + `}}`, fault.BadRequest},
		"index past the end":             {chatBase, `{"messages":{"0":` + user + `,"99":` + user + `}}`, fault.BadRequest},
		"huge index":                     {chatBase, `{"messages":{"99999999999999999999":` + user + `}}`, fault.BadRequest},
		"negative index":                 {chatBase, `{"messages":{"-1":` + user + `}}`, fault.BadRequest},
		"signed index":                   {chatBase, `{"messages":{"+1":` + user + `}}`, fault.BadRequest},
		"leading zero":                   {chatBase, `{"messages":{"01":` + user + `}}`, fault.BadRequest},
		"no number":                      {chatBase, `{"messages":{"a":` + user + `}}`, fault.BadRequest},
		"empty key":                      {chatBase, `{"messages":{"":` + user + `}}`, fault.BadRequest},
		"null as message":                {chatBase, `{"messages":{"0":null}}`, fault.BadRequest},
		"string as tool":                 {chatBase, `{"tools":{"0":"x"}}`, fault.BadRequest},
		"index of absent functions":      {chatBase, `{"functions":{"0":{"name":"f"}}}`, fault.BadRequest},
		"content of a chat":              {chatBase, `{"content":[]}`, fault.BadRequest},
		"no content of a chat":           {chatBase, `{"content":{}}`, fault.BadRequest},
		"messages of a completion":       {completionBase, `{"messages":[]}`, fault.BadRequest},
		"tools of a completion":          {completionBase, `{"tools":[]}`, fault.BadRequest},
		"null tools of a completion":     {completionBase, `{"tools":null}`, fault.BadRequest},
		"null functions, completion":     {completionBase, `{"functions":null}`, fault.BadRequest},
		"null function_call, completion": {completionBase, `{"function_call":null}`, fault.BadRequest},
		"null tool_choice, completion":   {completionBase, `{"tool_choice":null}`, fault.BadRequest},
		"item past the end":              {completionBase, `{"content":{"2":{}}}`, fault.BadRequest},
		"string as messages":             {chatBase, `{"messages":"x"}`, fault.Invalid},
		"number as tools":                {chatBase, `{"tools":1}`, fault.Invalid},
		"boolean as functions":           {chatBase, `{"functions":true}`, fault.Invalid},
		"string as content":              {completionBase, `{"content":"x"}`, fault.Invalid},
		"types come first":               {completionBase, `{"messages":"x"}`, fault.Invalid},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := Patch(tree(t, c.base), changesOf(t, c.body))
			if fault.KindOf(err) != c.want || err == nil {
				t.Errorf("patch = %s, %v; want a fault of kind %d", got, err, c.want)
			}
		})
	}
}

func TestPatchedTemplateIsCheckedLater(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ body, want string }{
		"role":          {`{"messages":{"0":{"role":"","content":[]}}}`, "input.messages[0]: union_tag_invalid"},
		"not a message": {`{"messages":["x"]}`, "input.messages[0]: dict_type"},
		"variables":     {`{"messages":[{"role":"user","content":[],"input_variables":"x"}]}`, "input.messages[0].input_variables: list_type"},
		"tool":          {`{"tools":[{}]}`, "input.tools[0]: union_tag_not_found"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, err := Patch(tree(t, chatBase), changesOf(t, c.body))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string{c.want}, broken(checkAll(tree(t, string(text)), Strict))); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

func TestPatchNamesTheMember(t *testing.T) {
	t.Parallel()
	_, err := Patch(tree(t, chatBase), changesOf(t, `{"tools":"x","messages":1}`))
	var f *fault.Error
	if !errors.As(err, &f) {
		t.Fatalf("error = %v", err)
	}
	want := []fault.Field{
		{Loc: fault.In("messages"), Msg: "Input should be a valid list or a valid object", Type: "list_type"},
		{Loc: fault.In("tools"), Msg: "Input should be a valid list or a valid object", Type: "list_type"},
	}
	if diff := cmp.Diff(want, f.Fields); diff != "" {
		t.Errorf("fields (-want +got):\n%s", diff)
	}
}

func TestPatchMetadata(t *testing.T) {
	t.Parallel()
	const base = `{"custom":[1.0],"model":{"provider":"openai","parameters":{"temperature":0.50,"nested":{"a":1,"b":2},"response_format":{"type":"text"}},"name":"gpt"}}`
	with := func(parameters string) string {
		return `{"custom":[1.0],"model":{"provider":"openai","parameters":` + parameters + `,"name":"gpt"}}`
	}
	cases := map[string]struct{ base, body, want string }{
		"nothing":                  {base, `{}`, base},
		"null parameters":          {base, `{"model_parameters":null}`, base},
		"empty parameters":         {base, `{"model_parameters":{}}`, base},
		"shallow merge":            {base, `{"model_parameters":{"nested":{"c":3},"top_p":1.00}}`, with(`{"temperature":0.50,"nested":{"c":3},"response_format":{"type":"text"},"top_p":1.00}`)},
		"null is stored":           {base, `{"model_parameters":{"temperature":null}}`, with(`{"temperature":null,"nested":{"a":1,"b":2},"response_format":{"type":"text"}}`)},
		"format inside parameters": {base, `{"model_parameters":{"response_format":null}}`, with(`{"temperature":0.50,"nested":{"a":1,"b":2},"response_format":null}`)},
		"format set":               {base, `{"response_format":{"type":"json"}}`, with(`{"temperature":0.50,"nested":{"a":1,"b":2},"response_format":{"type":"json"}}`)},
		"format removed":           {base, `{"response_format":null}`, with(`{"temperature":0.50,"nested":{"a":1,"b":2}}`)},
		"both":                     {base, `{"model_parameters":{"temperature":1},"response_format":null}`, with(`{"temperature":1,"nested":{"a":1,"b":2}}`)},
		"nothing to remove":        {`{"model":{"name":"m"}}`, `{"response_format":null}`, `{"model":{"name":"m"}}`},
		"null base, null format":   {`null`, `{"response_format":null}`, `null`},
		"null base":                {`null`, `{"model_parameters":{"a":1}}`, `{"model":{"parameters":{"a":1}}}`},
		"empty base":               {`{}`, `{"response_format":{}}`, `{"model":{"parameters":{"response_format":{}}}}`},
		"no model":                 {`{"x":1}`, `{"model_parameters":{"a":1}}`, `{"model":{"parameters":{"a":1}},"x":1}`},
		"null model":               {`{"model":null}`, `{"model_parameters":{"a":1}}`, `{"model":{"parameters":{"a":1}}}`},
		"null parameters of model": {`{"model":{"parameters":null}}`, `{"model_parameters":{"a":1}}`, `{"model":{"parameters":{"a":1}}}`},
		"escaped names":            {`{"model":{"parameters":{"\u0061":1}}}`, `{"model_parameters":{"a":2,"q\"":3}}`, `{"model":{"parameters":{"a":2,"q\"":3}}}`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			body := tree(t, c.body)
			got, err := PatchMetadata(tree(t, c.base), body.Get("model_parameters"), body.Get("response_format"))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, string(got)); diff != "" {
				t.Errorf("metadata (-want +got):\n%s", diff)
			}
			var before, after fault.Problems
			CheckMetadata(tree(t, c.base), nil, "metadata", &before)
			if CheckMetadata(tree(t, string(got)), nil, "metadata", &after); before.Err() == nil && after.Err() != nil {
				t.Errorf("the result cannot be published: %v", after.Err())
			}
		})
	}
}

func TestPatchMetadataRejects(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		body string
		want fault.Kind
	}{
		"format twice":                {`{"model_parameters":{"response_format":{}},"response_format":{}}`, fault.BadRequest},
		"format twice, null on top":   {`{"model_parameters":{"response_format":{}},"response_format":null}`, fault.BadRequest},
		"format twice, null inside":   {`{"model_parameters":{"response_format":null},"response_format":{}}`, fault.BadRequest},
		"parameters as array":         {`{"model_parameters":[]}`, fault.Invalid},
		"response format as a string": {`{"response_format":"json"}`, fault.Invalid},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			body := tree(t, c.body)
			got, err := PatchMetadata(tree(t, `{}`), body.Get("model_parameters"), body.Get("response_format"))
			if err == nil || fault.KindOf(err) != c.want {
				t.Errorf("patch = %s, %v; want a fault of kind %d", got, err, c.want)
			}
		})
	}
}
