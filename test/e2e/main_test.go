// Package e2e tests the built program over HTTP, on the command line, with the
// official client, in a browser, and through crashes.
//
// The environment variable PROMPTUARY_TEST_PROGRAM names the program; without
// it the tests build it first.
package e2e

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/promptuary/promptuary/internal/catalog/pgtest"
)

// programEnv names the program under test.
const programEnv = "PROMPTUARY_TEST_PROGRAM"

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "promptuary-e2e-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(dir) }()
	buildDir = dir
	return pgtest.Main(m)
}

// buildDir is where the program is built if none is given.
var buildDir string

var builtProgram = sync.OnceValues(func() (string, error) {
	if path := os.Getenv(programEnv); path != "" {
		if !filepath.IsAbs(path) {
			return "", errors.New(programEnv + " must be an absolute path")
		}
		return path, nil
	}
	path := filepath.Join(buildDir, "promptuary")
	output, err := exec.Command("go", "build", "-o", path, "github.com/promptuary/promptuary/cmd/promptuary").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build the program: %w\n%s", err, output)
	}
	return path, nil
})

func programPath(t *testing.T) string {
	t.Helper()
	path, err := builtProgram()
	if err != nil {
		t.Fatal(err)
	}
	return path
}
