package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"maps"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

// quantity is a measured number.
type quantity struct {
	Value float64 `json:"value"`
	Unit  string  `json:"unit"`
}

func (q quantity) String() string {
	if q.Unit == "" {
		return "–"
	}
	digits := 0
	switch {
	case q.Value < 10:
		digits = 2
	case q.Value < 1000:
		digits = 1
	}
	return fmt.Sprintf("%.*f %s", digits, q.Value, q.Unit)
}

func milliseconds(t time.Duration) quantity {
	return quantity{float64(t) / float64(time.Millisecond), "ms"}
}

func megabytes(bytes int64) quantity { return quantity{float64(bytes) / (1 << 20), "MB"} }

func perSecond(n int, t time.Duration) quantity { return quantity{float64(n) / t.Seconds(), "/s"} }

// result is one line of the table.
type result struct {
	Measure string   `json:"measure"`
	Ours    quantity `json:"ours"`
	Anchor  quantity `json:"anchor"`
	Ratio   float64  `json:"ratio,omitempty"`
	Aim     string   `json:"aim,omitempty"`
	// Met is nil for results without an aim.
	Met *bool `json:"met,omitempty"`
}

type fileSize struct {
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"`
}

// report collects the results of a run.
type report struct {
	Started time.Time `json:"started"`
	Seconds float64   `json:"seconds"`
	Go      string    `json:"go"`
	Cores   int       `json:"cores"`
	Logs    int       `json:"logs"`
	Spans   int       `json:"spans"`
	Clients int       `json:"clients"`
	Engine  string    `json:"engine"`
	// Busy is the load average at the start of the run. If it is much above 0,
	// the results are unreliable.
	Busy      string `json:"load_average"`
	Seed      uint64 `json:"seed"`
	BodyBytes int64  `json:"body_bytes"`
	// Rates are the ingest rates of the parts of the load, in logs per second.
	Rates      []float64  `json:"rates,omitempty"`
	Results    []result   `json:"results"`
	Files      []fileSize `json:"files,omitempty"`
	Mismatches []string   `json:"mismatches"`
}

func newReport(opts options) *report {
	return &report{
		Started: time.Now().UTC().Truncate(time.Second), Go: runtime.Version(), Cores: runtime.NumCPU(),
		Logs: opts.logs, Spans: opts.spans, Clients: opts.clients, Engine: opts.engine, Seed: opts.seed, Mismatches: []string{}, Busy: loadAverage(),
	}
}

// loadAverage returns the load average of the last minute, or "".
func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return ""
	}
	average, _, _ := strings.Cut(string(text), " ")
	return average
}

// embeddedAims are the beginnings of the names of measures whose aims are those of the
// embedded store: ClickHouse is another process, and made for more than one machine.
var embeddedAims = []string{"ingest, p99", "ingest, longest", "ingest, 32 clients", "dashboard", "suggestions", "one log by id", "mixed"}

func (r *report) add(line result) {
	if r.Engine == clickHouse && slices.ContainsFunc(embeddedAims, func(begin string) bool { return strings.HasPrefix(line.Measure, begin) }) &&
		!strings.Contains(line.Measure, "against inserts") {
		line.Aim, line.Met = "", nil
	}
	r.Results = append(r.Results, line)
	log.Printf("       %s", strings.Join(line.cells(), "  "))
}

// atLeast records a measure that should reach a fraction of its anchor.
func (r *report) atLeast(measure string, ours, anchor quantity, share float64) {
	r.compare(measure, ours, anchor, fmt.Sprintf("≥ %.2f×", share), func(ratio float64) bool { return ratio >= share })
}

// atMost records a measure that should stay within a multiple of its anchor.
func (r *report) atMost(measure string, ours, anchor quantity, factor float64) {
	r.compare(measure, ours, anchor, fmt.Sprintf("≤ %.1f×", factor), func(ratio float64) bool { return ratio <= factor })
}

func (r *report) compare(measure string, ours, anchor quantity, aim string, met func(float64) bool) {
	line := result{Measure: measure, Ours: ours, Anchor: anchor, Aim: aim}
	if ours.Unit != "" && anchor.Value > 0 {
		line.Ratio = ours.Value / anchor.Value
		if met != nil {
			ok := met(line.Ratio)
			line.Met = &ok
		}
	}
	r.add(line)
}

// below records a measure with a fixed upper limit, in the unit of the measure.
func (r *report) below(measure string, ours quantity, limit float64) {
	ok := ours.Value <= limit
	r.add(result{Measure: measure, Ours: ours, Aim: fmt.Sprintf("≤ %g %s", limit, ours.Unit), Met: &ok})
}

// above records a measure with a fixed lower limit.
func (r *report) above(measure string, ours quantity, least float64) {
	ok := ours.Value >= least
	r.add(result{Measure: measure, Ours: ours, Aim: fmt.Sprintf("≥ %g %s", least, ours.Unit), Met: &ok})
}

// info records a measure without an aim.
func (r *report) info(measure string, ours quantity) { r.add(result{Measure: measure, Ours: ours}) }

// same records two results that must be equal.
func (r *report) same(what string, ours, anchor any) {
	if ours == anchor {
		return
	}
	text := fmt.Sprintf("%s: %v instead of %v", what, ours, anchor)
	r.Mismatches = append(r.Mismatches, text)
	log.Printf("MISMATCH  %s", text)
}

func (line result) cells() []string {
	ratio, met := "–", ""
	if line.Ratio > 0 {
		ratio = fmt.Sprintf("%.2f×", line.Ratio)
	}
	if line.Met != nil {
		met = map[bool]string{true: "yes", false: "NO"}[*line.Met]
	}
	return []string{line.Measure, line.Ours.String(), line.Anchor.String(), ratio, line.Aim, met}
}

// print writes the table and the conditions of the run.
func (r *report) print(w io.Writer) {
	rows := [][]string{{"measure", "ours", "anchor", "ratio", "aim", "met?"}}
	for _, line := range r.Results {
		rows = append(rows, line.cells())
	}
	printTable(w, rows)
	fmt.Fprintf(w, "\n%d logs, %d spans, %d cores, %d clients, %s, seed %d, %.0f MB of bodies, %.0f s, load average before %s\n",
		r.Logs, r.Spans, r.Cores, r.Clients, r.Go, r.Seed, float64(r.BodyBytes)/(1<<20), r.Seconds, r.Busy)
	if len(r.Rates) > 0 {
		fmt.Fprintf(w, "ingest per tenth of the load, logs/s: %.0f\n", r.Rates)
	}
	for _, file := range r.Files {
		fmt.Fprintf(w, "%10.1f MB  %s\n", float64(file.Bytes)/(1<<20), file.Name)
	}
	for _, text := range r.Mismatches {
		fmt.Fprintf(w, "MISMATCH  %s\n", text)
	}
}

func printTable(w io.Writer, rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], len([]rune(cell)))
		}
	}
	for n, row := range rows {
		for i, cell := range row {
			fmt.Fprintf(w, "| %s%s ", cell, strings.Repeat(" ", widths[i]-len([]rune(cell))))
		}
		fmt.Fprintln(w, "|")
		if n == 0 {
			for _, width := range widths {
				fmt.Fprintf(w, "|%s", strings.Repeat("-", width+2))
			}
			fmt.Fprintln(w, "|")
		}
	}
}

func (r *report) write(path string) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("encode the report: %w", err)
	}
	return os.WriteFile(path, append(text, '\n'), 0o644)
}

// sameFacts compares two sets of named numbers, up to rounding.
func (r *report) sameFacts(what string, ours, anchor facts) {
	names := make(map[string]bool, len(anchor))
	for name := range ours {
		names[name] = true
	}
	for name := range anchor {
		names[name] = true
	}
	wrong := 0
	for _, name := range slices.Sorted(maps.Keys(names)) {
		got, has := ours[name]
		want, wanted := anchor[name]
		if has == wanted && math.Abs(got-want) <= 1e-6*math.Max(1e-3, math.Abs(want)) {
			continue
		}
		if wrong++; wrong <= 10 {
			r.same(what+", "+name, got, want)
		}
	}
	r.same(what+", numbers that differ", wrong, 0)
}
