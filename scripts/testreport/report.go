package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
)

// event is a line of go test -json; see go doc test2json.
type event struct {
	Time        time.Time
	Action      string
	Package     string
	ImportPath  string // of a build's output
	Test        string
	Elapsed     float64
	Output      string
	FailedBuild string
}

// The results of tests and packages.
const (
	passed  = "pass"
	failed  = "fail"
	skipped = "skip"
)

type test struct {
	name    string // "" for the package itself
	result  string // "" while there is none
	elapsed time.Duration
	output  bytes.Buffer
}

type pack struct {
	name  string
	whole test
	build string // dependency that failed to build
	tests map[string]*test
}

// report is everything that was read, and where it is written.
type report struct {
	to       io.Writer
	expected int    // number of packages, 0 if unknown
	options  string // flags of go test
	begun    time.Time
	ended    int // packages
	packages map[string]*pack
	builds   map[string]*bytes.Buffer
	stray    bytes.Buffer // lines that are not events
}

func newReport(to io.Writer, expected int, options string) *report {
	return &report{to: to, expected: expected, options: options, packages: map[string]*pack{}, builds: map[string]*bytes.Buffer{}}
}

// read reads all events and writes the progress.
func (r *report) read(from io.Reader) error {
	lines := bufio.NewReader(from)
	for {
		line, err := lines.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			r.add(line)
		}
		if err == io.EOF {
			r.close()
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (r *report) add(line []byte) {
	var e event
	if json.Unmarshal(line, &e) != nil {
		r.stray.Write(line)
		return
	}
	if e.Package == "" {
		if r.builds[e.ImportPath] == nil {
			r.builds[e.ImportPath] = &bytes.Buffer{}
		}
		r.builds[e.ImportPath].WriteString(e.Output)
		return
	}
	p := r.packages[e.Package]
	if p == nil {
		p = &pack{name: e.Package, tests: map[string]*test{}}
		r.packages[e.Package] = p
	}
	if r.begun.IsZero() {
		r.begun = e.Time
	}
	r.progress(p, p.add(e), e)
}

// add notes an event and returns the test that it belongs to.
func (p *pack) add(e event) *test {
	t := &p.whole
	if e.Test != "" {
		if t = p.tests[e.Test]; t == nil {
			t = &test{name: e.Test}
			p.tests[e.Test] = t
		}
	}
	switch e.Action {
	case "output":
		t.output.WriteString(e.Output)
	case passed, failed, skipped:
		t.result, t.elapsed = e.Action, time.Duration(e.Elapsed*float64(time.Second))
		p.build = e.FailedBuild
	}
	return t
}

// close marks everything without a result as failed, because it was
// interrupted.
func (r *report) close() {
	for _, p := range r.packages {
		if p.whole.result == "" {
			p.whole.result = failed
		}
		for _, t := range p.tests {
			if t.result == "" {
				t.result = failed
			}
		}
	}
}

// subtestFailed reports whether one of the subtests of a test failed, until now, or a
// test if it is the package.
func (p *pack) subtestFailed(t *test) bool {
	for name, other := range p.tests {
		if other.result == failed && other != t && (t == &p.whole || strings.HasPrefix(name, t.name+"/")) {
			return true
		}
	}
	return false
}

// leaves returns tests by name: those without subtests, and those that failed
// although none of their subtests did.
func (p *pack) leaves() []*test {
	parents, blamed := map[string]bool{}, map[string]bool{}
	for name, t := range p.tests {
		for at, c := range name {
			if c == '/' {
				parents[name[:at]] = true
				blamed[name[:at]] = blamed[name[:at]] || t.result == failed
			}
		}
	}
	var leaves []*test
	for _, name := range slices.Sorted(maps.Keys(p.tests)) {
		t := p.tests[name]
		if !parents[name] || t.result == failed && !blamed[name] {
			leaves = append(leaves, t)
		}
	}
	// A package can fail without a test: it does not build, or it panics.
	if p.whole.result == failed && !slices.ContainsFunc(leaves, func(t *test) bool { return t.result == failed }) {
		leaves = append(leaves, &p.whole)
	}
	return leaves
}

// outputOf returns the output of a failed test, its parents and its subtests.
// The output of the package is part of a failure of the package.
func (r *report) outputOf(p *pack, t *test) string {
	var out strings.Builder
	if t == &p.whole {
		if build := r.builds[p.build]; build != nil {
			out.Write(build.Bytes())
		}
		out.Write(t.output.Bytes())
		return out.String()
	}
	for _, name := range slices.Sorted(maps.Keys(p.tests)) {
		if name == t.name || strings.HasPrefix(t.name, name+"/") || strings.HasPrefix(name, t.name+"/") {
			out.Write(p.tests[name].output.Bytes())
		}
	}
	return out.String()
}
