package api_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"golang.org/x/sync/errgroup"
)

// total returns the number of matches in a search response.
func (r reply) total() (int, error) {
	var body struct{ Total int }
	if r.status != http.StatusOK {
		return 0, fmt.Errorf("search answers %d %s", r.status, clip(string(r.body)))
	}
	return body.Total, json.Unmarshal(r.body, &body)
}

// TestConcurrentAnnotations has many clients annotate a few logs concurrently
// while others log and search. Each sees its own writes immediately, and none
// is lost.
func TestConcurrentAnnotations(t *testing.T) {
	t.Parallel()
	const annotators, rounds, logs, loggers, searchers = 32, 4, 4, 4, 4
	w := newWorld(t, settings{})
	var ids []int64
	for range logs {
		ids = append(ids, w.log(t, "home", nil))
	}
	var busy errgroup.Group
	for n := range annotators {
		busy.Go(func() error {
			var err error
			for round := range rounds {
				err = errors.Join(err, w.annotate(ids[(n+round)%logs], fmt.Sprintf("k%d_%d", n, round)))
			}
			return err
		})
	}
	for n := range loggers {
		busy.Go(func() error { return w.logAndFind(n, 2*rounds) })
	}
	var done atomic.Bool
	var watching errgroup.Group
	for range searchers {
		watching.Go(func() error { return w.watch(&done) })
	}
	err := busy.Wait()
	done.Store(true)
	if err := errors.Join(err, watching.Wait()); err != nil {
		t.Fatal(err)
	}
	keys, scores := 0, 0
	found := w.post(t, http.StatusOK, searchPath, filtered(leaf("pl_id", "in", toJSON(t, ids), "")))
	for _, item := range found["items"].([]any) {
		keys += len(item.(map[string]any)["metadata"].([]any))
		scores += len(item.(map[string]any)["scores"].([]any))
	}
	if keys != annotators*rounds || scores != annotators*rounds {
		t.Errorf("%d keys and %d scores are stored, want %d of each", keys, scores, annotators*rounds)
	}
	if total := w.total(t, "home"); total != logs+loggers*2*rounds {
		t.Errorf("%d logs are stored, want %d", total, logs+loggers*2*rounds)
	}
}

// annotate adds a metadata key and a score of that name, then searches for
// the key.
func (w *world) annotate(id int64, name string) error {
	bodies := [][2]string{
		{"/rest/track-metadata", fmt.Sprintf(`{"request_id":%d,"metadata":{%q:1}}`, id, name)},
		{"/rest/track-score", fmt.Sprintf(`{"request_id":%d,"score":7,"name":%q}`, id, name)},
	}
	for _, request := range bodies {
		got, err := w.send("home", http.MethodPost, request[0], []byte(request[1]))
		if err != nil || got.status != http.StatusOK {
			return fmt.Errorf("%s answers %d %s: %w", request[0], got.status, clip(string(got.body)), err)
		}
	}
	got, err := w.send("home", http.MethodPost, searchPath, []byte(filtered(leaf("metadata_keys", "contains", fmt.Sprintf("%q", name), ""))))
	if err != nil {
		return err
	}
	if total, err := got.total(); total != 1 || err != nil {
		return fmt.Errorf("%d logs have the key %s: %w", total, name, err)
	}
	return nil
}

// logAndFind logs requests one by one and searches for each immediately.
func (w *world) logAndFind(logger, count int) error {
	for i := range count {
		word := fmt.Sprintf("word%dx%d", logger, i)
		body := logBody(map[string]any{"input": chat("user", word), "tags": []string{word}})
		text, err := json.Marshal(body)
		if err != nil {
			return err
		}
		if got, err := w.send("home", http.MethodPost, "/log-request", text); err != nil || got.status != http.StatusCreated {
			return fmt.Errorf("log-request answers %d: %w", got.status, err)
		}
		for _, query := range []string{`{"q":"` + word + `"}`, filtered(leaf("tags", "contains", `"`+word+`"`, ""))} {
			got, err := w.send("home", http.MethodPost, searchPath, []byte(query))
			if err != nil {
				return err
			}
			if total, err := got.total(); total != 1 || err != nil {
				return fmt.Errorf("%s finds %d logs: %w", query, total, err)
			}
		}
	}
	return nil
}

// watch reads everything until done. Counts must never decrease.
func (w *world) watch(done *atomic.Bool) error {
	seen := 0
	for !done.Load() {
		got, err := w.send("home", http.MethodPost, searchPath, []byte(`{"q":"hello","sort_by":"status"}`))
		if err != nil {
			return err
		}
		if _, err := got.total(); err != nil {
			return err
		}
		for _, path := range []string{analyticsPath, suggestPath + "?field=metadata_keys"} {
			method, body := http.MethodPost, []byte(`{}`)
			if path != analyticsPath {
				method, body = http.MethodGet, nil
			}
			got, err := w.send("home", method, path, body)
			if err != nil || got.status != http.StatusOK {
				return fmt.Errorf("%s answers %d: %w", path, got.status, err)
			}
			var counted struct{ TotalRequests int }
			if err := json.Unmarshal(got.body, &counted); err != nil || path == analyticsPath && counted.TotalRequests < seen {
				return fmt.Errorf("analytics count %d requests after %d: %w", counted.TotalRequests, seen, err)
			}
			seen = max(seen, counted.TotalRequests)
		}
	}
	return nil
}

// TestConcurrentUpserts has many clients write the same key and score: one
// entry remains, with one of the written values.
func TestConcurrentUpserts(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	id := w.log(t, "home", nil)
	var clients errgroup.Group
	for n := range 32 {
		clients.Go(func() error {
			for _, request := range [][2]string{
				{"/rest/track-score", fmt.Sprintf(`{"request_id":%d,"score":%d}`, id, n)},
				{"/rest/track-metadata", fmt.Sprintf(`{"request_id":%d,"metadata":{"winner":%d}}`, id, n)},
				{"/rest/track-prompt", fmt.Sprintf(`{"request_id":%d,"prompt_name":"welcome","version":%d}`, id, n%2+1)},
			} {
				if got, err := w.send("home", http.MethodPost, request[0], []byte(request[1])); err != nil || got.status != http.StatusOK {
					return fmt.Errorf("%s answers %d: %w", request[0], got.status, err)
				}
			}
			return nil
		})
	}
	check.OK(t, clients.Wait())
	item := w.post(t, http.StatusOK, searchPath, `{}`)["items"].([]any)[0].(map[string]any)
	scores, metadata := item["scores"].([]any), item["metadata"].([]any)
	if len(scores) != 1 || len(metadata) != 1 || item["score"] != scores[0].(map[string]any)["score"] {
		t.Errorf("scores %v, score %v, metadata %v", scores, item["score"], metadata)
	}
	winner := metadata[0].(map[string]any)["winner"]
	found := w.searchIDs(t, "home", filtered(leaf("metadata", "key_equals", fmt.Sprint(winner), "winner")))
	if !slices.Equal(found, []int64{id}) {
		t.Errorf("the value %v that is shown is not the one that is found", winner)
	}
}
