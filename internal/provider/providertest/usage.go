package providertest

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/provider/builtin"
)

// usageCase is a response in testdata/usage/usage.json and its token counts.
// The wanted counts are written by hand; missing ones were not given.
type usageCase struct {
	About    string          `json:"about"`
	Function string          `json:"function_name"`
	Response json.RawMessage `json:"request_response"`
	Want     usage           `json:"want"`
}

// usage is provider.Usage in the format of the file.
type usage struct {
	Input          *int64 `json:"input"`
	Output         *int64 `json:"output"`
	CacheRead      *int64 `json:"cache_read"`
	CacheWrite     *int64 `json:"cache_write"`
	CacheWriteLong *int64 `json:"cache_write_long"`
	Reasoning      *int64 `json:"reasoning"`
	Batch          bool   `json:"batch"`
}

// Usage reads the token counts of each response in testdata/usage/usage.json.
func Usage(t *testing.T) {
	t.Helper()
	t.Parallel()
	text, err := os.ReadFile("testdata/usage/usage.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []usageCase
	if err := json.Unmarshal(text, &cases); err != nil || len(cases) == 0 {
		t.Fatalf("%d cases: %v", len(cases), err)
	}
	for _, test := range cases {
		t.Run(test.About, func(t *testing.T) {
			t.Parallel()
			u := builtin.Providers.Read(provider.Exchange{
				FunctionName: test.Function, Response: Parse(t, string(test.Response)),
			}).Usage
			got := usage{given(u.Input), given(u.Output), given(u.CacheRead), given(u.CacheWrite), given(u.CacheWriteLong), given(u.Reasoning), u.Batch}
			if diff := cmp.Diff(test.Want, got); diff != "" {
				t.Errorf("usage (-want +got):\n%s", diff)
			}
		})
	}
}
