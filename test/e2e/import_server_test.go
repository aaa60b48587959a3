package e2e

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

const foldersPath = "/api/public/v2/folders"

// fillRegistry stores folders, a snippet, prompts with versions and labels, a workflow,
// a dataset and request logs.
func fillRegistry(t *testing.T, c *client) {
	t.Helper()
	type made struct {
		Folder       struct{ ID int64 }
		DatasetGroup struct{ ID int64 } `json:"dataset_group"`
	}
	outer := mustDecode[made](t, c.post(t, foldersPath, object{"name": "outer"}, http.StatusCreated)).Folder.ID
	inner := mustDecode[made](t, c.post(t, foldersPath, object{"name": "inner", "parent_id": outer}, http.StatusCreated)).Folder.ID
	chat := func(text string) object {
		return object{"type": "chat", "messages": []object{{"role": "user", "content": []object{{"type": "text", "text": text}}}}}
	}
	publish := func(name, text string, folder any, labels ...string) {
		c.publish(t, object{
			"prompt_template": object{"prompt_name": name, "tags": []string{"moved"}, "folder_id": folder},
			"prompt_version":  object{"prompt_template": chat(text), "commit_message": text, "metadata": object{"model": object{"provider": "openai", "name": "gpt-4o", "parameters": object{"temperature": 0.5}}}},
			"release_labels":  labels,
		})
	}
	publish("plain", "Hello", nil)
	c.publish(t, object{
		"prompt_template": object{"prompt_name": "tone", "is_snippet": true},
		"prompt_version":  object{"prompt_template": object{"type": "completion", "content": []object{{"type": "text", "text": "friendly"}}}},
	})
	publish("greet", "Hello {name}", inner, "prod")
	publish("plain", "Be @@@tone@@@", nil, "dev")
	for n := range 6 {
		publish("greet", fmt.Sprintf("Hello {name} %d", n), inner)
	}
	for n := range 2 {
		body := object{
			"nodes": []object{{
				"name": "answer", "node_type": "CODE_EXECUTION", "is_output_node": true, "configuration": object{"code": fmt.Sprintf("return %d", n), "language": "PYTHON"}, "dependencies": []string{},
			}},
			"required_input_variables": object{"q": "string"}, "release_labels": []string{fmt.Sprintf("live%d", n)},
		}
		body[[]string{"name", "workflow_name"}[n]] = "flow"
		c.post(t, "/rest/workflows", body, http.StatusCreated)
	}
	group := mustDecode[made](t, c.post(t, "/api/public/v2/dataset-groups", object{"name": "examples", "folder_id": outer}, http.StatusCreated)).DatasetGroup.ID
	for n := range 2 {
		rows := base64.StdEncoding.EncodeToString(fmt.Appendf(nil, `[{"q":"a%d","n":{"deep":[1,2]}},{"q":"b","n":null}]`, n))
		c.post(t, "/api/public/v2/dataset-versions/from-file", object{"dataset_group_id": group, "file_name": "rows.json", "file_content_base64": rows}, http.StatusCreated)
	}
	for n := range 130 {
		at := time.Date(2026, 3, 1, 12, 0, n, 0, time.UTC).Format(time.RFC3339)
		c.post(t, "/log-request", object{
			"provider": "openai", "model": "gpt-4o", "request_start_time": at, "request_end_time": at, "input_tokens": n, "output_tokens": 2, "price": 0.25, "tags": []string{"t"},
			"input": chat(fmt.Sprintf("question %d", n)), "output": object{"type": "chat", "messages": []object{{"role": "assistant", "content": []object{{"type": "text", "text": fmt.Sprintf("answer %d", n)}}}}},
			"prompt_name": "greet", "prompt_version_number": 1 + n%3, "metadata": object{"user_id": fmt.Sprint(n % 7)},
		}, http.StatusCreated)
	}
}

// registryOf describes everything that an import brings, without ids and times.
func registryOf(t *testing.T, c *client) string {
	t.Helper()
	var all []string
	found := mustDecode[struct {
		Entities []struct {
			ID       int64
			Name     string
			Type     string
			Path     []string
			Metadata struct {
				Latest int64 `json:"latest_version_number"`
			}
		}
	}](t, c.get(t, foldersPath+"/entities?flatten=true&include_metadata=true"))
	for _, e := range found.Entities {
		line := fmt.Sprintln(e.Type, e.Path, e.Name, e.Metadata.Latest)
		for n := int64(1); n <= e.Metadata.Latest; n++ {
			line += versionOf(t, c, e.Type, e.ID, n)
		}
		all = append(all, line)
	}
	for page := 1; ; page++ {
		logs := mustDecode[struct {
			Items   []map[string]any
			HasNext bool `json:"has_next"`
		}](t, c.post(t, "/api/public/v2/requests/search", object{"page": page, "per_page": 25, "sort_by": "request_start_time", "sort_order": "asc", "include_prompt_name": true}, http.StatusOK))
		for _, l := range logs.Items {
			detail := mustDecode[struct {
				Blueprint json.RawMessage `json:"prompt_blueprint"`
			}](t, c.get(t, fmt.Sprintf("/api/public/v2/requests/%.0f", l["id"])))
			all = append(all, fmt.Sprintln(l["request_start_time"], l["request_end_time"], l["engine"], l["provider_type"], l["input_tokens"], l["output_tokens"], l["price"], l["tags_array"], l["prompt_name"], l["prompt_version_number"], string(detail.Blueprint)))
		}
		if !logs.HasNext {
			break
		}
	}
	slices.Sort(all)
	return strings.Join(all, "")
}

// versionOf describes a version.
func versionOf(t *testing.T, c *client, kind string, id, n int64) string {
	t.Helper()
	switch kind {
	case "PROMPT", "SNIPPET":
		v := mustDecode[struct {
			Template json.RawMessage `json:"prompt_template"`
			Metadata json.RawMessage
			Message  *string `json:"commit_message"`
			Tags     []string
		}](t, c.get(t, fmt.Sprintf("/prompt-templates/%d?version=%d&resolve_snippets=false", id, n)))
		labels := mustDecode[struct {
			Labels []struct {
				Name    string `json:"release_label"`
				Version int64  `json:"prompt_version_number"`
			} `json:"release_labels"`
		}](t, c.get(t, fmt.Sprintf("/prompt-templates/%d/labels", id)))
		text, _ := json.Marshal([]any{v, labels}) // strings and numbers always encode
		return string(text) + "\n"
	case "WORKFLOW":
		v := mustDecode[struct {
			Nodes []struct {
				Name          string
				Type          string `json:"node_type"`
				Configuration json.RawMessage
				IsOutput      bool `json:"is_output_node"`
			}
			Variables json.RawMessage `json:"required_input_variables"`
			Labels    []string        `json:"release_labels"`
		}](t, c.get(t, fmt.Sprintf("/workflows/%d?version=%d", id, n)))
		text, _ := json.Marshal(v)
		return string(text) + "\n"
	case "DATASET":
		sets := mustDecode[struct {
			Datasets []struct {
				ID      int64
				Version int64 `json:"version_number"`
			}
		}](t, c.get(t, fmt.Sprintf("/api/public/v2/datasets?dataset_group_id=%d", id)))
		for _, d := range sets.Datasets {
			if d.Version == n {
				rows := mustDecode[struct{ Columns, Rows json.RawMessage }](t, c.get(t, fmt.Sprintf("/api/public/v2/datasets/%d/rows", d.ID)))
				return fmt.Sprintf("%s %s\n", rows.Columns, rows.Rows)
			}
		}
	}
	return ""
}

// TestImportFromServer imports everything of another server with the command, while
// the server that imports is killed again and again. Both have the same afterwards.
func TestImportFromServer(t *testing.T) {
	t.Parallel()
	source := setup{data: t.TempDir()}.start(t)
	fillRegistry(t, source.client)
	want := registryOf(t, source.client)

	there, err := url.Parse(source.address)
	if err != nil {
		t.Fatal(err)
	}
	s := setup{data: t.TempDir(), args: []string{"--allow-targets", there.Hostname()}}
	p := s.start(t)
	admin, key := s.asAdmin(t, p)
	keyFile := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(keyFile, []byte(testKey+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) result {
		return setup{}.run(t, append([]string{"import", "server", "--from", source.address, "--api-key-file", keyFile, "--server", p.address, "--key", key}, args...)...)
	}
	const planned = "Checked 137 rows: 137 accepted, 0 refused, 0 ignored, 0 already there, 0 without their prompt\n"
	if out := run("--dry-run").must(t); out != planned {
		t.Errorf("the dry run prints\n%s", out)
	}
	if got := registryOf(t, admin); got != "" {
		t.Errorf("the dry run has stored\n%s", got)
	}

	made := mustDecode[importState](t, admin.post(t, importsPath+"/from-server", object{
		"address": source.address, "api_key": testKey, "parts": []string{"prompts", "workflows", "datasets", "requests"},
	}, http.StatusCreated)).Import
	path := fmt.Sprintf("%s/%d", importsPath, made.ID)
	admin.post(t, path+"/check", nil, http.StatusAccepted)
	eventually(t, func() error {
		if now := getImport(t, admin, made.ID); now.Import.State != "checked" {
			return fmt.Errorf("the import is %s", now.Import.State)
		}
		return nil
	})
	admin.post(t, path+"/start", object{}, http.StatusAccepted)
	random := rand.New(rand.NewPCG(crashSeed, 29))
	between := 0
	for range 6 {
		p.killWithin(random, 1500*time.Millisecond)
		p = s.start(t)
		if now := getImport(t, p.withKey(key), made.ID).Import; now.State == "running" && now.Result.Rows > 0 {
			between++
		}
	}
	t.Logf("%d of 6 crashes were during the import", between)
	done := awaitImport(t, p.withKey(key), made.ID).Import
	if done.State != "done" || done.Result.Accepted != 137 {
		t.Errorf("the import is %+v", done)
	}
	if got := registryOf(t, p.withKey(key)); got != want {
		t.Errorf("imported\n%s\nwant\n%s", got, want)
	}

	out := run("--parts", "prompts,workflows,datasets").must(t)
	if !strings.Contains(out, "5 already there") {
		t.Errorf("another import prints\n%s", out)
	}
	if got := registryOf(t, p.withKey(key)); got != want {
		t.Errorf("another import has changed the registry to\n%s", got)
	}
	if r := run("--conflict", "refuse", "--parts", "prompts"); r.code == 0 || !strings.Contains(r.stderr, "are refused") {
		t.Errorf("names that exist: %d, %s", r.code, r.stderr)
	}
}
