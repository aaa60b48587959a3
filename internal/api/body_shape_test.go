package api_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/api"
	"github.com/promptuary/promptuary/internal/check"
)

// ownReader is an operation whose handler reads the body itself.
type ownReader struct {
	// op is the operation's id; path is set if the operation's path has
	// parameters.
	op, path string
	// body is valid and has all documented members except those in absent.
	body   string
	absent []string
	// anyType has the documented members whose type is not checked, with the
	// reason.
	anyType map[string]string
	// closed means that unknown members are rejected.
	closed bool
	// single means that a call is refused with 409 while the job of an earlier one
	// is running.
	single bool
}

const skillBody = `{"name": "s", "folder_id": null, "provider": "openai", "files": [{"path": "a.md", "content": "x"}], "commit_message": "m", "release_label": "l", "external_ids": []}`

func ownReaders() []ownReader {
	header := map[string]string{"api_key": "the key in the header counts"}
	csv := base64.StdEncoding.EncodeToString([]byte("a\n1\n"))
	return []ownReader{
		{op: "logRequest", body: richLog},
		{op: "logRequests", body: `{"requests": [` + smallLog + `]}`},
		{op: "trackRequest", body: richCall, absent: []string{"api_key"}, anyType: map[string]string{
			"api_key":                header["api_key"],
			"request_response":       "clients record an empty string when a stream broke off",
			"prompt_input_variables": "clients record what they were given",
		}},
		{op: "trackRequestRest", body: richCall, absent: []string{"api_key"}, anyType: map[string]string{
			"api_key":                header["api_key"],
			"request_response":       "clients record an empty string when a stream broke off",
			"prompt_input_variables": "clients record what they were given",
		}},
		{op: "createSpansBulk", body: `{"close_after": false, ` + spansBody(spanBody("t", "s", ""))[1:]},
		{op: "ingestOtlpTraces", body: `{"resourceSpans": [{"scopeSpans": []}]}`},
		{op: "searchRequests", body: `{` + richQuery + `, "page": 1, "per_page": 5, "include_prompt_name": true}`},
		{op: "analyzeRequests", body: `{` + richQuery + `, "metadata_cost_breakdown_key": "k"}`},
		{op: "chartRequests", body: richCharts},
		{op: "searchTraces", body: `{` + richTraceQuery + `, "page": 1, "per_page": 5}`},
		{op: "searchSessions", body: richGroupQuery},
		{op: "searchUsers", body: richGroupQuery},
		{op: "chartTraces", body: richTraceCharts},
		{op: "previewRepricing", body: `{` + richFilters + `, "include_sent_prices": false}`},
		{op: "previewRedaction", body: `{` + richQuery + `, "rules": [{"name": "a", "detector": "email", "action": "mask", "enabled": true}]}`},
		{op: "previewDeletion", body: `{` + richFilters + `, "request_ids": [1], "user_id": "a", "all": false, "texts_only": false, "metadata_key": "a", "score_name": null, "delete_traces": false}`},
		{op: "createDeletion", body: `{` + richFilters + `, "request_ids": [1], "user_id": "a", "all": false, "texts_only": false, "metadata_key": null, "score_name": "b", "delete_traces": false, "expected": 0}`},
		{op: "createRepricing", single: true, body: `{` + richFilters + `, "include_sent_prices": false}`},
		{op: "createDatasetVersionFromFile", body: `{"dataset_group_id": ${group}, "file_name": "f.csv", "file_content_base64": "` + csv + `"}`},
		{op: "createDatasetVersionFromFilterParams", closed: true, body: `{"dataset_group_id": ${group}, "request_log_ids": [700001], "limit": 5, "variables_to_parse": ["a"],
			"q": "hello", "sort_by": "scores", "sort_nested_key": "helpful", "sort_order": "asc", "columns": ["model"], "filter_group": {"logic": "AND", "filters": [{"field": "engine", "operator": "is", "value": "gpt-4o"}]},
			"id": 7, "prompt_id": 8, "start_time": "2026-01-01T00:00:00Z", "end_time": "2026-02-01T00:00:00Z", "tags": ["a"], "metadata": {"env": "prod"},
			"prompt_version_id": 9, "prompt_label_id": 10, "tags_and": ["a"], "tags_or": ["a"], "metadata_and": [{"key": "a", "value": "b"}], "metadata_or": [{"key": "a", "value": "b"}],
			"scores": [{"name": "a", "operator": ">", "value": 5}], "status": ["SUCCESS"], "prompt_templates_include": ["a"], "prompt_templates_exclude": ["b"], "workspace_id": 1}`},
		{op: "createSkillCollection", body: skillBody},
		{op: "saveSkillCollectionVersion", path: "/api/public/v2/skill-collections/shape/versions", body: `{
			"file_updates": [{"path": "a.md", "content": "x"}], "moves": [], "deletes": [], "commit_message": "m", "release_label": "l", "provider": "openai"}`},
	}
}

// TestOwnReadersAreListed checks that TestOwnReadersMatchTheDocument covers
// every operation whose handler reads the body itself.
func TestOwnReadersAreListed(t *testing.T) {
	t.Parallel()
	d := newDocument(t, newWorld(t, settings{}))
	var want, got []string
	for _, op := range api.Operations(api.Services{}) {
		if op.Handler.ReadsBody() && d.at(d.operation(op.Method, op.Path), "requestBody") != nil {
			want = append(want, op.ID)
		}
	}
	for _, r := range ownReaders() {
		got = append(got, r.op)
	}
	slices.Sort(want)
	slices.Sort(got)
	check.Equal(t, "operations with their own reader", got, want)
}

// TestOwnReadersMatchTheDocument compares the bodies that handlers read
// themselves with the documented ones, in both directions: each documented
// member is read, with its type, and no undocumented member is read.
func TestOwnReadersMatchTheDocument(t *testing.T) {
	t.Parallel()
	for _, r := range ownReaders() {
		t.Run(r.op, func(t *testing.T) {
			t.Parallel()
			newShape(t, r).check()
		})
	}
}

// shape compares one reader with its documented body.
type shape struct {
	t          *testing.T
	world      *world
	reader     ownReader
	path       string
	properties map[string]any
	document   *document
	body       map[string]any
	accepted   int // the status of the valid body
}

func newShape(t *testing.T, r ownReader) *shape {
	t.Helper()
	s := &shape{t: t, world: newWorld(t, settings{}), reader: r, path: r.path}
	addKey(t, s.world, "admin", home, access.Administrator)
	s.world.log(t, "home", nil)
	s.world.post(t, http.StatusOK, "/create-group", `{}`)
	s.world.post(t, http.StatusCreated, "/api/public/v2/skill-collections", `{"name": "shape", "files": [{"path": "a.md", "content": "x"}]}`)
	group := s.world.post(t, http.StatusCreated, "/api/public/v2/dataset-groups", `{"name":"shape"}`)["dataset_group"].(map[string]any)["id"]
	check.OK(t, json.Unmarshal([]byte(strings.ReplaceAll(r.body, "${group}", fmt.Sprint(group))), &s.body))
	for _, op := range api.Operations(api.Services{}) {
		if op.ID == r.op && s.path == "" {
			s.path = op.Path
		}
	}
	s.document = newDocument(t, s.world)
	schema := s.document.at(s.document.operation(http.MethodPost, s.path), "requestBody", "content", "application/json", "schema")
	s.properties = s.document.at(schema, "properties").(map[string]any)
	return s
}

func (s *shape) check() {
	s.t.Helper()
	valid := s.send(s.body)
	if s.accepted = valid.status; valid.status >= http.StatusBadRequest {
		s.t.Fatalf("the valid body is answered with %d %s", valid.status, valid.body)
	}
	for name := range s.body {
		if s.properties[name] == nil {
			s.t.Errorf("%s is in the valid body but not documented", name)
		}
	}
	for name := range s.properties {
		if _, given := s.body[name]; !given && !slices.Contains(s.reader.absent, name) {
			s.t.Errorf("%s is documented but not in the valid body", name)
		}
		s.checkDocumented(name)
	}
	s.checkUndocumented()
}

// kinds has a value of each JSON type, none of which is valid for a member of
// another type.
var kinds = map[string]any{
	"object": map[string]any{"no such member": 1}, "array": []any{[]any{}}, "string": "no such value", "number": -0.5, "boolean": true,
}

// checkDocumented sends values of undocumented types in a member. They must
// be rejected with a problem that names the member.
func (s *shape) checkDocumented(name string) {
	s.t.Helper()
	types := s.types(name)
	rejected := 0
	for kind, value := range kinds {
		if slices.Contains(types, kind) || kind == "number" && slices.Contains(types, "integer") {
			continue
		}
		got := s.send(s.with(map[string]any{name: value}))
		if got.status >= http.StatusBadRequest && strings.Contains(string(got.body), name) {
			rejected++
		} else if len(types) > 0 && s.reader.anyType[name] == "" {
			s.t.Errorf("%s is documented as %v, but a value of type %s is answered with %d %s", name, types, kind, got.status, clip(string(got.body)))
		}
	}
	if reason := s.reader.anyType[name]; rejected == 0 && reason == "" {
		s.t.Errorf("%s is documented but not read: values of all types are accepted", name)
	} else if rejected > 0 && reason != "" {
		s.t.Errorf("the type of %s is checked, although %s", name, reason)
	}
}

// types returns the documented types of a member, nil if any is allowed.
func (s *shape) types(name string) []string {
	schema := s.document.at(s.properties, name).(map[string]any)
	var types []string
	alternatives, _ := schema["anyOf"].([]any)
	for _, one := range append(alternatives, schema) {
		object, _ := s.document.resolve(one).(map[string]any)
		switch kind := object["type"].(type) {
		case string:
			types = append(types, kind)
		case []any:
			for _, one := range kind {
				types = append(types, one.(string))
			}
		}
	}
	if schema["format"] == "date-time" {
		types = append(types, "number", "string") // seconds are accepted; both have further rules
	}
	return types
}

// checkUndocumented sends values of every type in undocumented members: all
// names that occur anywhere in the source of the readers. None may make a
// difference.
func (s *shape) checkUndocumented() {
	s.t.Helper()
	names := slices.DeleteFunc(slices.Clone(sourceNames(s.t)), func(name string) bool { return s.properties[name] != nil })
	if len(names) < 100 {
		s.t.Fatalf("only %d names were found in the source", len(names))
	}
	if s.reader.closed {
		for _, name := range names {
			if got := s.send(s.with(map[string]any{name: 1})); got.status != http.StatusBadRequest || !strings.Contains(string(got.body), "Unknown field: "+name) {
				s.t.Errorf("%s is not documented, but is answered with %d %s", name, got.status, clip(string(got.body)))
			}
		}
		return
	}
	for kind, value := range kinds {
		members := map[string]any{}
		for _, name := range names {
			members[name] = value
		}
		if got := s.send(s.with(members)); got.status != s.accepted {
			s.t.Errorf("members that are not documented, of type %s, are answered with %d %s", kind, got.status, clip(string(got.body)))
		}
	}
}

func (s *shape) with(members map[string]any) map[string]any {
	body := maps.Clone(s.body)
	maps.Copy(body, members)
	return body
}

func (s *shape) send(body map[string]any) reply {
	s.t.Helper()
	for {
		got, err := s.world.send("admin", http.MethodPost, s.path, []byte(toJSON(s.t, body)))
		check.OK(s.t, err)
		if !s.reader.single || got.status != http.StatusConflict {
			return got
		}
		time.Sleep(time.Millisecond)
	}
}

var memberName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,63}$`)

// sourceNames returns every string in the source of the readers that could be
// the name of a member.
func sourceNames(t *testing.T) []string {
	t.Helper()
	names, err := readSourceNames()
	check.OK(t, err)
	return names
}

var readSourceNames = sync.OnceValues(func() ([]string, error) {
	found := map[string]bool{}
	for _, folder := range []string{".", "../reqlog", "../dataset", "../skill"} {
		err := filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
					if text, err := strconv.Unquote(literal.Value); err == nil && memberName.MatchString(text) {
						found[text] = true
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return slices.Sorted(maps.Keys(found)), nil
})
