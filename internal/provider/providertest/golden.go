package providertest

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/provider/builtin"
)

var update = flag.Bool("update", false, "write the records of recorded calls into the golden files")

// golden is a file in testdata: a recorded call and its record.
type golden struct {
	About string          `json:"about"`
	Call  json.RawMessage `json:"call"`
	Want  json.RawMessage `json:"want"`
}

// record is a provider.Record in the format of golden files.
type record struct {
	Provider       string          `json:"provider"`
	Engine         string          `json:"engine"`
	APIType        string          `json:"api_type"`
	Input          json.RawMessage `json:"input"`
	Output         json.RawMessage `json:"output"`
	Parameters     json.RawMessage `json:"parameters"`
	InputTokens    *int64          `json:"input_tokens"`
	OutputTokens   *int64          `json:"output_tokens"`
	CachedTokens   *int64          `json:"cached_tokens"`
	ThinkingTokens *int64          `json:"thinking_tokens"`
}

func recordOf(r provider.Record) record {
	return record{
		Provider: r.Provider, Engine: r.Engine, APIType: r.APIType, Input: r.Input, Output: r.Output, Parameters: r.Parameters,
		InputTokens: given(r.Usage.Input), OutputTokens: given(r.Usage.Output),
		CachedTokens: given(r.Usage.CacheRead), ThinkingTokens: given(r.Usage.Reasoning),
	}
}

// given returns a count, nil if it was not given.
func given(c provider.Count) *int64 {
	if !c.Given {
		return nil
	}
	return &c.N
}

// Golden reads each recorded call in testdata and compares its record with the
// one in the file. The flag -update writes the records instead.
func Golden(t *testing.T) {
	t.Helper()
	t.Parallel()
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			t.Parallel()
			testGolden(t, file)
		})
	}
}

func testGolden(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var g golden
	if err := json.Unmarshal(text, &g); err != nil {
		t.Fatal(err)
	}
	got := Encode(t, recordOf(builtin.Providers.Read(ExchangeOf(Parse(t, string(g.Call))))))
	if *update {
		g.Want = got
		if err := os.WriteFile(file, indent(t, Encode(t, g)), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(indent(t, g.Want)), string(indent(t, got))); diff != "" {
		t.Errorf("%s (-want +got):\n%s", g.About, diff)
	}
}

// ExchangeOf parses a recorded call like the server does; values may be missing
// or null.
func ExchangeOf(body jsontree.Value) provider.Exchange {
	return provider.Exchange{
		FunctionName: body.Get("function_name").Str(),
		ProviderType: body.Get("provider_type").Str(),
		Args:         body.Get("args"),
		Kwargs:       body.Get("kwargs"),
		Response:     body.Get("request_response"),
	}
}

// Encode returns a value as JSON with raw messages unchanged.
func Encode(t *testing.T, v any) []byte {
	t.Helper()
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func indent(t *testing.T, text []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := json.Indent(&out, bytes.TrimSpace(text), "", "  "); err != nil {
		t.Fatal(err)
	}
	out.WriteByte('\n')
	return out.Bytes()
}
