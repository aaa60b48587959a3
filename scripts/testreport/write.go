package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
)

// slowest is how many of the slowest tests are listed.
const slowest = 10

// outcome is a test with the package it belongs to.
type outcome struct {
	pack *pack
	*test
}

func (o outcome) String() string {
	return strings.TrimSuffix(o.pack.name+" "+o.name, " ")
}

// write prints the report and reports whether all tests passed.
func (r *report) write(to io.Writer, ci bool) (good bool, err error) {
	var out strings.Builder
	var outcomes []outcome
	out.Write(r.stray.Bytes())
	for _, name := range slices.Sorted(maps.Keys(r.packages)) {
		p := r.packages[name]
		fmt.Fprintln(&out, p.line())
		for _, t := range p.leaves() {
			outcomes = append(outcomes, outcome{p, t})
		}
	}
	r.writeFailures(&out, outcomes)
	writeSlowest(&out, outcomes)
	counts := map[string]int{}
	for _, o := range outcomes {
		counts[o.result]++
		if o.result == skipped {
			fmt.Fprintf(&out, "skipped: %s\n", o)
		}
	}
	fmt.Fprintf(&out, "%d passed, %d failed, %d skipped\n", counts[passed], counts[failed], counts[skipped])
	_, err = io.WriteString(to, out.String())
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

func (r *report) writeFailures(out *strings.Builder, outcomes []outcome) {
	for _, o := range outcomes {
		if o.result == failed {
			fmt.Fprintf(out, "\n--- failed: %s\n%s", o, r.outputOf(o.pack, o.test))
		}
	}
}

func writeSlowest(out *strings.Builder, outcomes []outcome) {
	sorted := slices.Clone(outcomes)
	slices.SortStableFunc(sorted, func(a, b outcome) int { return cmp.Compare(b.elapsed, a.elapsed) })
	fmt.Fprintln(out, "\nslowest tests:")
	for _, o := range sorted[:min(slowest, len(sorted))] {
		fmt.Fprintf(out, "%8s  %s\n", seconds(o.elapsed), o)
	}
}
