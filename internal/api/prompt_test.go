package api_test

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/promptuary/promptuary/internal/check"
	"golang.org/x/sync/errgroup"
)

// number returns a number in a response.
func number(answer map[string]any, name string) int64 { return int64(answer[name].(float64)) }

// tally counts statuses and collects version numbers.
type tally struct {
	mu       sync.Mutex
	statuses map[int]int
	versions []int64
}

func (c *tally) add(status int, version int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.statuses == nil {
		c.statuses = map[int]int{}
	}
	c.statuses[status]++
	if version > 0 {
		c.versions = append(c.versions, version)
	}
}

// TestFetchAndPublish publishes a fetched template: nothing is lost.
func TestFetchAndPublish(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	w.post(t, http.StatusCreated, "/rest/prompt-templates", promptBody(t, "tone", "f-string", "{mood}"))
	first := w.post(t, http.StatusCreated, "/rest/prompt-templates", richPublication)
	for name, fetched := range map[string]map[string]any{
		"to run":    w.post(t, http.StatusOK, "/prompt-templates/rich", `{"skip_input_variable_rendering":true}`),
		"as stored": w.must(t, http.StatusOK, "home", http.MethodGet, "/prompt-templates/rich?resolve_snippets=false", ""),
	} {
		body := map[string]any{
			"prompt_template": map[string]any{"prompt_name": "copy " + name},
			"prompt_version":  map[string]any{"prompt_template": fetched["prompt_template"], "metadata": fetched["metadata"]},
		}
		copied := w.post(t, http.StatusCreated, "/rest/prompt-templates", toJSON(t, body))
		if diff := cmp.Diff(fetched["prompt_template"], copied["prompt_template"]); diff != "" {
			t.Errorf("the copy of what was fetched %s (-fetched +published):\n%s", name, diff)
		}
		if diff := cmp.Diff(first["metadata"], copied["metadata"]); diff != "" {
			t.Errorf("its metadata (-first +copy):\n%s", diff)
		}
	}
}

// TestConcurrentVersions has many clients publish, patch and upsert one
// template concurrently: versions are numbered consecutively, each has the
// content of its client, and the label points at one of them.
func TestConcurrentVersions(t *testing.T) {
	t.Parallel()
	const clients, rounds = 12, 4
	w := newWorld(t, settings{})
	requests := []struct{ method, path string }{
		{http.MethodPost, "/rest/prompt-templates"},
		{http.MethodPut, "/prompt-templates/by-external-id/s/e"},
		{http.MethodPatch, "/rest/prompt-templates/new"},
	}
	var busy errgroup.Group
	var counted tally
	for n := range clients {
		busy.Go(func() error {
			for round := range rounds {
				request := requests[(n+round)%len(requests)]
				message := fmt.Sprintf("m%d.%d", n, round)
				body := `{"prompt_template":{"prompt_name":"new"},"prompt_version":{"prompt_template":{"type":"chat","messages":[]},"commit_message":"` + message + `"},"commit_message":"` + message + `","release_labels":["prod"]}`
				got, err := w.send("home", request.method, request.path, []byte(body))
				if err != nil {
					return err
				}
				if got.status == http.StatusNotFound && request.method == http.MethodPatch {
					continue // not published yet
				}
				answer, err := got.object()
				if err != nil || got.status >= 300 || answer["commit_message"] != message {
					return fmt.Errorf("%s %s answers %d %s: %w", request.method, request.path, got.status, clip(string(got.body)), err)
				}
				counted.add(got.status, number(answer, "version_number"))
			}
			return nil
		})
	}
	check.OK(t, busy.Wait())
	slices.Sort(counted.versions)
	for i, version := range counted.versions {
		if version != int64(i+1) {
			t.Fatalf("the versions are %v", counted.versions)
		}
	}
	list := w.must(t, http.StatusOK, "home", http.MethodGet, "/prompt-templates?name=new", "")
	if list["total"] != 1.0 {
		t.Errorf("there are %v templates", list["total"])
	}
	labels := w.must(t, http.StatusOK, "home", http.MethodGet, "/prompt-templates/new/labels", "")["release_labels"].([]any)
	if len(labels) != 1 {
		t.Errorf("the labels are %v", labels)
	}
}

// TestConcurrentAttaching attaches one external id to many templates
// concurrently. One succeeds, all others are rejected.
func TestConcurrentAttaching(t *testing.T) {
	t.Parallel()
	const templates = 8
	w := newWorld(t, settings{})
	var ids []int64
	for n := range templates {
		published := w.post(t, http.StatusCreated, "/rest/prompt-templates", promptBody(t, fmt.Sprint("t", n), "f-string", ""))
		ids = append(ids, number(published, "id"))
	}
	var busy errgroup.Group
	var counted tally
	for n := range 2 * templates {
		busy.Go(func() error {
			got, err := w.send("home", http.MethodPost, fmt.Sprintf("/prompt-templates/%d/external-ids", ids[n/2]), []byte(`{"source":"s","external_id":"e"}`))
			counted.add(got.status, 0)
			return err
		})
	}
	check.OK(t, busy.Wait())
	if counted.statuses[http.StatusCreated] != 2 || counted.statuses[http.StatusConflict] != 2*templates-2 {
		t.Errorf("the answers are %v", counted.statuses)
	}
	found := w.must(t, http.StatusOK, "home", http.MethodGet, "/prompt-templates?external_source=s&external_id=e", "")
	if found["total"] != 1.0 {
		t.Errorf("%v templates have the pair", found["total"])
	}
}

// TestReadYourWrites publishes versions and reads each immediately, by its
// label and through a template that uses it, while others keep reading.
func TestReadYourWrites(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	w.post(t, http.StatusCreated, "/rest/prompt-templates", promptBody(t, "inner", "f-string", "v0"))
	w.post(t, http.StatusCreated, "/rest/prompt-templates", promptBody(t, "outer", "f-string", "@@@inner@@@"))
	done := make(chan struct{})
	var reading errgroup.Group
	for range 4 {
		reading.Go(func() error {
			for {
				select {
				case <-done:
					return nil
				default:
				}
				if got, err := w.send("home", http.MethodPost, "/prompt-templates/outer", nil); err != nil || got.status != http.StatusOK {
					return errors.Join(err, fmt.Errorf("the answer is %d %s", got.status, clip(string(got.body))))
				}
			}
		})
	}
	for n := range 40 {
		text := fmt.Sprint("v", n+1)
		body := strings.Replace(promptBody(t, "inner", "f-string", text), `{`, `{"release_labels":["live"],`, 1)
		w.post(t, http.StatusCreated, "/rest/prompt-templates", body)
		outer := w.post(t, http.StatusOK, "/prompt-templates/outer", "")
		inner := w.post(t, http.StatusOK, "/prompt-templates/inner", `{"label":"live"}`)
		for name, answer := range map[string]map[string]any{"outer": outer, "inner": inner} {
			if prompt := answer["llm_kwargs"].(map[string]any)["prompt"]; prompt != text {
				t.Errorf("%s reads %q after %q was published", name, prompt, text)
			}
		}
	}
	close(done)
	check.OK(t, reading.Wait())
}

// TestWeights fetches by a label with an A/B test. The same filters always
// get the same version, and overall the versions are distributed by weight.
func TestWeights(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	w.post(t, http.StatusCreated, "/api/public/v2/ab-tests",
		`{"name":"n","prompt_id":910001,"release_label":"prod","weights":[{"version_number":1,"weight":25},{"version_number":2,"weight":75}]}`)
	version := func(body string) int64 {
		return number(w.post(t, http.StatusOK, "/prompt-templates/welcome", body), "version")
	}
	users, second := 400, 0
	for n := range users {
		body := fmt.Sprintf(`{"label":"prod","metadata_filters":{"user":"u%d","plan":"x"}}`, n)
		got := version(body)
		if again := version(fmt.Sprintf(`{"label":"prod","metadata_filters":{"plan":"x","user":"u%d"}}`, n)); again != got {
			t.Fatalf("user %d gets version %d and then %d", n, got, again)
		}
		second += int(got - 1)
	}
	if share := 100 * second / users; share < 65 || share > 85 {
		t.Errorf("%d%% of the users get the second version, want about 75", share)
	}
	seen := map[int64]int{}
	for range 200 {
		seen[version(`{"label":"prod"}`)]++
	}
	if seen[1] == 0 || seen[2] == 0 {
		t.Errorf("without filters the versions are %v", seen)
	}
}

// TestSnippetBombs nests snippets so that the text would grow without bounds.
func TestSnippetBombs(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	publish := func(status int, name, text string) {
		t.Helper()
		w.post(t, status, "/rest/prompt-templates", promptBody(t, name, "f-string", text))
	}
	t.Run("ten times ten times ten", func(t *testing.T) {
		publish(http.StatusCreated, "laugh0", strings.Repeat("ha", 50))
		for n := range 12 {
			publish(http.StatusCreated, fmt.Sprint("laugh", n+1), strings.Repeat(fmt.Sprintf("@@@laugh%d@@@", n), 10))
		}
		got, err := w.send("home", http.MethodPost, "/prompt-templates/laugh12", nil)
		check.OK(t, err)
		if got.status != http.StatusOK || len(got.body) > 64<<20 {
			t.Errorf("the answer is %d with %d bytes", got.status, len(got.body))
		}
		if answer, _ := got.object(); !strings.Contains(fmt.Sprint(answer["warning"]), "laugh") {
			t.Errorf("the warning is %v", answer["warning"])
		}
	})
	t.Run("a deep chain", func(t *testing.T) {
		publish(http.StatusCreated, "chain0", "end")
		for n := range 60 {
			got, err := w.send("home", http.MethodPost, "/rest/prompt-templates", []byte(promptBody(t, fmt.Sprint("chain", n+1), "f-string", fmt.Sprintf("@@@chain%d@@@", n))))
			check.OK(t, err)
			if got.status == http.StatusUnprocessableEntity && n > 20 {
				return
			}
			if got.status != http.StatusCreated {
				t.Fatalf("level %d is answered with %d %s", n, got.status, clip(string(got.body)))
			}
		}
		t.Error("snippets may be nested without end")
	})
	t.Run("a cycle through labels", func(t *testing.T) {
		const ring = 10
		for n := range ring {
			publish(http.StatusCreated, fmt.Sprint("ring", n), "plain")
			label := fmt.Sprintf("/prompts/%.0f/label", w.must(t, http.StatusOK, "home", http.MethodGet, fmt.Sprint("/prompt-templates/ring", n), "")["id"])
			w.post(t, http.StatusOK, label, `{"name":"live","prompt_version_number":1}`)
		}
		for n := range ring {
			publish(http.StatusCreated, fmt.Sprint("ring", n), fmt.Sprintf("%d:@@@ring%d@label:live@@@ @@@ring%d@label:live@@@", n, (n+1)%ring, (n+3)%ring))
		}
		for n := range ring {
			labels := w.must(t, http.StatusOK, "home", http.MethodGet, fmt.Sprintf("/prompt-templates/ring%d/labels", n), "")["release_labels"].([]any)
			move := fmt.Sprintf("/prompt-labels/%.0f", labels[0].(map[string]any)["release_label_id"])
			w.must(t, http.StatusOK, "home", http.MethodPatch, move, `{"prompt_version_number":2}`)
		}
		answer := w.post(t, http.StatusOK, "/prompt-templates/ring0", "")
		if text := toJSON(t, answer["llm_kwargs"]); !strings.Contains(text, "@label:live@@@") {
			t.Errorf("no tag is left in %s", clip(text))
		}
		if !strings.Contains(fmt.Sprint(answer["warning"]), "ring") {
			t.Errorf("the warning is %v", answer["warning"])
		}
	})
}
