package app_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/catalog/upgrade"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/config"
)

// Credentials of the nodes and columns of the tests. Nothing that leaves the
// program, and no file, may contain them.
const (
	headerCanary = "canary-of-header-2201"
	urlCanary    = "canary-of-URL-3302"
	tokenCanary  = "canary-of-token-4403"
)

var canaries = []string{headerCanary, urlCanary, tokenCanary}

// repeating is a server that repeats the credentials it is called with and
// counts the correct ones.
type repeating struct {
	*httptest.Server
	correct chan string
}

func newRepeating(t *testing.T) *repeating {
	t.Helper()
	r := &repeating{correct: make(chan string, 100)}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		key := request.URL.Query().Get("api_key")
		for _, given := range []string{key, request.Header.Get("X-Token"), strings.TrimPrefix(request.Header.Get("Authorization"), "Bearer ")} {
			if slices.Contains(canaries, given) {
				r.correct <- given
			}
		}
		if request.URL.Path == "/refuse" {
			w.WriteHeader(http.StatusUnauthorized)
		}
		_, _ = fmt.Fprint(w, "wrong credentials: ", key, request.Header)
	}))
	t.Cleanup(r.Close)
	return r
}

// nodes are nodes, or columns with the other names of their members.
func (r *repeating) nodes(name, typ string) string {
	return fmt.Sprintf(`{%[1]q:"header",%[2]q:"ENDPOINT","is_output_node":true,"configuration":{"url":"%[3]s/ok","headers":{"X-Token":"%[5]s"}}},
		{%[1]q:"url",%[2]q:"ENDPOINT","is_output_node":true,"configuration":{"url":"%[3]s/refuse?api_key=%[4]s"}},
		{%[1]q:"token",%[2]q:"MCP","is_output_node":true,"configuration":{"server_url":"%[3]s/refuse","tool_name":"t","auth":{"token":"%[6]s"}}}`,
		name, typ, r.URL, urlCanary, headerCanary, tokenCanary)
}

// stored is what fill has created.
type stored struct{ workflow, workflowRun, dryRun, report, reportRun int64 }

// fill stores credentials in every way and uses them.
func (r *repeating) fill(t *testing.T, send func(status int, method, path, body string) string) (s stored) {
	t.Helper()
	number := func(text, name string) int64 {
		var object map[string]any
		check.OK(t, json.Unmarshal([]byte(text), &object))
		if inner, ok := object["dataset_group"].(map[string]any); ok {
			object = inner
		}
		return int64(object[name].(float64))
	}
	s.workflow = number(send(http.StatusCreated, http.MethodPost, "/rest/workflows", `{"name":"w","nodes":[`+r.nodes("name", "node_type")+`]}`), "workflow_id")
	send(http.StatusCreated, http.MethodPatch, "/rest/workflows/w", `{"nodes":{"header":{"configuration":{"timeout":9}}},"release_labels":["prod"]}`)
	send(http.StatusUnprocessableEntity, http.MethodPost, "/rest/workflows", `{"name":"other","nodes":[{"name":"n","node_type":"ENDPOINT","is_output_node":true,`+
		`"configuration":{"url":"https://x.test","headers":{"A":"`+headerCanary+`","B":"…"}}}]}`)
	send(http.StatusBadRequest, http.MethodPost, "/rest/workflows", `{"name":"other","nodes":[{"name":"n","node_type":"ENDPOINT","is_output_node":true,`+
		`"configuration":{"url":"//`+urlCanary+`","headers":{"A":"`+headerCanary+`"}}}]}`)
	s.workflowRun = number(send(http.StatusCreated, http.MethodPost, "/workflows/w/run", `{}`), "workflow_version_execution_id")

	s.dryRun = number(send(http.StatusCreated, http.MethodPost, "/workflows/w/dry-run", `{"nodes":[`+r.nodes("name", "node_type")+`]}`), "workflow_version_execution_id")
	group := number(send(http.StatusCreated, http.MethodPost, "/api/public/v2/dataset-groups", `{"name":"d"}`), "id")
	send(http.StatusCreated, http.MethodPost, "/api/public/v2/dataset-versions/from-file", fmt.Sprintf(
		`{"dataset_group_id":%d,"file_name":"q.csv","file_content_base64":%q}`, group, base64.StdEncoding.EncodeToString([]byte("q\na\n"))))
	s.report = number(send(http.StatusCreated, http.MethodPost, "/reports", fmt.Sprintf(
		`{"dataset_group_id":%d,"name":"e","columns":[%s]}`, group, r.nodes("name", "column_type"))), "report_id")
	s.reportRun = number(send(http.StatusCreated, http.MethodPost, fmt.Sprintf("/reports/%d/run", s.report), `{"name":"r"}`), "report_id")
	check.Eventually(t, "the runs end", func() bool {
		return strings.Contains(send(http.StatusOK, http.MethodGet, fmt.Sprintf("/reports/%d", s.reportRun), ""), `"status":"COMPLETED"`) &&
			strings.Contains(send(http.StatusOK, http.MethodGet, fmt.Sprintf("/workflows/%d/executions", s.workflow), ""), `"status":"SUCCESS"`)
	})
	return s
}

// used waits until the server was called with each credential.
func (r *repeating) used(t *testing.T) {
	t.Helper()
	missing := slices.Clone(canaries)
	for len(missing) > 0 {
		got := check.Next(t, r.correct)
		missing = slices.DeleteFunc(missing, func(one string) bool { return one == got })
	}
}

var pathParameter = regexp.MustCompile(`\{[^}]*\}`)

// readAll calls every operation that reads, with each of the ids, and returns
// the number of successful calls.
func (s *shown) readAll(url string, ids ...any) (succeeded int) {
	s.t.Helper()
	var document struct{ Paths map[string]map[string]any }
	check.OK(s.t, json.Unmarshal([]byte(s.send(url, http.StatusOK, http.MethodGet, "/openapi.json", "")), &document))
	for path, methods := range document.Paths {
		if methods["get"] == nil {
			continue
		}
		for _, id := range ids {
			at := pathParameter.ReplaceAllString(path, fmt.Sprint(id)) + fmt.Sprintf("?workflow_version_execution_id=%v&return_all_outputs=true", id)
			if s.read(url + at) {
				succeeded++
			}
			s.read(url + strings.Split(at, "?")[0])
		}
	}
	return succeeded
}

// read adds an answer of any status, and reports whether it was successful.
func (s *shown) read(address string) bool {
	s.t.Helper()
	request := check.Must(http.NewRequest(http.MethodGet, address, nil))(s.t)
	request.Header.Set("X-API-KEY", apiKey)
	answer, err := http.DefaultClient.Do(request)
	check.OK(s.t, err)
	defer func() { _ = answer.Body.Close() }()
	text := check.Must(io.ReadAll(answer.Body))(s.t)
	fmt.Fprintln(&s.answers, answer.Header, string(text))
	return answer.StatusCode == http.StatusOK
}

// credentialConfig returns the options of a program that may call the tests'
// servers.
func credentialConfig(t *testing.T) config.Config {
	t.Helper()
	cfg := config.Default()
	cfg.Data, cfg.APIKey, cfg.AllowTargets, cfg.SearchLimit = t.TempDir(), apiKey, "127.0.0.1", 0
	return cfg
}

// TestCredentialsStaySecret stores and uses credentials, reads everything that
// can be read, and searches all of it, the log and all files for them.
func TestCredentialsStaySecret(t *testing.T) {
	t.Parallel()
	cfg, outside, out := credentialConfig(t), newRepeating(t), &shown{t: t}
	files := func() {
		t.Helper()
		known := readFolder(t, cfg.Data, "X-Token", func(path string, content []byte) { lacks(t, path, content, canaries...) })
		if known == 0 {
			t.Error("no file contains the workflow")
		}
	}
	out.runAt(cfg, func(url string, send func(status int, method, path, body string) string) {
		s := outside.fill(t, send)
		outside.used(t)
		if n := out.readAll(url, s.workflow, s.workflowRun, s.dryRun, s.report, s.reportRun, "w", 1); n < 30 {
			t.Errorf("only %d calls succeeded", n)
		}
		for _, path := range []string{fmt.Sprintf("/workflows/%d", s.workflow), fmt.Sprintf("/reports/%d", s.report), fmt.Sprintf("/reports/%d", s.reportRun)} {
			got := send(http.StatusOK, http.MethodGet, path, "")
			for _, part := range []string{`"headers":{"X-Token":"…"}`, `"url":"…"`, `"auth":{"token":"…"}`} {
				if !strings.Contains(got, part) {
					t.Errorf("%s lacks %s: %s", path, part, got)
				}
			}
		}
		files() // including the write-ahead log
	})
	files()
	lacks(t, "an answer", out.answers.Bytes(), canaries...)
	lacks(t, "the log", out.log.Bytes(), canaries...)
}

// TestSealsCredentialsOfEarlierVersions turns a catalog into one of an earlier
// version, whose credentials are readable, and starts with it.
func TestSealsCredentialsOfEarlierVersions(t *testing.T) {
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) {
		cfg, outside, out := credentialConfig(t), newRepeating(t), &shown{t: t}
		isFile := strings.HasPrefix(dsn, "sqlite:")
		if isFile {
			dsn = "sqlite:" + filepath.Join(cfg.Data, "catalog.db")
		} else {
			cfg.Catalog = dsn
		}
		var s stored
		out.runAt(cfg, func(_ string, send func(status int, method, path, body string) string) { s = outside.fill(t, send) })
		outside.used(t)

		unseal(t, dsn)
		if found := readable(t, dsn); found != 4 {
			t.Fatalf("%d texts are readable, want those of 2 versions and 2 columns", found)
		}
		for range 2 {
			out.runAt(cfg, func(_ string, send func(status int, method, path, body string) string) {
				check.Equal(t, "readable texts", readable(t, dsn), 0)
				got := send(http.StatusOK, http.MethodGet, fmt.Sprintf("/workflows/%d", s.workflow), "")
				if !strings.Contains(got, `"headers":{"X-Token":"…"}`) {
					t.Errorf("got %s", got)
				}
				send(http.StatusCreated, http.MethodPost, "/workflows/w/run", `{}`)
				outside.used(t)
			})
		}
		if n := strings.Count(out.log.String(), "sealed the credentials"); n != 1 {
			t.Errorf("credentials were sealed %d times, want once", n)
		}
		if isFile {
			readFolder(t, cfg.Data, "", func(path string, content []byte) { lacks(t, path, content, headerCanary) })
		}
	})
}

// sealedHeader matches the sealed header of the tests.
var sealedHeader = regexp.MustCompile(`"X-Token":\{"\$sealed":"[^"]*"\}`)

// unseal makes the header readable that all texts have, and records that no
// credentials were sealed.
func unseal(t *testing.T, dsn string) {
	t.Helper()
	c := catalogtest.Open(t, dsn)
	for _, place := range upgrade.Places() {
		for _, one := range check.Must(c.Upgrade.Texts(t.Context(), place, -1, 1000))(t) {
			plain := sealedHeader.ReplaceAllString(one.Text, `"X-Token":"`+headerCanary+`"`)
			check.OK(t, c.Upgrade.Replace(t.Context(), place, one.ID, one.Text, plain))
		}
	}
	check.Must(catalogtest.Raw(t, dsn).Exec(`UPDATE installation SET credentials_sealed = 0`))(t)
}

// readable returns the number of texts with a readable credential.
func readable(t *testing.T, dsn string) (count int) {
	t.Helper()
	c := catalogtest.Open(t, dsn)
	for _, place := range upgrade.Places() {
		for _, one := range check.Must(c.Upgrade.Texts(t.Context(), place, -1, 1000))(t) {
			if strings.Contains(one.Text, headerCanary) {
				count++
			}
		}
	}
	return count
}
