package app_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/app"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/config"
)

// Secret values. Nothing that leaves the program may contain them.
const (
	planted = "planted-VALUE-one-7781"
	second  = "planted-VALUE-two-9902"
	refused = "planted-VALUE-bad-5513"
)

const envVarsPath = "/api/public/v2/env-vars"

// shown collects all output of a program.
type shown struct {
	t       *testing.T
	log     bytes.Buffer
	answers bytes.Buffer
}

// run opens the program, calls use with a function that sends a request, and
// closes it.
func (s *shown) run(cfg config.Config, use func(send func(status int, method, path, body string) string)) {
	s.t.Helper()
	s.runAt(cfg, func(_ string, send func(status int, method, path, body string) string) { use(send) })
}

// runAt is run for a function that also needs the address of the program.
func (s *shown) runAt(cfg config.Config, use func(url string, send func(status int, method, path, body string) string)) {
	s.t.Helper()
	log := slog.New(slog.NewTextHandler(&s.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	a, err := app.Open(context.Background(), cfg, log, "test")
	if err != nil {
		s.t.Fatal(err)
	}
	server := httptest.NewServer(a.Handler())
	defer func() {
		server.Close()
		if err := a.Close(context.Background()); err != nil {
			s.t.Error(err)
		}
	}()
	use(server.URL, func(status int, method, path, body string) string {
		s.t.Helper()
		return s.send(server.URL, status, method, path, body)
	})
}

func (s *shown) send(url string, status int, method, path, body string) string {
	s.t.Helper()
	r, err := http.NewRequest(method, url+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("X-API-KEY", apiKey)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != status {
		s.t.Fatalf("%s %s = %d %s (%v), want %d", method, path, answer.StatusCode, text, err, status)
	}
	fmt.Fprintln(&s.answers, answer.Header, string(text))
	return string(text)
}

// lacks fails the test if text contains one of the secrets in any encoding.
func lacks(t *testing.T, where string, text []byte, secrets ...string) {
	t.Helper()
	for _, secret := range secrets {
		for _, form := range []string{
			secret, hex.EncodeToString([]byte(secret)), base64.RawStdEncoding.EncodeToString([]byte(secret)),
		} {
			if bytes.Contains(text, []byte(form)) {
				t.Errorf("%s contains the secret %s", where, secret)
			}
		}
	}
}

// readFolder calls check with each file of the folder and returns the number of
// files that contain the text.
func readFolder(t *testing.T, folder, text string, check func(path string, content []byte)) (known int) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		check(path, content)
		if bytes.Contains(content, []byte(text)) {
			known++
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return known
}

func TestEnvVarValuesStaySecret(t *testing.T) {
	t.Parallel()
	cfg := config.Default()
	cfg.Data, cfg.APIKey = t.TempDir(), apiKey
	keys, _ := callersOf(t, cfg.Data, access.Administrator)
	out := &shown{t: t}
	checkFiles := func() {
		t.Helper()
		known := readFolder(t, cfg.Data, "SEALED_NAME", func(path string, content []byte) {
			lacks(t, path, content, planted, second, refused)
		})
		if known == 0 {
			t.Error("no file contains the variable")
		}
	}
	out.runAt(cfg, func(url string, send func(status int, method, path, body string) string) {
		useEnvVars(t, send)
		metrics := get(t, url+"/metrics", keys[access.Administrator])
		check.Equal(t, "the metrics", metrics.status, http.StatusOK)
		out.answers.WriteString(metrics.body)
		checkFiles() // including the write-ahead log
	})
	checkFiles()
	lacks(t, "an answer", out.answers.Bytes(), planted, second, refused)
	lacks(t, "the log", out.log.Bytes(), planted, second, refused)
	if !strings.Contains(out.log.String(), "operation=createWorkspaceEnvVar") {
		t.Errorf("requests are not logged:\n%s", out.log.String())
	}

	key, err := os.ReadFile(filepath.Join(cfg.Data, "secret.key"))
	if err != nil {
		t.Fatal(err)
	}
	text, _, _ := strings.Cut(string(key), "\n")
	lacks(t, "an answer", out.answers.Bytes(), text)
	lacks(t, "the log", out.log.Bytes(), text)
	if known := readFolder(t, cfg.Data, text, func(string, []byte) {}); known != 1 {
		t.Errorf("the key is in %d files, want 1", known)
	}
}

// useEnvVars sends the values in every possible way.
func useEnvVars(t *testing.T, send func(status int, method, path, body string) string) {
	t.Helper()
	body := func(key, value string) string { return fmt.Sprintf(`{"key":%q,"value":%q}`, key, value) }
	created := send(http.StatusCreated, http.MethodPost, envVarsPath, body("SEALED_NAME", planted))
	if !strings.Contains(created, `"value_suffix":"7781"`) {
		t.Errorf("created %s", created)
	}
	send(http.StatusOK, http.MethodPatch, envVarsPath+"/1", `{"value":"`+second+`"}`)
	send(http.StatusCreated, http.MethodPost, envVarsPath, body("DELETED", planted))
	send(http.StatusOK, http.MethodDelete, envVarsPath+"/2", "")
	send(http.StatusConflict, http.MethodPost, envVarsPath, body("SEALED_NAME", refused))
	send(http.StatusUnprocessableEntity, http.MethodPost, envVarsPath, body("PATH", refused))
	send(http.StatusUnprocessableEntity, http.MethodPost, envVarsPath, body("A", strings.Repeat(refused, 1000)))
	send(http.StatusUnprocessableEntity, http.MethodPost, envVarsPath, `{"key":"A","value":["`+refused+`"]}`)
	send(http.StatusBadRequest, http.MethodPost, envVarsPath, `{"key":"A","value":"`+refused)
	send(http.StatusNotFound, http.MethodPatch, envVarsPath+"/99", `{"value":"`+refused+`"}`)
	for _, path := range []string{envVarsPath, "/openapi.json", "/docs", "/readyz"} {
		send(http.StatusOK, http.MethodGet, path, "")
	}
}

func TestStartWithAnotherSecretKey(t *testing.T) {
	t.Parallel()
	cfg := config.Default()
	cfg.Data, cfg.APIKey = t.TempDir(), apiKey
	create := func(send func(status int, method, path, body string) string) {
		send(http.StatusCreated, http.MethodPost, envVarsPath, `{"key":"TOKEN","value":"`+planted+`"}`)
	}
	list := func(send func(status int, method, path, body string) string) {
		found := send(http.StatusOK, http.MethodGet, envVarsPath, "")
		if !strings.Contains(found, `"value_suffix":"7781"`) {
			t.Errorf("listed %s", found)
		}
	}
	const warning = "cannot decrypt stored environment variables"
	for _, test := range []struct {
		name, key string
		use       func(send func(status int, method, path, body string) string)
		warns     bool
	}{
		{"first start", "", create, false},
		{"second start", "", list, false},
		{"another key", strings.Repeat("0f", 32), list, true},
		{"the key again", "", list, false},
	} {
		cfg.SecretKey = test.key
		out := &shown{t: t}
		out.run(cfg, test.use)
		if warned := strings.Contains(out.log.String(), warning); warned != test.warns {
			t.Errorf("%s: warned = %t, log:\n%s", test.name, warned, out.log.String())
		}
		lacks(t, "the log", out.log.Bytes(), planted)
		if test.key != "" {
			lacks(t, "the log", out.log.Bytes(), test.key)
		}
	}
}

func TestRejectsInvalidSecretKey(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		key, file string
		mode      os.FileMode
		want      string
	}{
		"invalid setting":    {key: "hush-hush", want: "option secret-key must be 32 bytes in base64 or hex"},
		"invalid file":       {file: "hush-hush", mode: 0o600, want: "secret.key must be 32 bytes in base64 or hex"},
		"readable by others": {file: strings.Repeat("0f", 32), mode: 0o644, want: "run chmod 600 "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := config.Default()
			cfg.Data, cfg.APIKey, cfg.SecretKey = t.TempDir(), apiKey, test.key
			if test.file != "" {
				path := filepath.Join(cfg.Data, "secret.key")
				if err := os.WriteFile(path, []byte(test.file), test.mode); err != nil {
					t.Fatal(err)
				}
			}
			a, err := app.Open(context.Background(), cfg, slog.New(slog.DiscardHandler), "test")
			if err == nil {
				t.Fatal("opened", a.Close(context.Background()))
			}
			if !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "hush") {
				t.Errorf("error = %v, want %q", err, test.want)
			}
		})
	}
}
