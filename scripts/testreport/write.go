package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
)

// slowest is how many of the slowest tests are listed.
const slowest = 10

// longest is how many of the packages that took longest are listed.
const longest = 25

// outcome is a test with the package it belongs to.
type outcome struct {
	pack *pack
	*test
}

func (o outcome) String() string {
	return strings.TrimSuffix(o.pack.name+" "+o.name, " ")
}

// progress writes what an event ends: a package, or a test that failed although
// none of its subtests did.
func (r *report) progress(p *pack, t *test, e event) {
	var out strings.Builder
	if e.Action == failed && !p.subtestFailed(t) {
		r.writeFailure(&out, outcome{p, t})
	}
	if t == &p.whole && e.Action == t.result {
		r.ended++
		fmt.Fprintf(&out, "%s %s\n", r.position(e.Time), p.line())
	}
	_, _ = io.WriteString(r.to, out.String()) // write reports an error of the output
}

// position returns how many packages have ended, of all, and the time until now.
func (r *report) position(now time.Time) string {
	of := ""
	if r.expected > 0 {
		of = fmt.Sprintf("/%d", r.expected)
	}
	return fmt.Sprintf("[%d%s %s]", r.ended, of, now.Sub(r.begun).Round(time.Second))
}

// write writes the end of the report and returns whether all tests passed.
func (r *report) write(ci bool) (good bool, err error) {
	var out strings.Builder
	var outcomes []outcome
	out.Write(r.stray.Bytes())
	for _, name := range slices.Sorted(maps.Keys(r.packages)) {
		p := r.packages[name]
		for _, t := range p.leaves() {
			outcomes = append(outcomes, outcome{p, t})
		}
	}
	for _, o := range outcomes {
		if o.result == failed {
			r.writeFailure(&out, o)
		}
	}
	r.writeLongest(&out)
	writeSlowest(&out, outcomes)
	counts := map[string]int{}
	for _, o := range outcomes {
		counts[o.result]++
		if o.result == skipped {
			fmt.Fprintf(&out, "skipped: %s\n", o)
		}
	}
	fmt.Fprintf(&out, "%d passed, %d failed, %d skipped\n", counts[passed], counts[failed], counts[skipped])
	_, err = io.WriteString(r.to, out.String())
	good = counts[failed] == 0 && counts[passed] > 0 && (counts[skipped] == 0 || !ci)
	return good, err
}

// line is the package in one line.
func (p *pack) line() string {
	switch {
	case p.whole.result == failed:
		return fmt.Sprintf("FAIL  %s  %s", p.name, seconds(p.whole.elapsed))
	case len(p.tests) == 0:
		return "-     " + p.name + "  no tests"
	}
	return fmt.Sprintf("ok    %s  %s", p.name, seconds(p.whole.elapsed))
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.2fs", d.Seconds()) }

func (r *report) writeFailure(out *strings.Builder, o outcome) {
	fmt.Fprintf(out, "\n--- failed: %s\n%s--- repeat: %s\n\n", o, r.outputOf(o.pack, o.test), r.repeat(o))
}

// repeat returns the command that runs a test again.
func (r *report) repeat(o outcome) string {
	words := []string{"go test -count=1"}
	if r.options != "" {
		words = append(words, r.options)
	}
	if o.name != "" {
		var parts []string
		for part := range strings.SplitSeq(o.name, "/") {
			parts = append(parts, "^"+regexp.QuoteMeta(part)+"$")
		}
		words = append(words, "-run '"+strings.ReplaceAll(strings.Join(parts, "/"), "'", `'\''`)+"'")
	}
	return strings.Join(append(words, o.pack.name), " ")
}

// writeLongest lists the packages that took longest. Packages run side by side,
// so that the times add up to more than the run takes.
func (r *report) writeLongest(out *strings.Builder) {
	packages := slices.SortedStableFunc(maps.Values(r.packages), func(a, b *pack) int {
		return cmp.Or(cmp.Compare(b.whole.elapsed, a.whole.elapsed), cmp.Compare(a.name, b.name))
	})
	fmt.Fprintln(out, "longest packages:")
	for _, p := range packages[:min(longest, len(packages))] {
		fmt.Fprintf(out, "%8s  %s\n", seconds(p.whole.elapsed), p.name)
	}
}

func writeSlowest(out *strings.Builder, outcomes []outcome) {
	sorted := slices.Clone(outcomes)
	slices.SortStableFunc(sorted, func(a, b outcome) int { return cmp.Compare(b.elapsed, a.elapsed) })
	fmt.Fprintln(out, "slowest tests:")
	for _, o := range sorted[:min(slowest, len(sorted))] {
		fmt.Fprintf(out, "%8s  %s\n", seconds(o.elapsed), o)
	}
}
