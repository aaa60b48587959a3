package e2e

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// promptRun is a run by the client, with the request that the provider
// received.
type promptRun struct {
	RequestID int64 `json:"request_id"`
	Blueprint struct {
		Template storedTemplate `json:"prompt_template"`
	} `json:"prompt_blueprint"`
	Chunks   int `json:"chunks"`
	Received []struct {
		Path string `json:"path"`
		Body any    `json:"body"`
	} `json:"received"`
}

// link is the template of a log in a search result.
type link struct {
	ID       int64    `json:"id"`
	PromptID int64    `json:"prompt_id"`
	Version  int64    `json:"prompt_version_number"`
	Name     string   `json:"prompt_name"`
	Tags     []string `json:"tags_array"`
	Group    int64    `json:"group_id"`
	Status   string   `json:"status"`
	Tokens   int64    `json:"tokens"`
}

type runCase struct {
	name   string
	prompt string // name and version of the template
	path   string
	body   string // expected request to the provider
	text   string // expected conversation
	tokens int64
}

const streaming = `, "stream": true, "stream_options": {"include_usage": true}`

func runCases() []runCase {
	const support, greet = "You help customers of Acme. Answer as JSON {}.", "Greet customers of Acme."
	const chat, claude, responses = "/v1/chat/completions", "/v1/messages", "/v1/responses"
	const claudeTool = `"tools": [{"name": "lookup_order", "description": "Finds an order.", "input_schema": ` + lookupSchema +
		`}], "tool_choice": {"type": "any"}, "model": "claude-sonnet-4", "max_tokens": 64, "temperature": 1`
	history := `{"messages": [{"role": "system", "content": "` + support + `"}, {"role": "user", "content": [{"type": "text", "text": "hi {company}"}]}, ` +
		`{"role": "assistant", "content": "hello"}, {"role": "user", "content": [{"type": "text", "text": "where is zqtool1"}]}], ` +
		supportTools + `, "temperature": 0.9, "max_completion_tokens": 5, "stream": false}`
	plan := func(word, members string) string {
		return `{"input": [{"role": "system", "content": [{"type": "input_text", "text": "Plan."}]}, ` +
			`{"role": "user", "content": [{"type": "input_text", "text": "plan ` + word + `"}]}], "model": "gpt-5", "max_output_tokens": 40, ` + members + `}`
	}
	task := func(word, members string) string {
		return `{"input": [{"role": "user", "content": [{"type": "input_text", "text": "dispatch ` + word + `"}]}], ` +
			`"tools": [{"type": "function", ` + lookupFunction + `}], "model": "gpt-5", ` + members + `}`
	}
	story := func(word, members string) string {
		return `{"prompt": "Once upon a time in Ur lived ` + word + `", "model": "gpt-3.5-turbo-instruct", "max_tokens": 16` + members + `}`
	}
	called := func(word string) string { return `lookup_order {"query":"` + word + `"}` }
	return []runCase{
		{"tool", "team/support bot v1", chat, history,
			"system(" + support + ") user(hi {company}) assistant(hello) user(where is zqtool1) assistant() " + called("zqtool1"), 28},
		{"toolStream", "team/support bot v1", chat,
			chatArguments(support, "where is zqtool2", supportTools+`, "temperature": 0.2, "max_completion_tokens": 100`+streaming),
			"system(" + support + ") user(where is zqtool2) assistant() " + called("zqtool2"), 28},
		{"chat", "team/support bot v2", chat, chatArguments(greet, "say zqchat1", `"model": "gpt-4o", "temperature": 0, "stream": false`),
			"system(" + greet + ") user(say zqchat1) assistant(echo zqchat1)", 28},
		{"chatStream", "team/support bot v2", chat, chatArguments(greet, "say zqchat2", `"model": "gpt-4o", "temperature": 0`+streaming),
			"system(" + greet + ") user(say zqchat2) assistant(echo zqchat2)", 28},
		{"otherModel", "team/support bot v2", chat, chatArguments(greet, "say zqmodel1", `"model": "gpt-4.1", "temperature": 0, "stream": false`),
			"system(" + greet + ") user(say zqmodel1) assistant(echo zqmodel1)", 28},
		{"otherProvider", "team/support bot v2", claude,
			claudeArguments(greet, "say zqprovider1", `"model": "claude-sonnet-4", "temperature": 0, "max_tokens": 9, "stream": false`),
			"system(" + greet + ") user(say zqprovider1) assistant(echo zqprovider1)", 54},
		{"claude", "reviewer v1", claude, claudeArguments("Rules: 1. be kind", "Review MAIN zqclaude1", `"model": "claude-sonnet-4", "max_tokens": 64, "stream": false`),
			"system(Rules: 1. be kind) user(Review MAIN zqclaude1) assistant(echo zqclaude1)", 54},
		{"claudeStream", "reviewer v1", claude, claudeArguments("Rules:", "Review MAIN zqclaude2", `"model": "claude-sonnet-4", "max_tokens": 64, "stream": true`),
			"system(Rules:) user(Review MAIN zqclaude2) assistant(echo zqclaude2)", 54},
		{"claudeTool", "agent v1", claude, claudeArguments("Use tools.", "find zqagent1", claudeTool+`, "stream": false`),
			"system(Use tools.) user(find zqagent1) assistant(let me look) " + called("zqagent1"), 54},
		{"claudeToolStream", "agent v1", claude, claudeArguments("Use tools.", "find zqagent2", claudeTool+`, "stream": true`),
			"system(Use tools.) user(find zqagent2) assistant(let me look) " + called("zqagent2"), 54},
		{"completion", "story v1", "/v1/completions", story("zqstory1", `, "stream": false`), "Once upon a time in Ur lived zqstory1echo zqstory1", 28},
		{"completionStream", "story v1", "/v1/completions", story("zqstory2", streaming), "Once upon a time in Ur lived zqstory2echo zqstory2", 28},
		{"responses", "planner v1", responses, plan("zqplan1", `"stream": false`), "system(Plan.) user(plan zqplan1) assistant(echo zqplan1)", 31},
		{"responsesStream", "planner v1", responses, plan("zqplan2", `"stream": true`), "system(Plan.) user(plan zqplan2) assistant(echo zqplan2)", 31},
		{"responsesTool", "dispatcher v1", responses, task("zqtask1", `"stream": false`), "user(dispatch zqtask1) assistant() " + called("zqtask1"), 31},
		{"responsesToolStream", "dispatcher v1", responses, task("zqtask2", `"stream": true`), "user(dispatch zqtask2) assistant() " + called("zqtask2"), 31},
	}
}

// checkRuns compares the requests to the providers, the results of the client,
// and the stored logs.
func checkRuns(t *testing.T, p *program, got promptsResult) {
	t.Helper()
	ids := map[string]int64{}
	for _, one := range got.Published {
		ids[one.Name] = one.ID
	}
	cases := runCases()
	if len(got.Runs) != len(cases) {
		t.Errorf("%d runs, want %d", len(got.Runs), len(cases))
	}
	for _, test := range cases {
		run := got.Runs[test.name]
		test.checkSent(t, run)
		test.checkStored(t, p, run, ids)
	}
	checkRunLabels(t, p, got)
}

// checkSent compares the request to the provider and the result of the client.
func (r runCase) checkSent(t *testing.T, run promptRun) {
	t.Helper()
	if len(run.Received) != 1 || run.Received[0].Path != r.path {
		t.Errorf("%s: the provider received %+v, want one request to %s", r.name, run.Received, r.path)
		return
	}
	if diff := cmp.Diff(parsed(r.body), run.Received[0].Body); diff != "" {
		t.Errorf("%s: the provider received (-want +got):\n%s", r.name, diff)
	}
	if text := run.Blueprint.Template.String(); text != r.text {
		t.Errorf("%s: the client got\n     %s\nwant %s", r.name, text, r.text)
	}
	if streamed := strings.HasSuffix(r.name, "Stream"); streamed != (run.Chunks > 3) {
		t.Errorf("%s: the client got %d pieces", r.name, run.Chunks)
	}
}

// checkStored compares the log of the run, which must refer to one of the
// templates.
func (r runCase) checkStored(t *testing.T, p *program, run promptRun, templates map[string]int64) {
	t.Helper()
	stored := mustDecode[struct {
		Blueprint struct {
			Template storedTemplate `json:"prompt_template"`
		} `json:"prompt_blueprint"`
	}](t, p.get(t, fmt.Sprint(requestsPath, run.RequestID)))
	// The log can be published: what would be a variable is escaped.
	want := strings.ReplaceAll(r.text, "{company}", "{{company}}")
	if text := stored.Blueprint.Template.String(); text != want {
		t.Errorf("%s: stored as\n     %s\nwant %s", r.name, text, want)
	}
	got := p.linkOf(t, run.RequestID)
	if text := fmt.Sprintf("%s v%d", got.Name, got.Version); text != r.prompt || got.PromptID != templates[got.Name] || got.Tokens != r.tokens {
		t.Errorf("%s: logged as %+v, want %s and %d tokens", r.name, got, r.prompt, r.tokens)
	}
}

// linkOf finds a log by its id.
func (c *client) linkOf(t *testing.T, id int64) link {
	t.Helper()
	found := c.links(t, object{"field": "pl_id", "operator": "is", "value": id})
	if len(found) != 1 {
		t.Fatalf("found %d logs of id %d, want 1", len(found), id)
	}
	return found[0]
}

func (c *client) links(t *testing.T, filter object) []link {
	t.Helper()
	query := object{"filter_group": object{"filters": []any{filter}}, "include_prompt_name": true, "per_page": 25}
	return mustDecode[struct{ Items []link }](t, c.post(t, searchPath, query, http.StatusOK)).Items
}

// checkRunLabels compares the tags, metadata and groups of runs, and finds runs
// by their template.
func checkRunLabels(t *testing.T, p *program, got promptsResult) {
	t.Helper()
	tool := p.linkOf(t, got.Runs["tool"].RequestID)
	if !slices.Equal(tool.Tags, []string{"ran", "tool"}) || tool.Group != got.Group || tool.Status != "SUCCESS" {
		t.Errorf("logged as %+v, want its tags and group %d", tool, got.Group)
	}
	found, err := p.find(entry{word: "zqchat1"}, got.Runs["chat"].RequestID)
	if err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(map[string]string{"user_id": `"u-2"`}, found.metadata()); diff != "" {
		t.Errorf("metadata (-want +got):\n%s", diff)
	}
	filters := []struct {
		filter object
		want   int
	}{
		{object{"field": "prompt_id", "operator": "is", "value": got.Published[0].ID}, 7},
		{object{"field": "prompt_id", "operator": "is", "value": "team/support bot"}, 7},
		{object{"field": "prompt_id", "operator": "is", "value": "team/support bot v1"}, 2},
		{object{"field": "prompt", "operator": "is", "value": "agent"}, 2},
		{object{"field": "input_variables", "nested_key": "word", "operator": "key_equals", "value": "zqagent1"}, 1},
		{object{"field": "prompt_id", "operator": "is", "value": "broken"}, 1},
	}
	for _, test := range filters {
		if found := p.links(t, test.filter); len(found) != test.want {
			t.Errorf("filter %v found %d logs, want %d: %+v", test.filter, len(found), test.want, found)
		}
	}
	broken := p.links(t, object{"field": "prompt_id", "operator": "is", "value": "broken"})[0]
	if broken.Status != "ERROR" || broken.Version != 1 {
		t.Errorf("a run whose provider failed is logged as %+v", broken)
	}
}

// checkLinked compares a log that was linked when it was sent and linked again
// afterwards.
func checkLinked(t *testing.T, p *program, got promptsResult) {
	t.Helper()
	if diff := cmp.Diff(map[string]bool{"metadata": true, "score": true, "prompt": true, "group": true, "again": true}, got.Tracked); diff != "" {
		t.Errorf("tracked (-want +got):\n%s", diff)
	}
	logged := p.linkOf(t, got.Logged.ID)
	if logged.Name != "team/support bot" || logged.Version != 2 || logged.Group != got.Group {
		t.Errorf("logged as %+v, want version 2 of the template, which its label points to", logged)
	}
	found, err := p.find(entry{word: "zqlogged2"}, got.Logged.ID)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"user_id": `"u-3"`}, found.metadata()); diff != "" {
		t.Errorf("metadata (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]score{{"default", 77}}, found.Scores); diff != "" {
		t.Errorf("scores (-want +got):\n%s", diff)
	}
	byVariable := p.links(t, object{"field": "input_variables", "nested_key": "company", "operator": "key_equals", "value": "Bolt"})
	if len(byVariable) != 1 || byVariable[0].ID != got.Logged.ID {
		t.Errorf("the variables of the second link find %+v, want log %d", byVariable, got.Logged.ID)
	}
}
