package api_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/check"
)

var tenAMinute = map[string]int{kit.LimitSearch: 10, kit.LimitSuggest: 10}

// ask sends a search or a suggestion and returns the status.
func (w *world) ask(t *testing.T, who, path string, headers ...string) (int, http.Header) {
	t.Helper()
	method, body := http.MethodPost, []byte(`{}`)
	if path != searchPath {
		method, body = http.MethodGet, nil
	}
	got, err := w.send(who, method, path, body, headers...)
	check.OK(t, err)
	if got.status == http.StatusTooManyRequests {
		checkErrorShape(t, got.status, got.body)
	}
	return got.status, got.header
}

func TestRateLimits(t *testing.T) {
	t.Parallel()
	for _, path := range []string{searchPath, suggestPath + "?field=tags"} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, settings{limits: tenAMinute})
			for i := range 10 {
				w.clock.Advance(time.Second)
				if status, _ := w.ask(t, "home", path); status != http.StatusOK {
					t.Fatalf("call %d is answered with %d", i+1, status)
				}
			}
			status, header := w.ask(t, "home", path)
			if status != http.StatusTooManyRequests || header.Get("Retry-After") != "51" {
				t.Errorf("call 11 is answered with %d, Retry-After %q", status, header.Get("Retry-After"))
			}
			if status, _ := w.ask(t, "away", path); status != http.StatusOK {
				t.Errorf("another key is answered with %d", status)
			}
			w.clock.Advance(51 * time.Second)
			if status, _ := w.ask(t, "home", path); status != http.StatusOK {
				t.Errorf("a minute after the first call the answer is %d", status)
			}
			if status, _ := w.ask(t, "home", path); status != http.StatusTooManyRequests {
				t.Errorf("only one call has left the window, yet the answer is %d", status)
			}
			w.clock.Advance(time.Minute)
			if status, _ := w.ask(t, "home", path); status != http.StatusOK {
				t.Errorf("after a quiet minute the answer is %d", status)
			}
		})
	}
}

// TestRateLimitsAreSeparate checks that search and suggestions are counted
// separately, and nothing else is counted.
func TestRateLimitsAreSeparate(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{limits: tenAMinute})
	for range 10 {
		w.ask(t, "home", searchPath)
	}
	for i := range 10 {
		if status, _ := w.ask(t, "home", suggestPath+"?field=tags"); status != http.StatusOK {
			t.Fatalf("suggestion %d is answered with %d", i+1, status)
		}
	}
	for range 12 {
		w.post(t, http.StatusOK, analyticsPath, `{}`)
		w.post(t, http.StatusCreated, "/log-request", smallLog)
	}
	if status, _ := w.ask(t, "home", searchPath); status != http.StatusTooManyRequests {
		t.Errorf("search 11 is answered with %d", status)
	}
}

// TestFailuresCount checks that failed calls count, that those of other keys
// do not, and that the limit is checked before everything except the key.
func TestFailuresCount(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{limits: tenAMinute})
	for range 20 {
		w.must(t, http.StatusUnauthorized, "nobody", http.MethodPost, searchPath, `{}`)
	}
	for range 4 {
		w.post(t, http.StatusBadRequest, searchPath, `{`)
		w.post(t, http.StatusUnprocessableEntity, searchPath, `{"page":0}`)
	}
	w.post(t, http.StatusBadRequest, searchPath, `{"filters":[1]}`)
	w.must(t, http.StatusUnsupportedMediaType, "home", http.MethodPost, searchPath, `{}`, "Content-Type: text/xml")
	w.must(t, http.StatusTooManyRequests, "home", http.MethodPost, searchPath, `{`, "Content-Type: text/xml")
	w.must(t, http.StatusUnauthorized, "nobody", http.MethodPost, searchPath, `{`)
}

func TestNoRateLimit(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{limits: map[string]int{kit.LimitSearch: 0, kit.LimitSuggest: 0}})
	for i := range 30 {
		for _, path := range []string{searchPath, suggestPath + "?field=tags"} {
			if status, _ := w.ask(t, "home", path); status != http.StatusOK {
				t.Fatalf("call %d is answered with %d", i+1, status)
			}
		}
	}
}
