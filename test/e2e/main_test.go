// Package e2e tests the built program over HTTP, on the command line, with the
// official client, in a browser, and through crashes.
//
// The environment variable PROMPTUARY_TEST_PROGRAM names the program; without
// it the tests build it first.
package e2e

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
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
	// So that go test repeats a cached result only if the scripts are unchanged too.
	if _, err := os.ReadDir("."); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if err := runMore(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return pgtest.Main(m)
}

// runMore runs three times as many tests at once as by default, unless -parallel is
// given: they spend most of their time waiting for programs and pages.
func runMore() error {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.parallel" })
	if given {
		return nil
	}
	return flag.Set("test.parallel", strconv.Itoa(3*runtime.GOMAXPROCS(0)))
}

// buildDir is where the program is built if none is given.
var buildDir string

var builtProgram = sync.OnceValues(func() (string, error) {
	if path := os.Getenv(programEnv); path != "" {
		if !filepath.IsAbs(path) {
			return "", errors.New(programEnv + " must be an absolute path")
		}
		_, err := os.Stat(path) // go test repeats a cached result unless the program has changed
		return path, err
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
