package deploy

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
)

// TestRelease packs the built program as a release does, and uses the result as
// somebody who downloads it.
func TestRelease(t *testing.T) {
	t.Parallel()
	program := os.Getenv("PROMPTUARY_TEST_PROGRAM")
	if program == "" {
		t.Fatal("set PROMPTUARY_TEST_PROGRAM to the built program, see make test")
	}
	dist := filepath.Join(t.TempDir(), "dist")
	run := func(folder string, env []string, name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir, cmd.Env = folder, append(os.Environ(), env...)
		output, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %v: %v\n%s", name, args, err, output)
		}
		return string(output)
	}
	run("../..", []string{"PROGRAM=" + program, "DIST=" + dist, "VERSION=v9.8.7"}, "scripts/release", "linux/amd64")

	run(dist, nil, "sha256sum", "--check", "--strict", "checksums.txt")
	run(dist, nil, "tar", "-xzf", "promptuary_v9.8.7_linux_amd64.tar.gz")
	unpacked := filepath.Join(dist, "promptuary_v9.8.7_linux_amd64")
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md", "promptuary.service", "sbom.json"} {
		if info := check.Must(os.Stat(filepath.Join(unpacked, name)))(t); info.Size() == 0 || info.Mode().Perm() != 0o644 {
			t.Errorf("%s has %d bytes and the mode %v", name, info.Size(), info.Mode())
		}
	}
	if printed := run(unpacked, nil, "./promptuary", "version"); !strings.HasPrefix(printed, "promptuary ") || !strings.Contains(printed, "DuckDB") {
		t.Errorf("version printed %q", printed)
	}

	var bill struct {
		BOMFormat, SpecVersion string
		Metadata               struct {
			Component struct{ Name, Version string }
		}
		Components []struct{ Type, Name, Version, PURL string }
	}
	check.OK(t, json.Unmarshal(check.Must(os.ReadFile(filepath.Join(unpacked, "sbom.json")))(t), &bill))
	check.Equal(t, "format", bill.BOMFormat+" "+bill.SpecVersion, "CycloneDX 1.6")
	check.Equal(t, "program", bill.Metadata.Component.Name+" "+bill.Metadata.Component.Version, "github.com/promptuary/promptuary v9.8.7")
	versions := map[string]string{}
	for _, c := range bill.Components {
		versions[c.Name] = c.Version
		if c.Version == "" || !strings.HasPrefix(c.PURL, "pkg:golang/") && !strings.HasPrefix(c.PURL, "pkg:npm/") {
			t.Errorf("incomplete component %+v", c)
		}
	}
	for _, name := range []string{"std", "modernc.org/sqlite", "github.com/duckdb/duckdb-go/v2", "react", "@codemirror/view"} {
		if versions[name] == "" {
			t.Errorf("the bill lacks %s", name)
		}
	}
	if versions["eslint"] != "" {
		t.Error("the bill has a tool that is not part of the program")
	}
}
