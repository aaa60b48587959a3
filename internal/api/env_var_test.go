package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/envvar"
	"github.com/promptuary/promptuary/internal/secret"
)

func newEnvVars(c *catalog.Catalog) *envvar.Service {
	return envvar.NewService(c.Entities, c.EnvVars, secret.NewBox(secret.NewKey()))
}

const envVarsPath = "/api/public/v2/env-vars"

func TestReservedEnvVarNames(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	for _, name := range []string{
		"PATH", "HOME", "LD_PRELOAD", "LD_LIBRARY_PATH", "PYTHONPATH", "PYTHONSTARTUP", "NODE_OPTIONS", "NODE_PATH", "BASH_ENV",
	} {
		answer := w.must(t, http.StatusUnprocessableEntity, "home", http.MethodPost, envVarsPath, fmt.Sprintf(`{"key":%q}`, name))
		if answer["message"] != "key: This name is reserved" {
			t.Errorf("%s: got %v", name, answer)
		}
	}
	// Names are case-sensitive, and part of a reserved name is allowed.
	for _, name := range []string{"path", "PATH_", "MY_PATH", "PYTHON", "LD_API_KEY"} {
		w.must(t, http.StatusCreated, "home", http.MethodPost, envVarsPath, fmt.Sprintf(`{"key":%q}`, name))
	}
}

func TestConcurrentEnvVarCreation(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	statuses := make([]int, 32)
	var group sync.WaitGroup
	for i := range statuses {
		group.Go(func() {
			got, err := w.send("home", http.MethodPost, envVarsPath, fmt.Appendf(nil, `{"key":"TOKEN","value":"value-%04d"}`, i))
			if err != nil {
				t.Error(err)
			}
			statuses[i] = got.status
		})
	}
	group.Wait()
	counts := map[int]int{}
	for _, status := range statuses {
		counts[status]++
	}
	if counts[http.StatusCreated] != 1 || counts[http.StatusConflict] != len(statuses)-1 {
		t.Errorf("got the statuses %v, want one 201 and else 409", counts)
	}
	list := w.must(t, http.StatusOK, "home", http.MethodGet, envVarsPath, "")["workspace_env_vars"].([]any)
	if len(list) != 1 {
		t.Errorf("got %d variables, want 1", len(list))
	}
}

// TestErrorsDoNotRepeatEnvVarValues checks that an error does not contain the
// rejected value.
func TestErrorsDoNotRepeatEnvVarValues(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{maxBody: 1 << 20})
	const planted = "planted-4711"
	for name, body := range map[string]string{
		"too long":       fmt.Sprintf(`{"key":"A","value":"%s"}`, strings.Repeat(planted, 1000)),
		"far too long":   fmt.Sprintf(`{"key":"A","value":"%s"}`, strings.Repeat(planted, 200_000)),
		"with a NUL":     `{"key":"A","value":"` + planted + `\u0000"}`,
		"half a rune":    `{"key":"A","value":"` + planted + `\ud800"}` + "\xff",
		"a list":         `{"key":"A","value":["` + planted + `"]}`,
		"an object":      `{"key":"A","value":{"` + planted + `":1}}`,
		"broken JSON":    `{"key":"A","value":"` + planted,
		"reserved key":   `{"key":"PATH","value":"` + planted + `"}`,
		"no key":         `{"value":"` + planted + `"}`,
		"key of a type":  `{"key":1,"value":"` + planted + `"}`,
		"not an object":  `"` + planted + `"`,
		"another method": `{"value":"` + planted + `"}`,
	} {
		method := http.MethodPost
		if name == "another method" {
			method = http.MethodPut
		}
		got, err := w.send("home", method, envVarsPath, []byte(body))
		check.OK(t, err)
		if got.status < http.StatusBadRequest || got.status >= http.StatusInternalServerError {
			t.Errorf("%s: got the status %d", name, got.status)
		}
		if strings.Contains(string(got.body), "planted") {
			t.Errorf("%s: the answer has the value: %s", name, clip(string(got.body)))
		}
	}
}
