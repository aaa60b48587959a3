package e2e

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// promptsResult is the output of the driver for prompt templates.
type promptsResult struct {
	Published   []publishedPrompt          `json:"published"`
	Fetched     map[string]fetchedPrompt   `json:"fetched"`
	Listed      map[string][]fetchedPrompt `json:"listed"`
	Group       int64                      `json:"group"`
	Runs        map[string]promptRun       `json:"runs"`
	FromCache   map[string]fetchedPrompt   `json:"fromCache"`
	Fetches     []struct{ Path string }    `json:"fetches"`
	Logged      struct{ ID int64 }         `json:"logged"`
	Tracked     map[string]bool            `json:"tracked"`
	Failures    map[string]string          `json:"failures"`
	Republished publishedPrompt            `json:"republished"`
	Restored    fetchedPrompt              `json:"restored"`
}

type publishedPrompt struct {
	ID        int64          `json:"id"`
	Name      string         `json:"prompt_name"`
	VersionID int64          `json:"prompt_version_id"`
	Version   int64          `json:"version_number"`
	Tags      []string       `json:"tags"`
	Labels    []string       `json:"release_labels"`
	Template  storedTemplate `json:"prompt_template"`
	Commit    string         `json:"commit_message"`
}

type fetchedPrompt struct {
	ID        int64          `json:"id"`
	Name      string         `json:"prompt_name"`
	Version   int64          `json:"version"`
	Commit    string         `json:"commit_message"`
	Template  storedTemplate `json:"prompt_template"`
	Arguments any            `json:"llm_kwargs"`
	Warning   string         `json:"warning"`
}

// storedTemplate is the compared part of a template.
type storedTemplate struct {
	Variables []string      `json:"input_variables"`
	Messages  []chatMessage `json:"messages"`
	Content   textBlocks    `json:"content"`
}

type chatMessage struct {
	Role      string     `json:"role"`
	Name      string     `json:"name"`
	Content   textBlocks `json:"content"`
	ToolCalls []struct {
		Function struct{ Name, Arguments string }
	} `json:"tool_calls"`
}

type textBlocks []struct{ Text string }

func (blocks textBlocks) String() string {
	var text strings.Builder
	for _, block := range blocks {
		text.WriteString(block.Text)
	}
	return text.String()
}

// String returns a template in one line.
func (s storedTemplate) String() string {
	parts := []string{}
	if s.Content != nil {
		parts = append(parts, s.Content.String())
	}
	for _, m := range s.Messages {
		parts = append(parts, m.Role+"("+m.Name+m.Content.String()+")")
		for _, call := range m.ToolCalls {
			parts = append(parts, call.Function.Name+" "+call.Function.Arguments)
		}
	}
	return strings.Join(parts, " ")
}

// parsed returns JSON as a comparable value.
func parsed(text string) any {
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		panic(fmt.Sprintf("%v in %s", err, text)) // the text is constant
	}
	return v
}

func TestOfficialJavaScriptClientPrompts(t *testing.T) {
	t.Parallel()
	p := start(t, t.TempDir())
	got := runDriver[promptsResult](t, nil, "prompts.mjs", p.address, testKey)
	t.Run("published", func(t *testing.T) { checkPublished(t, got.Published) })
	t.Run("fetched", func(t *testing.T) { checkFetched(t, got) })
	t.Run("listed", func(t *testing.T) { checkListed(t, got.Listed) })
	t.Run("cached by the client", func(t *testing.T) { checkClientCache(t, got) })
	t.Run("run", func(t *testing.T) { checkRuns(t, p, got) })
	t.Run("linked afterwards", func(t *testing.T) { checkLinked(t, p, got) })
	t.Run("published again", func(t *testing.T) { checkRepublished(t, got) })
	t.Run("failures", func(t *testing.T) {
		for name, want := range map[string]string{
			"provider": "no such model", "absent": "Prompt template not found", "label": "Release label not found",
			"version": "Version not found", "kind": "discriminator 'type'", "log": "Prompt template not found", "key": "API key",
		} {
			if !strings.Contains(got.Failures[name], want) {
				t.Errorf("failure %s: %q, want one with %q", name, got.Failures[name], want)
			}
		}
	})
}

func checkPublished(t *testing.T, got []publishedPrompt) {
	t.Helper()
	var lines []string
	versions := map[int64]bool{}
	for _, p := range got {
		lines = append(lines, fmt.Sprintf("%s v%d %v %v %q %v: %s", p.Name, p.Version, p.Tags, p.Labels, p.Commit, p.Template.Variables, p.Template))
		versions[p.VersionID] = true
	}
	want := []string{
		`team/support bot v1 [support e2e] [prod first] "first words" [company question]: ` +
			`system(You help customers of {company}. Answer as JSON {{}}.) placeholder(history) user({question})`,
		`team/support bot v2 [support e2e] [prod] "only greets" [company question]: system(Greet customers of {company}.) user({question})`,
		`reviewer v1 [] [] "" [rules code word]: system(Rules:{% for rule in rules %} {{ loop.index }}. {{ rule }}{% endfor %}) ` +
			`user(Review {{ code.name | upper }} {{ word }})`,
		`agent v1 [] [] "" [word]: system(Use tools.) user(find {word})`,
		`story v1 [] [] "" [place word]: Once upon a time in {place} lived {word}`,
		`planner v1 [] [] "" [word]: system(Plan.) user(plan {word})`,
		`dispatcher v1 [] [] "" [word abilities]: user(dispatch {word})`,
		`broken v1 [] [] "" [word]: user(hello {word})`,
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("published (-want +got):\n%s", diff)
	}
	if len(versions) != len(got) || got[0].ID != got[1].ID || got[1].ID == got[2].ID {
		t.Errorf("versions need unique IDs, and versions of a template the same template ID: %+v", got)
	}
}

// checkRepublished compares a version that was fetched and published again.
func checkRepublished(t *testing.T, got promptsResult) {
	t.Helper()
	first := got.Fetched["version"]
	if got.Republished.Version != 3 || got.Republished.ID != first.ID || got.Restored.Commit != "back to the first" {
		t.Errorf("published as %+v, want version 3 of template %d", got.Republished, first.ID)
	}
	first.Version, first.Commit = 3, got.Restored.Commit
	if diff := cmp.Diff(first, got.Restored); diff != "" {
		t.Errorf("fetched again (-before +after):\n%s", diff)
	}
}

const (
	lookupSchema   = `{"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}`
	lookupFunction = `"name": "lookup_order", "description": "Finds an order.", "strict": false, "parameters": ` + lookupSchema
	supportTools   = `"tools": [{"type": "function", "function": {` + lookupFunction + `}}], "tool_choice": "auto", "model": "gpt-4o-mini"`
)

// chatArguments are messages in the format of OpenAI's chat API, with
// additional members.
func chatArguments(system, user, members string) string {
	return fmt.Sprintf(`{"messages": [{"role": "system", "content": %q}, {"role": "user", "content": [{"type": "text", "text": %q}]}], %s}`, system, user, members)
}

// claudeArguments are messages in the format of Anthropic.
func claudeArguments(system, user, members string) string {
	return fmt.Sprintf(`{"system": %q, "messages": [{"role": "user", "content": [{"type": "text", "text": %q}]}], %s}`, system, user, members)
}

func checkFetched(t *testing.T, got promptsResult) {
	t.Helper()
	const raw, greeter = "system(You help customers of {company}. Answer as JSON {{}}.) placeholder(history) user({question})", `"model": "gpt-4o", "temperature": 0`
	const settings = supportTools + `, "temperature": 0.2, "max_completion_tokens": 100`
	empty := chatArguments("You help customers of . Answer as JSON {}.", "", settings)
	const missing = "Some input variables are missing: (`company`, `question`)"
	tests := []struct {
		name         string
		version      int64
		text, kwargs string
		warning      string
	}{
		{"latest", 2, "system(Greet customers of {company}.) user({question})", chatArguments("Greet customers of .", "", greeter), missing},
		{"version", 1, raw, empty, missing},
		{"byID", 1, raw, empty, missing},
		{"label", 1, "system(You help customers of Acme. Answer as JSON {}.) placeholder(history) user(where is zqnone)",
			chatArguments("You help customers of Acme. Answer as JSON {}.", "where is zqnone", settings), ""},
		{"moved", 2, "system(Greet customers of Acme.) user(where is zqnone)", chatArguments("Greet customers of Acme.", "where is zqnone", greeter), ""},
		{"missing", 2, "system(Greet customers of Acme.) user()", chatArguments("Greet customers of Acme.", "", greeter), "Some input variables are missing: (`question`)"},
		{"jinja", 1, "system(Rules: 1. be kind 2. be brief) user(Review MAIN now)",
			claudeArguments("Rules: 1. be kind 2. be brief", "Review MAIN now", `"model": "claude-sonnet-4", "max_tokens": 64`), ""},
		{"completion", 1, "Once upon a time in Ur lived Gil",
			`{"prompt": "Once upon a time in Ur lived Gil", "model": "gpt-3.5-turbo-instruct", "max_tokens": 16}`, ""},
	}
	for _, test := range tests {
		one := got.Fetched[test.name]
		warning, _, _ := strings.Cut(one.Warning, "\n")
		if one.Version != test.version || one.Template.String() != test.text || warning != test.warning {
			t.Errorf("%s: version %d, %s, warning %q, want %+v", test.name, one.Version, one.Template, one.Warning, test)
		}
		if diff := cmp.Diff(parsed(test.kwargs), one.Arguments); diff != "" {
			t.Errorf("%s: arguments (-want +got):\n%s", test.name, diff)
		}
	}
}

func checkListed(t *testing.T, got map[string][]fetchedPrompt) {
	t.Helper()
	names := map[string]string{}
	for list, items := range got {
		for _, item := range items {
			names[list] += fmt.Sprintf("%s v%d, ", item.Name, item.Version)
		}
	}
	want := map[string]string{
		"all":      "broken v1, dispatcher v1, planner v1, story v1, agent v1, reviewer v1, team/support bot v2, ",
		"second":   "agent v1, reviewer v1, team/support bot v2, ",
		"labelled": "team/support bot v1, ",
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("listed (-want +got):\n%s", diff)
	}
}

// checkClientCache compares the texts that the client rendered itself, and the
// number of its requests.
func checkClientCache(t *testing.T, got promptsResult) {
	t.Helper()
	texts := map[string]string{}
	for name, one := range got.FromCache {
		texts[name] = one.Template.String()
	}
	want := map[string]string{
		"first": "system(Greet customers of Acme.) user(one)", "second": "system(Greet customers of Bolt.) user(two)",
		"jinja": "system(Rules: 1. a 2. b) user(Review MAIN x)", "completion": "Once upon a time in Ur lived Gil",
		"responses": "system(Plan.) user(plan Gil)", "tools": "user(dispatch Gil)",
		"placeholder": "system(You help customers of Acme. Answer as JSON {}.) placeholder(history) user(three)",
	}
	if diff := cmp.Diff(want, texts); diff != "" {
		t.Errorf("texts (-want +got):\n%s", diff)
	}
	second := chatArguments("Greet customers of Bolt.", "two", `"model": "gpt-4o", "temperature": 0`)
	if diff := cmp.Diff(parsed(second), got.FromCache["second"].Arguments); diff != "" {
		t.Errorf("arguments (-want +got):\n%s", diff)
	}
	tools := `{"input": [{"role": "user", "content": [{"type": "input_text", "text": "dispatch Gil"}]}], ` +
		`"tools": [{"type": "function", ` + lookupFunction + `}], "model": "gpt-5"}`
	if diff := cmp.Diff(parsed(tools), got.FromCache["tools"].Arguments); diff != "" {
		t.Errorf("arguments with tools (-want +got):\n%s", diff)
	}
	if len(got.Fetches) != 8 {
		t.Errorf("the client made %d requests, want one for each of 6 templates and another for 2 that it cannot render: %v", len(got.Fetches), got.Fetches)
	}
}
