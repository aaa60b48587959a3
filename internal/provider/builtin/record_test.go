package builtin_test

import (
	"encoding/json"
	"errors"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/provider/builtin"
	pt "github.com/promptuary/promptuary/internal/provider/providertest"
)

func TestProviderAndAPIType(t *testing.T) {
	t.Parallel()
	type names struct{ Provider, APIType string }
	for name, test := range map[string]struct {
		call string
		want names
	}{
		"named by the client":   {`{"function_name":"openai.chat.completions.create","provider_type":"groq"}`, names{"groq", ""}},
		"openai":                {`{"function_name":"openai.AsyncOpenAI.chat.completions.create"}`, names{"openai", "chat-completions"}},
		"azure":                 {`{"function_name":"openai.AsyncAzureOpenAI.responses.create"}`, names{"openai.azure", "responses"}},
		"bedrock":               {`{"function_name":"boto3.bedrock-runtime.converse"}`, names{"amazon.bedrock", ""}},
		"anthropic":             {`{"function_name":"anthropic.AsyncAnthropic.messages.create"}`, names{"anthropic", ""}},
		"openrouter":            {`{"function_name":"openrouter.chat.send"}`, names{"openrouter", "chat"}},
		"openrouter images":     {`{"function_name":"openrouter.images.generate"}`, names{"openrouter", "images"}},
		"another library":       {`{"function_name":"cohere.chat"}`, names{"cohere", ""}},
		"no library":            {`{"function_name":"ask"}`, names{"openai", ""}},
		"a dot and nothing":     {`{"function_name":".ask"}`, names{"openai", ""}},
		"no function":           {`{"function_name":null,"kwargs":{"messages":[]}}`, names{"openai", "chat-completions"}},
		"no function, an input": {`{"kwargs":{"input":"Hi"}}`, names{"openai", "responses"}},
		"unknown with an input": {`{"function_name":"voyage.embed","kwargs":{"input":"Hi"}}`, names{"voyage", ""}},
		"embeddings":            {`{"function_name":"openai.embeddings.create","kwargs":{"input":"Hi"}}`, names{"openai", ""}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := builtin.Providers.Read(pt.ExchangeOf(pt.Parse(t, test.call)))
			if diff := cmp.Diff(test.want, names{got.Provider, got.APIType}); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestEngine(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ call, want string }{
		"model first":        {`{"kwargs":{"modelId":"c","engine":"b","model":"a"},"request_response":{"model":"d"}}`, "a"},
		"then engine":        {`{"kwargs":{"modelId":"c","engine":"b","model":null},"request_response":{"model":"d"}}`, "b"},
		"then model id":      {`{"kwargs":{"modelId":"c","model":""},"request_response":{"model":"d"}}`, "c"},
		"then the response":  {`{"kwargs":{"model":{}},"request_response":{"model":"d"}}`, "d"},
		"Google's response":  {`{"request_response":{"modelVersion":"e"}}`, "e"},
		"no information":     {`{"kwargs":[],"request_response":"x"}`, ""},
		"a value, no object": {`{"kwargs":"model"}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := builtin.Providers.Read(pt.ExchangeOf(pt.Parse(t, test.call))).Engine; got != test.want {
				t.Errorf("engine = %q, want %q", got, test.want)
			}
		})
	}
}

func TestTokens(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		response string
		want     [4]int64
	}{
		"openai": {
			`{"usage":{"prompt_tokens":1,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":3},"completion_tokens_details":{"reasoning_tokens":4}}}`,
			[4]int64{1, 2, 3, 4},
		},
		"responses": {
			`{"usage":{"input_tokens":1,"output_tokens":2,"input_tokens_details":{"cached_tokens":3},"output_tokens_details":{"reasoning_tokens":4}}}`,
			[4]int64{1, 2, 3, 4},
		},
		"anthropic":       {`{"usage":{"input_tokens":1,"output_tokens":2,"cache_read_input_tokens":3}}`, [4]int64{4, 2, 3, 0}},
		"bedrock":         {`{"usage":{"inputTokens":1,"outputTokens":2,"cacheReadInputTokens":3}}`, [4]int64{4, 2, 3, 0}},
		"mistral's names": {`{"usage":{"promptTokens":1,"completionTokens":2}}`, [4]int64{1, 2, 0, 0}},
		"google": {
			`{"usage_metadata":{"prompt_token_count":1,"candidates_token_count":2,"cached_content_token_count":3,"thoughts_token_count":4}}`,
			[4]int64{1, 6, 3, 4},
		},
		"google in camel case": {
			`{"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":2,"cachedContentTokenCount":3,"thoughtsTokenCount":4}}`,
			[4]int64{1, 6, 3, 4},
		},
		"null":      {`{"usage":null}`, [4]int64{}},
		"no object": {`{"usage":[1,2]}`, [4]int64{}},
		"negative":  {`{"usage":{"prompt_tokens":-1,"completion_tokens":-2}}`, [4]int64{}},
		"fractions": {`{"usage":{"prompt_tokens":1.5,"completion_tokens":0.1}}`, [4]int64{}},
		"absurd":    {`{"usage":{"prompt_tokens":1000000001,"completion_tokens":1e300}}`, [4]int64{}},
		"the most":  {`{"usage":{"prompt_tokens":1000000000,"completion_tokens":5.0}}`, [4]int64{1_000_000_000, 5, 0, 0}},
		"texts":     {`{"usage":{"prompt_tokens":"1","completion_tokens":true}}`, [4]int64{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := builtin.Providers.Read(pt.ExchangeOf(pt.Parse(t, `{"request_response":`+test.response+`}`)))
			u := r.Usage
			got := [4]int64{u.Input.N, u.Output.N, u.CacheRead.N, u.Reasoning.N}
			if got != test.want {
				t.Errorf("tokens = %v, want %v", got, test.want)
			}
		})
	}
}

func TestResultOwnsItsBytes(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../anthropic/testdata/tools.json")
	if err != nil {
		t.Fatal(err)
	}
	body, err := jsontree.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	got := builtin.Providers.Read(pt.ExchangeOf(body.Get("call")))
	before := pt.Encode(t, got)
	for i := range text {
		text[i] = 'x'
	}
	if diff := cmp.Diff(string(before), string(pt.Encode(t, got))); diff != "" {
		t.Errorf("the result changed with the text it was made from:\n%s", diff)
	}
}

func FuzzConvert(f *testing.F) {
	for _, call := range goldenCalls(f) {
		f.Add(call.Compact())
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if body, err := jsontree.Parse(text); err == nil {
			checkResult(t, builtin.Providers.Read(pt.ExchangeOf(body)))
		}
	})
}

// checkResult fails unless r can be stored and read.
func checkResult(t *testing.T, r provider.Record) {
	t.Helper()
	checkTemplate(t, r.Input)
	checkTemplate(t, r.Output)
	if !json.Valid(r.Parameters) || r.Parameters[0] != '{' {
		t.Errorf("parameters are no object: %s", r.Parameters)
	}
	u := r.Usage
	for _, count := range []provider.Count{u.Input, u.Output, u.CacheRead, u.CacheWrite, u.CacheWriteLong, u.Reasoning} {
		if count.N < 0 || count.N > 3_000_000_000 || count.N > 0 && !count.Given {
			t.Errorf("token count %v", count)
		}
	}
}

var blueprintRoles = []string{"system", "user", "assistant", "developer", "tool", "function", "placeholder"}

// checkTemplate fails unless text is a valid blueprint: every message has a
// known role, every block a type, every tool call a name and arguments as text.
func checkTemplate(t *testing.T, text json.RawMessage) {
	t.Helper()
	if !json.Valid(text) {
		t.Fatalf("invalid JSON: %s", text)
	}
	template, err := jsontree.Parse(text)
	if errors.Is(err, jsontree.ErrTooDeep) {
		return // the call itself is that deeply nested
	}
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	parts := map[string]jsontree.Value{"chat": template.Get("messages"), "completion": template.Get("content")}
	if list := parts[template.Get("type").Str()]; list.Kind() != jsontree.Array {
		t.Errorf("neither a chat nor a completion: %s", text)
	}
	checkBlocks(t, template.Get("content"))
	for _, m := range template.Get("messages").Elems() {
		if role := m.Get("role").Str(); !slices.Contains(blueprintRoles, role) {
			t.Errorf("role %q in %s", role, text)
		}
		checkBlocks(t, m.Get("content"))
		for _, call := range m.Get("tool_calls").Elems() {
			function := call.Get("function")
			if function.Get("name").Kind() != jsontree.String || function.Get("arguments").Kind() != jsontree.String {
				t.Errorf("tool call %s", call.Raw())
			}
		}
	}
}

func checkBlocks(t *testing.T, list jsontree.Value) {
	t.Helper()
	for _, block := range list.Elems() {
		if block.Get("type").Str() == "" {
			t.Errorf("a block without a type: %s", block.Raw())
		}
	}
}

func BenchmarkConvert(b *testing.B) {
	call := pt.ExchangeOf(goldenCalls(b)["../anthropic/testdata/tools.json"])
	b.ReportAllocs()
	for b.Loop() {
		builtin.Providers.Read(call)
	}
}
