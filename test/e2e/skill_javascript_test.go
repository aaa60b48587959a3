package e2e

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type skillState struct {
	Collection struct {
		ID, Name string
		RootPath string `json:"root_path"`
		Provider string
	} `json:"skill_collection"`
	Files   map[string]string
	Version *struct {
		Version int
		Label   *string  `json:"release_label"`
		Paths   []string `json:"file_paths"`
	}
	Failure string
}

// skillsResult is the output of the driver for skills.
type skillsResult struct {
	Published, Zipped, Pulled, Pushed, Renamed, Labelled, First, Released skillState
	Absent, Both, Refused, Broken                                         skillState
	// The files of archives are in base64.
	Archive, Large map[string]string
}

// skillArchive writes an archive with text, bytes, a script and a large file,
// and returns its path.
func skillArchive(t *testing.T, large string) string {
	t.Helper()
	var out bytes.Buffer
	writer := zip.NewWriter(&out)
	for name, text := range map[string]string{"größe/SKILL.md": "# Größe", "größe/raw.bin": "\xff\x00\x01", "größe/large.txt": large} {
		to, err := writer.Create(name)
		if err == nil {
			_, err = io.WriteString(to, text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "skills.zip")
	if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestOfficialJavaScriptClientSkills(t *testing.T) {
	t.Parallel()
	p := start(t, t.TempDir())
	large := manyLines(4 << 20)
	got := runDriver[skillsResult](t, nil, "skills.mjs", p.address, testKey, skillArchive(t, large))
	for name, tt := range map[string]struct{ got, want any }{
		"name":             {got.Published.Collection.Name, "support"},
		"name once more":   {got.Zipped.Collection.Name, "support-2"},
		"pulled":           {got.Pulled.Files, map[string]string{".claude/skills/triage/SKILL.md": "# Triage", ".claude/CLAUDE.md": "Be kind"}},
		"pushed version":   {got.Pushed.Version.Version, 2},
		"pushed label":     {*got.Pushed.Version.Label, "prod"},
		"renamed":          {got.Renamed.Collection.RootPath, "help"},
		"renamed paths":    {got.Renamed.Version.Paths, []string{"sorting/SKILL.md", "triage/SKILL.md"}},
		"the same id":      {got.Renamed.Collection.ID, got.Published.Collection.ID},
		"labelled version": {got.Labelled.Version.Version, 4},
		"first files":      {got.First.Files, got.Pulled.Files},
		"released version": {got.Released.Version.Version, 4},
		"released files":   {got.Released.Files, map[string]string{".claude/skills/sorting/SKILL.md": "# Triage", ".claude/skills/triage/SKILL.md": "# Triage!"}},
		"absent":           {got.Absent.Failure, "Skill collection not found"},
		"both":             {got.Both.Failure, "version and label are mutually exclusive"},
		"refused":          {got.Refused.Failure, `The path "../x" must not contain ..`},
		"broken":           {got.Broken.Failure, "The archive is not a valid zip file"},
	} {
		if diff := cmp.Diff(tt.want, tt.got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	want := map[string]string{
		".agents/skills/größe/SKILL.md":  encoded("# Größe"),
		".agents/skills/größe/raw.bin":   encoded("\xff\x00\x01"),
		".agents/skills/größe/large.txt": encoded(large),
	}
	for name, files := range map[string]map[string]string{"archive": got.Archive, "archive of a version": got.Large} {
		if diff := cmp.Diff(want, files); diff != "" {
			t.Errorf("%s (-want +got):\n%.2000s", name, diff)
		}
	}
}

// manyLines returns a text of the given size that does not compress too well.
func manyLines(size int) string {
	var text strings.Builder
	for i := 0; text.Len() < size; i++ {
		fmt.Fprintf(&text, "line %d äöü\n", i*i)
	}
	return text.String()
}

func encoded(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }
