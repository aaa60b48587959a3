package e2e

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// TestDerivedDataIsRebuilt damages data that is derived from the journal, and
// expects the same responses afterwards.
func TestDerivedDataIsRebuilt(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	want, lastID := fillFolder(t, data)
	tests := []struct {
		name   string
		damage func(t *testing.T, data string)
	}{
		{"nothing", func(*testing.T, string) {}},
		{"text index deleted", func(t *testing.T, data string) { remove(t, data, "logs/text") }},
		{"first text segment cut short", func(t *testing.T, data string) { cut(t, segments(t, data)[0], 0.5) }},
		{"last text segment cut short", func(t *testing.T, data string) { cut(t, lastOf(segments(t, data)), 0.5) }},
		{"first text segment deleted", func(t *testing.T, data string) { removeFile(t, segments(t, data)[0]) }},
		{"text segment with a changed byte", func(t *testing.T, data string) { changeByte(t, segments(t, data)[0]) }},
		{"log table deleted", func(t *testing.T, data string) { remove(t, data, "logs/logs.duckdb") }},
		{"log table cut to a quarter", func(t *testing.T, data string) { cut(t, filepath.Join(data, "logs/logs.duckdb"), 0.25) }},
		{"log table cut to a half", func(t *testing.T, data string) { cut(t, filepath.Join(data, "logs/logs.duckdb"), 0.5) }},
		{"log table cut to three quarters", func(t *testing.T, data string) { cut(t, filepath.Join(data, "logs/logs.duckdb"), 0.75) }},
		{"log table overwritten", func(t *testing.T, data string) { overwrite(t, filepath.Join(data, "logs/logs.duckdb")) }},
		{"log table and text index deleted", func(t *testing.T, data string) {
			remove(t, data, "logs/logs.duckdb")
			remove(t, data, "logs/text")
		}},
		{"half a block at the end of the journal", func(t *testing.T, data string) { interruptWrite(t, lastOf(glob(t, data, "logs/journal/*.journal"))) }},
	}
	t.Run("catalog deleted", func(t *testing.T) {
		t.Parallel()
		checkWithoutCatalog(t, data, want, lastID)
	})
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			damaged := filepath.Join(t.TempDir(), "data")
			if err := restore(damaged, data); err != nil {
				t.Fatal(err)
			}
			test.damage(t, damaged)
			p := start(t, damaged)
			// Sums of fractions depend on the order of rows.
			if diff := cmp.Diff(want, ask(t, p), cmpopts.EquateApprox(1e-9, 0)); diff != "" {
				t.Errorf("answers (-before +after):\n%s", diff)
			}
			checkGoesOn(t, p, lastID)
			p.stop()
			start(t, damaged) // the rebuilt data can be opened
		})
	}
}

// checkGoesOn checks that the server accepts new logs, with higher IDs.
func checkGoesOn(t *testing.T, p *program, lastID int64) {
	t.Helper()
	e := entry{word: "zqafterwards1", tokens: 1}
	id := p.log(t, e)
	if id <= lastID {
		t.Errorf("new log has id %d, want more than %d", id, lastID)
	}
	if err := p.checkStored(e, id); err != nil {
		t.Error(err)
	}
}

// catalogBackup is a backup of the catalog that is older than the last logs.
const catalogBackup = "catalog.backup"

// fillFolder creates a data folder with several text segments, annotated logs, a
// last part that only the journal has, and a backup of the catalog. It returns
// its answers and the last id.
func fillFolder(t *testing.T, data string) (answers map[string]any, lastID int64) {
	t.Helper()
	setup{data: data}.run(t, "demo", "--registry=false", "--n", "600", "--seed", "7", "--end", "2026-01-31T00:00:00Z").must(t)
	backup, err := os.ReadFile(filepath.Join(data, "catalog.db"))
	if err == nil {
		err = os.WriteFile(filepath.Join(data, catalogBackup), backup, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	for round := range 2 {
		p := start(t, data)
		for i := range 20 {
			lastID = p.log(t, entry{word: fmt.Sprintf("zqround%d%02d", round, i), tokens: int64(i)})
			p.post(t, "/rest/track-metadata", object{"request_id": 10*i + 1 + round, "metadata": object{"checked": round}}, http.StatusOK)
			p.post(t, "/rest/track-score", object{"request_id": lastID, "score": 5 * i}, http.StatusOK)
		}
		if round == 0 {
			p.stop()
			continue
		}
		answers = ask(t, p)
		p.kill()
	}
	if count := len(segments(t, data)); count < 2 {
		t.Fatalf("the text index has %d segments, want several", count)
	}
	return answers, lastID
}

// ask collects responses that depend on every part of the log store.
func ask(t *testing.T, p *program) map[string]any {
	t.Helper()
	filter := func(field, operator string, value any) object {
		return object{"filter_group": object{"filters": []any{object{"field": field, "operator": operator, "value": value, "nested_key": "checked"}}}}
	}
	answers := map[string]any{}
	for name, query := range map[string]object{
		"newest":      {},
		"by tokens":   {"sort_by": "input_tokens", "sort_order": "asc", "page": 3, "per_page": 25},
		"misspelt":    {"q": "refnud", "per_page": 25},
		"prefix":      {"q": "orde"},
		"first round": {"q": "zqround0", "per_page": 25},
		"last round":  {"q": "zqround119"},
		"contains":    filter("input_text", "contains", "the"),
		"excludes":    filter("output_text", "not_contains", "the"),
		"annotated":   filter("metadata", "key_equals", "1"),
		"errors":      filter("status", "is", "error"),
		"tagged":      filter("tags", "is_not_empty", nil),
	} {
		found := p.post(t, searchPath, query, http.StatusOK)
		answers["search "+name] = mustDecode[any](t, found)
		if name != "misspelt" && mustDecode[page](t, found).Total == 0 {
			t.Errorf("search %s finds nothing", name)
		}
	}
	answers["analytics"] = mustDecode[any](t, p.post(t, analyticsPath, object{}, http.StatusOK))
	answers["analytics of a text"] = mustDecode[any](t, p.post(t, analyticsPath, object{"q": "order"}, http.StatusOK))
	for _, field := range []string{"engine", "tags", "metadata_keys", "tool_names", "output_keys"} {
		answers["suggest "+field] = mustDecode[any](t, p.get(t, "/api/public/v2/requests/suggestions?"+url.Values{"field": {field}}.Encode()))
	}
	for id := int64(1); id <= 600; id += 37 {
		answers[fmt.Sprint("log ", id)] = mustDecode[any](t, p.get(t, fmt.Sprint(requestsPath, id)))
	}
	return answers
}

func glob(t *testing.T, data, pattern string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(data, pattern))
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) == 0 {
		t.Fatalf("%s has no %s", data, pattern)
	}
	slices.Sort(paths)
	return paths
}

func segments(t *testing.T, data string) []string { return glob(t, data, "logs/text/*.seg") }

func lastOf(paths []string) string { return paths[len(paths)-1] }

func remove(t *testing.T, data, pattern string) {
	t.Helper()
	for _, path := range glob(t, data, pattern) {
		removeFile(t, path)
	}
}

func removeFile(t *testing.T, path string) {
	t.Helper()
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
}

// edit replaces the content of a file.
func edit(t *testing.T, path string, change func(content []byte) []byte) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, change(content), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// cut truncates the file to a fraction of its size.
func cut(t *testing.T, path string, share float64) {
	t.Helper()
	edit(t, path, func(content []byte) []byte { return content[:int(share*float64(len(content)))] })
}

func changeByte(t *testing.T, path string) {
	t.Helper()
	edit(t, path, func(content []byte) []byte {
		content[len(content)/2] ^= 0x55
		return content
	})
}

func overwrite(t *testing.T, path string) {
	t.Helper()
	edit(t, path, func(content []byte) []byte { return bytes.Repeat([]byte("junk"), len(content)/4) })
}

// interruptWrite appends the beginning of a copy of the first block.
func interruptWrite(t *testing.T, path string) {
	t.Helper()
	edit(t, path, func(content []byte) []byte { return append(content, content[:100]...) })
}

// checkWithoutCatalog loses the catalog: the start is refused. With a catalog
// from an older backup, logs are found as before, and their ids are not used
// again.
func checkWithoutCatalog(t *testing.T, data string, want map[string]any, lastID int64) {
	t.Helper()
	damaged := filepath.Join(t.TempDir(), "data")
	if err := restore(damaged, data); err != nil {
		t.Fatal(err)
	}
	remove(t, damaged, "catalog.db*")
	got := setup{data: damaged}.run(t, "serve", "--addr", "127.0.0.1:0")
	if err := checkRefused(got, "restore the catalog from a backup"); err != nil {
		t.Error(err)
	}
	if err := os.Rename(filepath.Join(damaged, catalogBackup), filepath.Join(damaged, "catalog.db")); err != nil {
		t.Fatal(err)
	}
	p := start(t, damaged)
	if diff := cmp.Diff(want, ask(t, p), cmpopts.EquateApprox(1e-9, 0)); diff != "" {
		t.Errorf("answers (-before +after):\n%s", diff)
	}
	checkGoesOn(t, p, lastID)
}

// restore copies a data folder like a backup, including file modes.
func restore(to, from string) error {
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		return err
	}
	return os.Chmod(filepath.Join(to, "secret.key"), 0o600)
}
