package e2e

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// driverResult is the output of the driver: the results of the client.
type driverResult struct {
	Logged struct {
		ID            int64  `json:"id"`
		RequestID     int64  `json:"request_id"`
		Status        string `json:"status"`
		PromptVersion struct {
			Template struct {
				Messages []any `json:"messages"`
			} `json:"prompt_template"`
		} `json:"prompt_version"`
	} `json:"logged"`
	Group      int64             `json:"group"`
	Tracked    map[string]bool   `json:"tracked"`
	Failures   map[string]string `json:"failures"`
	Completion struct {
		ID   int64  `json:"id"`
		Text string `json:"text"`
	} `json:"completion"`
	Stream struct {
		ID int64 `json:"id"`
	} `json:"stream"`
	Reply struct {
		ID    int64    `json:"id"`
		Kinds []string `json:"kinds"`
	} `json:"reply"`
}

// runDriver runs a script that uses the official client, and decodes the last
// line of its output.
func runDriver[T any](t *testing.T, env []string, script string, args ...string) T {
	t.Helper()
	if _, err := os.Stat(filepath.Join("node_modules", "promptlayer")); err != nil {
		t.Fatalf("the official client is not installed, run `make setup`: %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "node", append([]string{script}, args...)...)
	cmd.Env = append(os.Environ(), env...)
	lines := strings.Split(strings.TrimSpace(runCommand(t, cmd).must(t)), "\n")
	return mustDecode[T](t, answer{body: []byte(lines[len(lines)-1])})
}

func TestOfficialJavaScriptClient(t *testing.T) {
	t.Parallel()
	p := start(t, t.TempDir())
	env := []string{"PROMPTLAYER_BASE_URL=" + p.address, "PROMPTLAYER_API_KEY=" + testKey}
	got := runDriver[driverResult](t, env, "client.mjs")

	t.Run("what the client gave to its caller", func(t *testing.T) {
		if got.Logged.ID == 0 || got.Logged.ID != got.Logged.RequestID || got.Logged.Status != "SUCCESS" || len(got.Logged.PromptVersion.Template.Messages) != 2 {
			t.Errorf("logged %+v", got.Logged)
		}
		if diff := cmp.Diff(map[string]bool{"metadata": true, "score": true, "namedScore": true, "group": true}, got.Tracked); diff != "" {
			t.Errorf("tracked (-want +got):\n%s", diff)
		}
		if got.Completion.Text != "echo zqopenai1" || strings.Join(got.Reply.Kinds, " ") != "text tool_use" {
			t.Errorf("the answers of the providers are missing: %+v %+v", got.Completion, got.Reply)
		}
	})
	t.Run("failures", func(t *testing.T) {
		for name, want := range map[string]string{
			"prompt": "Prompt template not found", "request": "Request not found", "group": "not found",
			"log": "Field required", "key": "API key", "provider": "no such model",
		} {
			if !strings.Contains(got.Failures[name], want) {
				t.Errorf("failure %s: %q, want one with %q", name, got.Failures[name], want)
			}
		}
	})
	t.Run("stored", func(t *testing.T) { checkDriverLogs(t, p, got) })
	t.Run("annotated", func(t *testing.T) { checkDriverNotes(t, p, got) })
}

// checkDriverLogs fetches each log by its ID and by a word, and compares the
// converted provider calls.
func checkDriverLogs(t *testing.T, p *program, got driverResult) {
	t.Helper()
	if total := p.search(t, object{}).Total; total != 4 {
		t.Errorf("%d logs are stored, want 4", total)
	}
	type stored struct {
		Provider     string `json:"provider"`
		Model        string `json:"model"`
		InputTokens  int64  `json:"input_tokens"`
		OutputTokens int64  `json:"output_tokens"`
		Blueprint    struct {
			Template struct {
				Messages []struct {
					Role      string `json:"role"`
					Content   []struct{ Text string }
					ToolCalls []struct {
						Function struct{ Name, Arguments string }
					} `json:"tool_calls"`
				} `json:"messages"`
			} `json:"prompt_template"`
		} `json:"prompt_blueprint"`
	}
	tests := []struct {
		word string
		id   int64
		want string
	}{
		{"zqlogged1", got.Logged.ID, "openai gpt-4o 12/3: user(logged zqlogged1) assistant(fine)"},
		{"zqopenai1", got.Completion.ID, "openai gpt-4o-mini 21/7: system(be brief) user(repeat zqopenai1) assistant(echo zqopenai1)"},
		{"zqstream1", got.Stream.ID, "openai gpt-4o-mini 0/0: user(repeat zqstream1) assistant(echo zqstream1)"},
		{"zqanthropic1", got.Reply.ID, `anthropic claude-sonnet-4 45/9: system(use tools) user(look up zqanthropic1) assistant(let me look) lookup {"query":"zqanthropic1"}`},
	}
	for _, test := range tests {
		if _, err := p.find(entry{word: test.word}, test.id); err != nil {
			t.Error(err)
			continue
		}
		log := mustDecode[stored](t, p.get(t, fmt.Sprint(requestsPath, test.id)))
		text := fmt.Sprintf("%s %s %d/%d:", log.Provider, log.Model, log.InputTokens, log.OutputTokens)
		for _, m := range log.Blueprint.Template.Messages {
			text += " " + m.Role + "("
			for _, block := range m.Content {
				text += block.Text
			}
			text += ")"
			for _, call := range m.ToolCalls {
				text += " " + call.Function.Name + " " + call.Function.Arguments
			}
		}
		if text != test.want {
			t.Errorf("log of %s:\n got %s\nwant %s", test.word, text, test.want)
		}
	}
}

func checkDriverNotes(t *testing.T, p *program, got driverResult) {
	t.Helper()
	logged, err := p.find(entry{word: "zqlogged1"}, got.Logged.ID)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"origin": `"changed"`, "user_id": `"u-17"`}, logged.metadata()); diff != "" {
		t.Errorf("metadata (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]score{{"default", 88}, {"tone", 0}}, logged.Scores); diff != "" {
		t.Errorf("scores (-want +got):\n%s", diff)
	}
	if logged.GroupID != got.Group {
		t.Errorf("group %d, want %d", logged.GroupID, got.Group)
	}
	filters := []struct {
		filter object
		want   int64
	}{
		{object{"field": "metadata", "nested_key": "user_id", "operator": "key_equals", "value": "u-17"}, got.Logged.ID},
		{object{"field": "tags", "operator": "contains", "value": "openai"}, got.Completion.ID},
		{object{"field": "tool_names", "operator": "contains", "value": "lookup"}, got.Reply.ID},
	}
	for _, test := range filters {
		found := p.search(t, object{"filter_group": object{"filters": []any{test.filter}}})
		if found.Total != 1 || found.Items[0].ID != test.want {
			t.Errorf("filter %v found %+v, want log %d", test.filter, found, test.want)
		}
	}
}
