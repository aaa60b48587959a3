package importer_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/dataset"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/folder"
	"github.com/promptuary/promptuary/internal/importer"
	"github.com/promptuary/promptuary/internal/importer/remote"
	"github.com/promptuary/promptuary/internal/importer/source"
	"github.com/promptuary/promptuary/internal/importer/target"
	"github.com/promptuary/promptuary/internal/job"
	"github.com/promptuary/promptuary/internal/outbound"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
	"github.com/promptuary/promptuary/internal/secret"
	"github.com/promptuary/promptuary/internal/workflow"
)

// elsewhere is a server to import from. It answers some calls with 429 and 500, and cuts
// some connections.
type elsewhere struct {
	*httptest.Server
	mu    sync.Mutex
	calls int
	// restless makes it fail in these ways.
	restless bool
	// at, if not nil, is called with the number of each call that it answers.
	at func(call int)
	// logs is the number of its request logs, and entities lists its objects.
	logs     int
	entities string
}

const elsewhereKey = "pl_elsewhere"

func newElsewhere(t *testing.T) *elsewhere {
	t.Helper()
	e := &elsewhere{logs: 60, entities: entities}
	e.Server = httptest.NewServer(e)
	t.Cleanup(e.Close)
	return e
}

// ServeHTTP answers a call.
func (e *elsewhere) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	e.calls++
	call := e.calls
	e.mu.Unlock()
	if r.Header.Get("X-API-KEY") != elsewhereKey {
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = w.Write([]byte(`{"message":"Invalid API key"}`))
		return
	}
	if e.restless {
		switch call % 7 {
		case 1:
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		case 3:
			w.WriteHeader(http.StatusInternalServerError)
			return
		case 5:
			panic(http.ErrAbortHandler)
		}
	}
	if e.at != nil {
		e.at(call)
	}
	answer := e.answer(r)
	if answer == "" {
		w.WriteHeader(http.StatusNotFound)
		answer = `{"message":"Not found"}`
	}
	_, _ = w.Write([]byte(answer))
}

const entities = `{"entities":[
{"id":5,"name":"greet","type":"PROMPT","folder_id":2,"metadata":{"latest_version_number":3}},
{"id":6,"name":"tone","type":"SNIPPET","folder_id":null,"metadata":{"latest_version_number":1}},
{"id":4,"name":"style","type":"SNIPPET","folder_id":null,"metadata":{"latest_version_number":1}},
{"id":2,"name":"inner","type":"FOLDER","folder_id":1},
{"id":1,"name":"outer","type":"FOLDER","folder_id":null},
{"id":7,"name":"broken","type":"PROMPT","folder_id":null,"metadata":{"latest_version_number":1}},
{"id":8,"name":"flow","type":"WORKFLOW","folder_id":1,"metadata":{"latest_version_number":2}},
{"id":9,"name":"examples","type":"DATASET","folder_id":2,"metadata":{"latest_version_number":2}},
{"id":10,"name":"unsaved","type":"DATASET","folder_id":null,"metadata":{"latest_version_number":null}}
]}`

func text(role, words string) string {
	return fmt.Sprintf(`{"role":%q,"content":[{"type":"text","text":%q}]}`, role, words)
}

func chat(words string) string { return `{"type":"chat","messages":[` + text("user", words) + `]}` }

// answer returns the answer of a call, "" for 404.
func (e *elsewhere) answer(r *http.Request) string {
	version := r.URL.Query().Get("version")
	switch path := r.URL.Path; path {
	case "/api/public/v2/folders/entities":
		return e.entities
	case "/prompt-templates/5":
		if version == "2" { // it was deleted
			return ""
		}
		return fmt.Sprintf(`{"prompt_template":%s,"metadata":{"model":{"provider":"openai","name":"gpt-4o"}},"commit_message":"message %s","tags":["kind"]}`, chat("Hello @@@tone@@@ "+version), version)
	case "/prompt-templates/4": // refers to a snippet with a higher id
		return `{"prompt_template":{"type":"completion","content":[{"type":"text","text":"plain @@@tone@@@"}]}}`
	case "/prompt-templates/6":
		return `{"prompt_template":{"type":"completion","content":[{"type":"text","text":"friendly"}]}}`
	case "/prompt-templates/7":
		return `{"prompt_template":` + chat("@@@nowhere@@@") + `}`
	case "/prompt-templates/5/labels":
		return `{"release_labels":[{"release_label":"prod","prompt_version_number":1},{"release_label":"dev","prompt_version_number":3}]}`
	case "/prompt-templates/4/labels", "/prompt-templates/6/labels", "/prompt-templates/7/labels":
		return `{"release_labels":[]}`
	case "/workflows/8":
		return `{"nodes":[{"id":"x","name":"n","node_type":"CODE_EXECUTION","is_output_node":true,"configuration":{"code":"return ` + version + `","language":"PYTHON"},"dependencies":[]}],"edges":[],"required_input_variables":{"q":"string"},"commit_message":null}`
	case "/workflows/8/labels":
		return `{"release_labels":[{"release_label":"live","workflow_version_number":2}]}`
	case "/api/public/v2/datasets":
		if r.URL.Query().Get("dataset_group_id") == "11" {
			return `{"datasets":[{"id":93,"version_number":1}],"page":1,"pages":1}`
		}
		return `{"datasets":[{"id":92,"version_number":2},{"id":93,"version_number":-1},{"id":91,"version_number":1}],"page":1,"pages":1}`
	case "/prompt-templates/12/labels":
		return `{"release_labels":[{"release_label":"a\u0000b","prompt_version_number":1}]}`
	case "/prompt-templates/12":
		return `{"prompt_template":` + chat("Hello") + `}`
	case "/api/public/v2/datasets/93/rows":
		return `{"columns":["question"],"rows":[],"page":1,"pages":99}`
	case "/api/public/v2/datasets/91/rows", "/api/public/v2/datasets/92/rows":
		page := r.URL.Query().Get("page")
		return fmt.Sprintf(`{"columns":["question","%s"],"rows":[[{"type":"dataset","value":"q%s"},{"type":"dataset","value":{"n":%s}}]],"page":%s,"pages":2}`, path[len(path)-7:len(path)-5], page, page, page)
	case "/api/public/v2/requests/search":
		return e.search(r)
	default:
		id, found := strings.CutPrefix(path, "/api/public/v2/requests/")
		if !found || id == "13" {
			return ""
		}
		return `{"prompt_blueprint":{"prompt_template":{"type":"chat","messages":[` + text("user", "question "+id) + `,` + text("assistant", "answer "+id) +
			`]},"metadata":{"model":{"provider":"openai","name":"gpt-4o","parameters":{"temperature":1}}}}}`
	}
}

func (e *elsewhere) search(r *http.Request) string {
	var in struct {
		Page    int `json:"page"`
		PerPage int `json:"per_page"`
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		return ""
	}
	var items []string
	for id := (in.Page-1)*in.PerPage + 1; id <= min(in.Page*in.PerPage, e.logs); id++ {
		items = append(items, fmt.Sprintf(`{"id":%d,"engine":"gpt-4o","provider_type":"openai","input_tokens":3,"output_tokens":4,"price":0.5,"request_start_time":"2025-03-15T10:30:00Z",`+
			`"request_end_time":"2025-03-15T10:30:01Z","tags_array":["t"],"metadata":[{"user":"ann"}],"scores":[],"prompt_name":"greet","prompt_version_number":3,"prompt_id":5}`, id))
	}
	return fmt.Sprintf(`{"items":[%s],"page":%d,"pages":%d,"total":%d}`, strings.Join(items, ","), in.Page, (e.logs+in.PerPage-1)/in.PerPage, e.logs)
}

// serverWorld imports from servers.
type serverWorld struct {
	*world
	prompts   *prompt.Service
	workflows *workflow.Service
	datasets  *dataset.Service
	box       *secret.Box
	waited    time.Duration
	mu        sync.Mutex
}

// scratch is a file that is removed when it is closed.
type scratch struct{ *os.File }

func (s scratch) Close() error { return errors.Join(s.File.Close(), os.Remove(s.Name())) }

func newServerWorld(t *testing.T, dsn string) *serverWorld {
	t.Helper()
	w := &serverWorld{world: newWorld(t, dsn)}
	w.prompts = prompt.NewService(w.catalog.Entities, nil)
	w.workflows = workflow.NewService(w.catalog.Entities, workflow.StepTypes{}, workflow.RandomID)
	folderOf := t.TempDir()
	w.datasets = dataset.NewService(dataset.Options{
		Entities: w.catalog.Entities, Store: w.catalog.Datasets, Logs: w.logs,
		Scratch: func() (dataset.Scratch, error) {
			file, err := os.CreateTemp(folderOf, "")
			return scratch{file}, err
		},
	})
	w.box = secret.NewBox(check.Must(secret.ParseKey(strings.Repeat("ab", 32)))(t))
	w.beginServers(&shaky{})
	return w
}

// beginServers starts a process that imports from servers.
func (w *serverWorld) beginServers(logs *shaky) {
	w.t.Helper()
	logs.Service = w.logs
	w.shaky = logs
	calls := outbound.New(outbound.Options{Allow: check.Must(outbound.ParseAllowed("127.0.0.1"))(w.t)})
	w.t.Cleanup(calls.Close)
	w.jobs = job.NewRunner(job.Options{Store: w.catalog.Runs, Owner: time.Now().String(), Alone: true, LookEvery: 5 * time.Millisecond, LeaseFor: time.Second})
	w.service = importer.NewService(importer.Options{Jobs: w.jobs, Store: w.catalog.Imports, Logs: logs, Servers: importer.Servers{
		Target: &target.Target{Entities: w.catalog.Entities, Folders: folder.NewService(w.catalog.Entities), Prompts: w.prompts, Workflows: w.workflows, Datasets: w.datasets},
		Box:    w.box,
		CheckURL: func(address string) error {
			if strings.Contains(address, "10.0.0.1") {
				return errors.New("10.0.0.1 is not a public address")
			}
			return nil
		},
		Connect: func(address, key string) *remote.Client {
			return remote.New(remote.Options{Address: address, Key: key, Calls: calls, Every: time.Nanosecond, Wait: func(ctx context.Context, d time.Duration) error {
				w.mu.Lock()
				defer w.mu.Unlock()
				w.waited += d
				return context.Cause(ctx)
			}})
		},
	}})
	check.OK(w.t, w.jobs.Start(w.ctx, map[job.Kind]job.Worker{importer.Kind: w.service}))
	w.t.Cleanup(w.stop)
}

// planFrom creates an import from a server and checks it.
func (w *serverWorld) planFrom(from source.Server) importer.Import {
	w.t.Helper()
	i := check.Must(w.service.CreateFromServer(w.ctx, w.home, from, elsewhereKey, nil))(w.t)
	check.Must(w.service.StartCheck(w.ctx, w.home, i.ID))(w.t)
	return w.settled(i.ID)
}

// everything returns what a workspace has: folders, prompts with their versions, labels
// and texts, workflows, datasets, and the number of request logs.
func (w *serverWorld) everything() string {
	w.t.Helper()
	var all strings.Builder
	for _, one := range check.Must(folder.NewService(w.catalog.Entities).Entities(w.ctx, folder.ListQuery{Filters: entity.Query{WorkspaceID: w.home}, Flatten: true}))(w.t) {
		path := ""
		for _, step := range one.Path {
			path += step.Name + "/"
		}
		fmt.Fprintf(&all, "%s %s%s %d\n", one.Type, path, one.Entity.Name, one.Entity.LatestVersion)
		switch one.Entity.Kind {
		case entity.KindPrompt:
			for n := int64(1); n <= one.Entity.LatestVersion; n++ {
				v := check.Must(w.prompts.Get(w.ctx, w.home, strconv.FormatInt(one.Entity.ID, 10), registry.Selector{Number: n}))(w.t)
				fmt.Fprintf(&all, "  %s\n", v.Content.Template)
			}
			for _, l := range check.Must(w.prompts.Labels(w.ctx, w.home, one.Entity.Name))(w.t) {
				fmt.Fprintf(&all, "  %s %d\n", l.Name, l.VersionNumber)
			}
		case entity.KindDataset:
			for n := int64(1); n <= one.Entity.LatestVersion; n++ {
				d := check.Must(w.datasets.Version(w.ctx, w.home, one.Entity.ID, &n))(w.t)
				rows := check.Must(w.datasets.ReadRows(w.ctx, w.home, d.ID, 0, 100))(w.t)
				fmt.Fprintf(&all, "  %v", d.Columns)
				for _, row := range rows {
					for _, cell := range row {
						fmt.Fprintf(&all, " %s", cell.Raw())
					}
				}
				fmt.Fprintln(&all)
			}
		}
	}
	found := check.Must(w.logs.Search(w.ctx, w.home, requests.SearchInput{Page: 1, PerPage: 1}))(w.t)
	fmt.Fprintf(&all, "%d logs\n", found.Total)
	return all.String()
}

// isAll checks that everything of the server is there once.
func (w *serverWorld) isAll() {
	w.t.Helper()
	all := w.everything()
	for _, part := range []string{
		"FOLDER outer 0\n", "FOLDER outer/inner 0\n", "SNIPPET style 1\n", "SNIPPET tone 1\n", "PROMPT outer/inner/greet 2\n", "  prod 1\n", "  dev 2\n",
		"Hello @@@tone@@@ 1", "Hello @@@tone@@@ 3", "WORKFLOW outer/flow 2\n", "DATASET outer/inner/examples 2\n", "[question 91] \"q1\" {\"n\":1} \"q2\" {\"n\":2}\n", "59 logs\n",
	} {
		if strings.Count(all, part) != 1 {
			w.t.Errorf("%q is there %d times in\n%s", part, strings.Count(all, part), all)
		}
	}
}
