package convert_test

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
	"github.com/promptuary/promptuary/internal/reqlog/convert"
)

var update = flag.Bool("update", false, "write what the conversions give into the golden files")

// golden is one file of testdata: a call, and what it is expected to give.
type golden struct {
	About string          `json:"about"`
	Call  json.RawMessage `json:"call"`
	Want  json.RawMessage `json:"want"`
}

// result is convert.Result as the golden files write it.
type result struct {
	Provider       string          `json:"provider"`
	Engine         string          `json:"engine"`
	APIType        string          `json:"api_type"`
	Input          json.RawMessage `json:"input"`
	Output         json.RawMessage `json:"output"`
	Parameters     json.RawMessage `json:"parameters"`
	InputTokens    int64           `json:"input_tokens"`
	OutputTokens   int64           `json:"output_tokens"`
	CachedTokens   int64           `json:"cached_tokens"`
	ThinkingTokens int64           `json:"thinking_tokens"`
}

func TestConvert(t *testing.T) {
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
	got := encode(t, result(convert.Convert(parseCall(t, g.Call))))
	if *update {
		g.Want = got
		writeFile(t, file, indent(t, encode(t, g)))
		return
	}
	if diff := cmp.Diff(string(indent(t, g.Want)), string(indent(t, got))); diff != "" {
		t.Errorf("%s (-want +got):\n%s", g.About, diff)
	}
}

// parseCall reads the body of a recorded call as the server does: in one
// piece, with values that may be missing or null.
func parseCall(t testing.TB, text []byte) convert.Call {
	t.Helper()
	body, err := jsontree.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return callOf(body)
}

func callOf(body jsontree.Value) convert.Call {
	return convert.Call{
		FunctionName: body.Get("function_name").Str(),
		ProviderType: body.Get("provider_type").Str(),
		Args:         body.Get("args"),
		Kwargs:       body.Get("kwargs"),
		Response:     body.Get("request_response"),
	}
}

// encode keeps the written form of raw messages, numbers included.
func encode(t *testing.T, v any) []byte {
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

func writeFile(t *testing.T, file string, text []byte) {
	t.Helper()
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
}
