package api_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/promptuary/promptuary/internal/check"
)

const skillPath = "/api/public/v2/skill-collections"

// zipped returns an archive of files given as name, text, name, text, ….
func zipped(t testing.TB, pairs ...string) string {
	t.Helper()
	var out bytes.Buffer
	writer := zip.NewWriter(&out)
	for i := 0; i+1 < len(pairs); i += 2 {
		header := &zip.FileHeader{Name: pairs[i], Method: zip.Deflate}
		if strings.HasSuffix(pairs[i], ".sh") {
			header.SetMode(0o755)
		}
		if strings.HasSuffix(pairs[i], ".link") {
			header.SetMode(fs.ModeSymlink | 0o777)
		}
		to, err := writer.CreateHeader(header)
		if err == nil {
			_, err = io.WriteString(to, pairs[i+1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// form returns a form with parts given as name, content, …, and its media
// type. A name that ends in a star is a file's.
func form(t testing.TB, pairs ...string) (body []byte, mediaType string) {
	t.Helper()
	var out bytes.Buffer
	writer := multipart.NewWriter(&out)
	for i := 0; i+1 < len(pairs); i += 2 {
		var to io.Writer
		var err error
		if name, isFile := strings.CutSuffix(pairs[i], "*"); isFile {
			to, err = writer.CreateFormFile(name, "skills.zip")
		} else {
			to, err = writer.CreateFormField(name)
		}
		if err == nil {
			_, err = io.WriteString(to, pairs[i+1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), writer.FormDataContentType()
}

// sendForm sends a form to the home workspace.
func (w *world) sendForm(t *testing.T, path string, pairs ...string) reply {
	t.Helper()
	body, mediaType := form(t, pairs...)
	got, err := w.send("home", http.MethodPost, path, body, "Content-Type: "+mediaType)
	check.OK(t, err)
	return got
}

// pulled returns the files of a collection.
func (w *world) pulled(t *testing.T, identifier string) map[string]any {
	t.Helper()
	return w.must(t, http.StatusOK, "home", http.MethodGet, skillPath+"/"+identifier, "")["files"].(map[string]any)
}

func TestSkillForms(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	packed := zipped(t, "triage/SKILL.md", "größe", "CLAUDE.md", "old")
	tests := []struct {
		name  string
		parts []string
	}{
		{"JavaScript", []string{"files*", packed, "json", `{"name":"x"}`}},
		{"Python", []string{"zip*", packed, "metadata", `{"name":"x"}`}},
		{"documented", []string{"metadata", `{"name":"x"}`, "archive*", packed}},
		{"archive without a file name", []string{"metadata", `{"name":"x"}`, "archive", packed}},
		{"any file", []string{"upload*", packed, "json*", `{"name":"x"}`}},
		{"plain fields", []string{"name", "x", "provider", "claude_code", "files*", packed}},
		{"plain fields and metadata", []string{"name", "x", "metadata", `{"commit_message":"m"}`, "release_label", "prod", "archive*", packed}},
		{"files as JSON", []string{"name", "x", "provider", "claude_code", "files", ` [{"path":"triage/SKILL.md","content":"größe"},{"path":"CLAUDE.md","content":"old"}]`}},
	}
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := w.sendForm(t, skillPath, tt.parts...)
			if got.status != http.StatusCreated {
				t.Fatalf("it is answered with %d %s", got.status, got.body)
			}
			name := "x"
			if i > 0 {
				name = fmt.Sprint("x-", i+1)
			}
			want := map[string]any{".claude/skills/triage/SKILL.md": "größe", ".claude/CLAUDE.md": "old"}
			if diff := cmp.Diff(want, w.pulled(t, name)); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
		})
	}
	t.Run("files override the archive", func(t *testing.T) {
		got := w.sendForm(t, skillPath+"/x/versions", "zip*", zipped(t, "a", "archive", "b", "archive"), "metadata",
			`{"deletes":["triage"],"moves":[{"from":"CLAUDE.md","to":"moved.md"}],"file_updates":[{"path":"b","content":"file"}]}`)
		if got.status != http.StatusCreated {
			t.Fatalf("it is answered with %d %s", got.status, got.body)
		}
		want := map[string]any{".claude/a": "archive", ".claude/b": "file", ".claude/moved.md": "old"}
		if diff := cmp.Diff(want, w.pulled(t, "x")); diff != "" {
			t.Errorf("files (-want +got):\n%s", diff)
		}
	})
	t.Run("plain fields of a version", func(t *testing.T) {
		got := w.sendForm(t, skillPath+"/x/versions", "commit_message", "a \"plain\" message", "release_label", "prod", "provider", "openai",
			"deletes", `["a"]`, "moves", `[{"from":"moved.md","to":"again.md"}]`, "file_updates", `[{"path":"c","content":"new"}]`)
		if got.status != http.StatusCreated {
			t.Fatalf("it is answered with %d %s", got.status, got.body)
		}
		version := w.must(t, http.StatusOK, "home", http.MethodGet, skillPath+"/x?label=prod", "")
		if diff := cmp.Diff(map[string]any{".agents/b": "file", ".agents/again.md": "old", ".agents/c": "new"}, version["files"]); diff != "" {
			t.Errorf("files (-want +got):\n%s", diff)
		}
		if message := version["version"].(map[string]any)["commit_message"]; message != `a "plain" message` {
			t.Errorf("the message is %q", message)
		}
	})
	t.Run("an archive as file_updates", func(t *testing.T) {
		if got := w.sendForm(t, skillPath+"/x/versions", "file_updates*", zipped(t, "a", "update"), "provider", "claude_code"); got.status != http.StatusCreated {
			t.Fatalf("it is answered with %d %s", got.status, got.body)
		}
		if got := w.pulled(t, "x")[".claude/a"]; got != "update" {
			t.Errorf("the file is %q", got)
		}
	})
	t.Run("an archive alone", func(t *testing.T) {
		if got := w.sendForm(t, skillPath+"/x/versions", "zip*", zipped(t, "a", "alone")); got.status != http.StatusCreated {
			t.Fatalf("it is answered with %d %s", got.status, got.body)
		}
		if got := w.pulled(t, "x")[".claude/a"]; got != "alone" {
			t.Errorf("the file is %q", got)
		}
	})
}

func TestRejectedSkillForms(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	w.post(t, http.StatusCreated, skillPath, `{"name":"there","files":[{"path":"a","content":"1"}]}`)
	stored := newReader(t, w)
	before := stored.dump(t)
	named := []string{"metadata", `{"name":"x"}`, "zip*"}
	tests := []struct {
		name   string
		status int
		parts  []string
	}{
		{"no metadata", http.StatusUnprocessableEntity, []string{"zip*", zipped(t, "a", "")}},
		{"no name", http.StatusUnprocessableEntity, []string{"zip*", zipped(t, "a", ""), "json", `{}`}},
		{"broken metadata", http.StatusBadRequest, []string{"metadata", `{"name"`}},
		{"metadata that are no object", http.StatusBadRequest, []string{"metadata", `[1]`}},
		{"heavy metadata", http.StatusBadRequest, []string{"metadata", `{"name":"x","a":[` + strings.Repeat("0,", 2_000_000) + `0]}`}},
		{"two archives", http.StatusBadRequest, append(named, zipped(t, "a", ""), "files*", zipped(t, "b", ""))},
		{"two sorts of metadata", http.StatusBadRequest, []string{"metadata", `{"name":"x"}`, "json", `{"name":"y"}`}},
		{"unknown field", http.StatusUnprocessableEntity, []string{"name", "x", "note", "lost"}},
		{"field of another operation", http.StatusUnprocessableEntity, []string{"name", "x", "moves", "[]"}},
		{"field twice", http.StatusBadRequest, []string{"name", "x", "name", "y"}},
		{"field also in the metadata", http.StatusBadRequest, []string{"name", "x", "metadata", `{"name":null}`}},
		{"field that is not UTF-8", http.StatusUnprocessableEntity, []string{"name", "x\xff"}},
		{"field of another type", http.StatusUnprocessableEntity, []string{"name", "x", "folder_id", `"one"`}},
		{"field that is not JSON", http.StatusBadRequest, []string{"name", "x", "folder_id", `{`}},
		{"heavy field", http.StatusBadRequest, []string{"name", "x", "external_ids", `[` + strings.Repeat("0,", 2_000_000) + `0]`}},
		{"label without files", http.StatusBadRequest, []string{"name", "x", "release_label", "prod"}},
		{"no archive", http.StatusBadRequest, append(named, "hello")},
		{"empty archive", http.StatusBadRequest, append(named, "")},
		{"cut archive", http.StatusBadRequest, append(named, zipped(t, "a", "text")[:60])},
		{"path that leads out", http.StatusBadRequest, append(named, zipped(t, "ok", "1", "../x", ""))},
		{"absolute path", http.StatusBadRequest, append(named, zipped(t, "ok", "1", "/x", ""))},
		{"link", http.StatusBadRequest, append(named, zipped(t, "ok", "1", "x.link", "/etc/passwd"))},
		{"twice", http.StatusBadRequest, append(named, zipped(t, "ok", "1", "x", "", "x", ""))},
		{"no UTF-8", http.StatusBadRequest, append(named, zipped(t, "ok", "1", "x\xff", ""))},
		{"too large", http.StatusBadRequest, append(named, zipped(t, "ok", "1", "x", strings.Repeat("0123456789abcdef", 5<<16)+"!"))},
		{"bomb", http.StatusBadRequest, append(named, zipped(t, "ok", "1", "x", strings.Repeat("\x00", 5<<20)))},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := w.sendForm(t, skillPath, tt.parts...)
			if got.status != tt.status {
				t.Errorf("it is answered with %d %s, want %d", got.status, clip(string(got.body)), tt.status)
			}
			checkErrorShape(t, got.status, got.body)
		})
	}
	before.same(t, stored.dump(t))
}

func TestSkillArchives(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	got := w.sendForm(t, skillPath, "files*", zipped(t, "t/run.sh", "#!/bin/sh", "日本.bin", "\xff\x00"), "json", `{"name":"größe \"1\"","provider":"openai"}`)
	if got.status != http.StatusCreated {
		t.Fatalf("it is answered with %d %s", got.status, got.body)
	}
	answer, err := w.send("home", http.MethodGet, skillPath+"/gr%C3%B6%C3%9Fe%20%221%22?format=zip", nil)
	check.OK(t, err)
	if answer.header.Get("Content-Type") != "application/zip" || answer.header.Get("Content-Disposition") != "attachment; filename*=utf-8''gr%C3%B6%C3%9Fe%20%221%22.zip" {
		t.Errorf("the headers are %v", answer.header)
	}
	read, err := zip.NewReader(bytes.NewReader(answer.body), int64(len(answer.body)))
	check.OK(t, err)
	files := map[string]string{}
	for _, file := range read.File {
		from, err := file.Open()
		check.OK(t, err)
		text, err := io.ReadAll(from)
		check.OK(t, err)
		files[file.Name+" "+file.Mode().String()] = string(text)
		if file.Flags&0x8 != 0 {
			t.Errorf("the sizes of %s come after it", file.Name)
		}
	}
	want := map[string]string{".agents/skills/t/run.sh -rwxr-xr-x": "#!/bin/sh", ".agents/日本.bin -rw-r--r--": "\xff\x00"}
	if diff := cmp.Diff(want, files); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	w.post(t, http.StatusCreated, skillPath, `{"name":"empty"}`)
	empty, err := w.send("home", http.MethodGet, skillPath+"/empty?format=zip", nil)
	check.OK(t, err)
	if got := empty.header.Get("Content-Disposition"); got != `attachment; filename="empty.zip"` {
		t.Errorf("the file is called %s", got)
	}
	if _, err := zip.NewReader(bytes.NewReader(empty.body), int64(len(empty.body))); err != nil || empty.status != http.StatusOK {
		t.Errorf("without files it is %d %q: %v", empty.status, empty.body, err)
	}
}

// TestLargestSkillFile stores a file of the maximum size, and not one byte
// more.
func TestLargestSkillFile(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	for size, status := range map[int]int{5 << 20: http.StatusCreated, 5<<20 + 1: http.StatusBadRequest} {
		body := toJSON(t, map[string]any{"name": "x", "files": []any{map[string]any{"path": "a", "content": strings.Repeat("x", size)}}})
		w.post(t, status, skillPath, body)
	}
	if got := w.pulled(t, "x")["a"].(string); len(got) != 5<<20 {
		t.Errorf("the file has %d bytes", len(got))
	}
	// JSON bodies have their own limit, regardless of that for archives.
	small := newWorld(t, settings{maxBody: 1 << 16})
	small.post(t, http.StatusRequestEntityTooLarge, skillPath, `{"name":"`+strings.Repeat("x", 1<<16)+`"}`)
}
