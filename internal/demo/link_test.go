package demo

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// linkedBody returns a log without the members that links add, and those
// members.
func linkedBody(t *testing.T, g *Generator, i int) (body map[string]any, version float64, variables map[string]any) {
	t.Helper()
	if err := json.Unmarshal(g.Append(nil, i), &body); err != nil {
		t.Fatalf("log %d: %v", i, err)
	}
	version, _ = body["prompt_version_number"].(float64)
	variables, _ = body["prompt_input_variables"].(map[string]any)
	delete(body, "prompt_version_number")
	delete(body, "prompt_input_variables")
	return body, version, variables
}

func TestLinksChangeNothingElse(t *testing.T) {
	t.Parallel()
	cfg := testConfig
	cfg.Linked = true
	plain := New(cfg)
	cfg.Links = map[string]Link{"support-reply": {Versions: 4, Variables: []string{"customer", "question"}}}
	linked := New(cfg)
	seen := map[float64]int{}
	for i := range testConfig.Logs {
		want, none, _ := linkedBody(t, plain, i)
		got, version, variables := linkedBody(t, linked, i)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("log %d differs apart from its link:\n%s", i, diff)
		}
		isLinked := got["prompt_name"] == "support-reply"
		if none != 0 || (version != 0) != isLinked || (len(variables) == 2) != isLinked {
			t.Fatalf("log %d of %s refers to version %v with %v, without links %v", i, got["prompt_name"], version, variables, none)
		}
		if isLinked {
			seen[version]++
		}
	}
	if len(seen) != 4 || seen[0] != 0 {
		t.Errorf("uses of versions: %v, want versions 1 to 4", seen)
	}
}

func TestNewerLogsUseNewerVersions(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		index, versions int
		drawn           uint64
		want            int
	}{
		"the oldest log":             {0, 4, 1, 1},
		"no previous version":        {0, 4, 0, 1},
		"in the middle":              {3_000, 4, 1, 3},
		"one in five is behind":      {3_000, 4, 5, 2},
		"the newest log":             {5_999, 4, 1, 4},
		"beyond the configured logs": {60_000, 4, 1, 4},
		"single version":             {5_999, 1, 0, 1},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := draft{Generator: testGenerator(), index: tt.index}
			if got := d.version(tt.versions, tt.drawn); got != tt.want {
				t.Errorf("log %d refers to version %d, want %d", tt.index, got, tt.want)
			}
		})
	}
}
