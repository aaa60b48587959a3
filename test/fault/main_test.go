// Package fault drives the built program through crashes, power cuts, errors of
// the disk and damaged files, and compares what it serves afterwards with a model
// of what it acknowledged. docs/reliability.md describes the promises.
//
// The faults are chosen by a seed: the same seed chooses the same faults, with
// the same parameters. The moments at which they strike depend on the machine.
//
// The environment variable PROMPTUARY_TEST_PROGRAM names the program; without
// it the tests build it first. `make fault` runs a long campaign.
package fault

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
)

const (
	programEnv = "PROMPTUARY_TEST_PROGRAM"
	// mountsEnv marks a process with its own mount namespace.
	mountsEnv = "FAULT_PRIVATE_MOUNTS"
)

var (
	seed  = flag.Uint64("seed", 1, "seed of the faults")
	kills = flag.Int("kills", 31, "number of faults of a running program on a SQLite catalog; the first 31 are all different")
	pgs   = flag.Int("postgres", 3, "number of faults of a running program on a PostgreSQL catalog")
	pairs = flag.Int("pairs", 2, "number of faults of two servers with one PostgreSQL catalog")
	trios = flag.Int("trios", 2, "number of faults of three servers with one PostgreSQL catalog and request logs in ClickHouse")
	flips = flag.Int("flips", 20, "number of damaged files")
	every = flag.Int("every", 2, "compare what is new after this many faults; at the end everything is compared")
	most  = flag.Int("load", 30, "a fault strikes after from 5 to this many more acknowledged requests")
	from  = flag.Int("from", 0, "first fault")
	limit = flag.Duration("limit", 0, "inject no further fault after this time, 0 for no limit")
	only  = flag.String("only", "", "the only faults to inject, by their names, separated by commas")
)

// wanted reports whether a fault of this name is to be injected.
func wanted(name string) bool {
	return *only == "" || slices.Contains(strings.Split(*only, ","), name)
}

func TestMain(m *testing.M) {
	flag.Parse()
	if os.Geteuid() == 0 && os.Getenv(mountsEnv) == "" {
		os.Exit(runPrivately())
	}
	os.Exit(run(m))
}

// runPrivately runs the tests in their own mount namespace, so that their disks
// disappear with them. Users other than root have no disks.
func runPrivately() int {
	cmd := exec.Command("/proc/self/exe", os.Args[1:]...)
	cmd.Env = append(os.Environ(), mountsEnv+"=1")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS}
	exited, err := startTied(cmd)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	<-exited
	return cmd.ProcessState.ExitCode()
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "promptuary-fault-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(dir) }()
	buildDir = dir
	return m.Run()
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
