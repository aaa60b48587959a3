package google_test

import (
	"context"
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/genai"

	pt "github.com/promptuary/promptuary/internal/provider/providertest"
)

// camelKeys converts names to camel case like the JavaScript client does before
// it calls Google's library: all except those in function declarations and
// schema properties.
func camelKeys(v any) any {
	switch v := v.(type) {
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = camelKeys(v[i])
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, member := range v {
			if key != "function_declarations" && key != "properties" {
				member = camelKeys(member)
			}
			out[camelKey(key)] = member
		}
		return out
	default:
		return v
	}
}

func camelKey(key string) string {
	words := strings.Split(key, "_")
	for i, word := range words[1:] {
		words[i+1] = strings.ToUpper(word[:1]) + word[1:]
	}
	return strings.Join(words, "")
}

// reread decodes a value into a client's type.
func reread(t *testing.T, from, to any) {
	t.Helper()
	text, err := json.Marshal(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, to); err != nil {
		t.Fatalf("the client cannot read %s: %v", text, err)
	}
}

// TestGoogleClientAcceptsPayloads calls the client like PromptLayer's clients
// do: the last message is sent to a chat with the others as history.
func TestGoogleClientAcceptsPayloads(t *testing.T) {
	t.Parallel()
	parts := pt.Chat(pt.Say("assistant", `{"type":"thinking","thinking":"hm","signature":"c2ln"},{"type":"text","text":"a","thought_signature":"c2ln"},
		{"type":"code","code":"1+1"},{"type":"code_execution_result","output":"2"}`)+","+
		pt.Say("user", `{"type":"media","media":{"type":"application/pdf","url":"gs://b/o","format":"url"}}`),
		`,"tools":[{"type":"web_search","config":{}},{"type":"url_context","config":{}},{"type":"code_interpreter","config":{}},
		{"type":"file_search","config":{"file_search_store_names":["s"]}},{"type":"google_maps","config":{"enable_widget":true}}]`)
	format := `{"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"type":"object","properties":{"a_b":{"type":"string"}}}}}}`
	for _, c := range []pt.Case{
		{Name: "a conversation", Template: pt.Rich("", "")},
		{Name: "parts and tools", Template: parts},
		{Name: "settings", Template: pt.Chat(pt.Say("user", pt.Text("hi"))), Overrides: format,
			Parameters: `{"temperature":0.5,"topP":1,"top_k":3,"stop_sequences":["x"],"seed":1,"max_output_tokens":9,"thinking_config":{"include_thoughts":true}}`},
	} {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			c.Provider, c.Model = "google", "gemini-3"
			payload := camelKeys(pt.Decode(t, c.Build(t))).(map[string]any)
			var history []*genai.Content
			var config genai.GenerateContentConfig
			reread(t, payload["history"], &history)
			reread(t, payload["generationConfig"], &config)

			address, body := pt.Record(t, `{"candidates":[]}`)
			client, err := genai.NewClient(context.Background(), &genai.ClientConfig{
				APIKey: "k", Backend: genai.BackendGeminiAPI, HTTPOptions: genai.HTTPOptions{BaseURL: address},
			})
			if err != nil {
				t.Fatal(err)
			}
			last := history[len(history)-1]
			chat, err := client.Chats.Create(context.Background(), payload["model"].(string), &config, history[:len(history)-1])
			if err != nil {
				t.Fatal(err)
			}
			if _, err := chat.Send(context.Background(), last.Parts...); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(sentToGoogle(payload), body()); diff != "" {
				t.Errorf("(-payload +sent by the client):\n%s", diff)
			}
		})
	}
}

// sentToGoogle returns the request for a payload: the client sends the history
// as contents, moves some settings to the top level, and gives the instructions
// the role user.
func sentToGoogle(payload map[string]any) map[string]any {
	config := maps.Clone(payload["generationConfig"].(map[string]any))
	sent := map[string]any{"contents": payload["history"]}
	for _, key := range []string{"systemInstruction", "tools", "toolConfig"} {
		if v, ok := config[key]; ok {
			sent[key] = v
			delete(config, key)
		}
	}
	if system, ok := sent["systemInstruction"].(map[string]any); ok {
		system["role"] = "user"
	}
	sent["generationConfig"] = config
	return sent
}

func TestGoogleClientAcceptsCompletions(t *testing.T) {
	t.Parallel()
	c := pt.Case{Provider: "google", Model: "gemini-3", Template: pt.Hello, Overrides: `{"max_tokens":5}`}
	payload := camelKeys(pt.Decode(t, c.Build(t))).(map[string]any)
	pt.RoundTrips(t, payload["contents"], new([]*genai.Content))
	pt.RoundTrips(t, payload["generationConfig"], new(genai.GenerateContentConfig))
}
