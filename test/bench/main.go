// Command bench compares the built program with the plain engines it uses, in
// the same run and on the same data: the speed of ingest, search and analytics,
// and the use of memory and disk. It prints a table and writes it as JSON. A
// missed aim is not a failure; a wrong result or an error is.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/promptuary/promptuary/internal/demo"
)

// options are the parsed flags.
type options struct {
	program     string
	engine      string
	logs        int
	spans       int
	clients     int
	seed        uint64
	dir         string
	keep        bool
	out         string
	anchorsOnly bool
	alone       bool
	soak        time.Duration
	only        string
}

func main() {
	log.SetFlags(log.Ltime)
	if address := os.Getenv(anchorAddressEnv); address != "" {
		if err := serveAnchor(address, os.Getenv(anchorFileEnv)); err != nil {
			log.Fatal(err)
		}
		return
	}
	if os.Getenv(floodEnv) != "" {
		if err := sendFlood(); err != nil {
			log.Fatal(err)
		}
		return
	}
	opts := parseFlags()
	if err := run(opts); err != nil {
		log.Fatal(err)
	}
}

func parseFlags() options {
	var opts options
	flag.StringVar(&opts.program, "program", "bin/promptuary", "the built program")
	flag.StringVar(&opts.engine, "logs", cmp.Or(os.Getenv("LOGS"), duckDB), "where the program keeps request logs: duckdb or clickhouse (environment: LOGS)")
	flag.IntVar(&opts.logs, "n", fromEnvironment("N", 200_000), "number of logs to load (environment: N)")
	flag.IntVar(&opts.spans, "spans", fromEnvironment("SPANS", 1_000_000), "number of spans to load (environment: SPANS)")
	flag.IntVar(&opts.clients, "clients", 32, "number of concurrent connections")
	flag.Uint64Var(&opts.seed, "seed", 1, "seed of the generated logs")
	flag.StringVar(&opts.dir, "dir", "", "parent of the data folder (default: the folder for temporary files)")
	flag.BoolVar(&opts.keep, "keep", false, "keep the data afterwards")
	flag.StringVar(&opts.out, "out", "", "file for the results as JSON")
	flag.BoolVar(&opts.anchorsOnly, "anchors-only", false, "measure only the plain engines")
	flag.BoolVar(&opts.alone, "alone", false, "measure only the program, for numbers of logs that the plain engines take too long to load")
	flag.DurationVar(&opts.soak, "soak", 0, "load the logs, then send 1,000 per second and search for this long, such as 30m, and measure nothing else")
	flag.StringVar(&opts.only, "only", "", "measure only these stages, separated by commas, such as prompts, or ingest,export")
	flag.Parse()
	return opts
}

// fromEnvironment returns the number in an environment variable, or another one
// without it.
func fromEnvironment(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return otherwise
}

// The engines of request logs.
const (
	duckDB     = "duckdb"
	clickHouse = "clickhouse"
)

// bench is the state of a run.
type bench struct {
	options
	gen    *demo.Generator
	report *report
	start  time.Time

	server *server
	// metrics is the address of the metrics of the first server.
	metrics string
	http    *httpAnchor
	duck    *duckAnchor
	fts     *ftsAnchor
	house   *houseAnchor // nil unless the request logs are in ClickHouse

	// anchorIngest is the ingest of the plain HTTP server.
	anchorIngest *loaded
	// ids[i] is the request ID of log i.
	ids []int64
	// bodyBytes is the size of all acknowledged bodies.
	bodyBytes int64
	// prompts are the IDs of the templates of the logs, by name.
	prompts map[string]int64
	// next is the index of the next log of the generator.
	next int
	// small, search and text are times for later comparisons.
	small        smallRun
	search, text []time.Duration
	// rate is the ingest rate of the program in logs per second.
	rate float64
}

// extraLogs is the number of logs that the measurements after the load may
// send.
func (b *bench) extraLogs() int { return b.logs/2 + 20_000 }

func run(opts options) (err error) {
	if opts.engine != duckDB && opts.engine != clickHouse {
		return fmt.Errorf("no engine of request logs is called %q", opts.engine)
	}
	if opts.logs < 1000 {
		return errors.New("at least 1000 logs are needed")
	}
	if opts.spans < minSpans {
		return fmt.Errorf("at least %d spans are needed", minSpans)
	}
	if opts.dir, err = os.MkdirTemp(opts.dir, "promptuary-bench-"); err != nil {
		return fmt.Errorf("make a data folder: %w", err)
	}
	if opts.keep {
		log.Printf("data is kept in %s", opts.dir)
	} else {
		defer func() { err = errors.Join(err, os.RemoveAll(opts.dir)) }()
	}
	b := &bench{options: opts, start: time.Now(), report: newReport(opts)}
	b.gen = demo.New(demo.Config{Seed: opts.seed, Logs: opts.logs, End: b.report.Started, Linked: true})
	defer func() { err = errors.Join(err, b.close()) }()
	return errors.Join(b.measure(), b.publish())
}

// publish prints the results, even if a later stage failed.
func (b *bench) publish() error {
	b.report.Seconds = time.Since(b.start).Seconds()
	b.report.print(os.Stdout)
	if b.out != "" {
		if err := b.report.write(b.out); err != nil {
			return err
		}
	}
	if n := len(b.report.Mismatches); n > 0 {
		return fmt.Errorf("%d answers differ", n)
	}
	return nil
}

// stage is a part of a run.
type stage struct {
	name    string
	ours    bool // needs the program
	local   bool // does not depend on where request logs are, or needs them in the data folder
	measure func() error
}

// stages returns the stages in order. Those that add logs come after those that
// compare results, because the plain engines have exactly the loaded logs.
func (b *bench) stages() []stage {
	if b.soak > 0 {
		return []stage{
			{"start", true, false, b.startServer},
			{"load", true, false, b.loadAlone},
			{"soak", true, false, b.measureSoak},
			{"stop and restart", true, false, b.measureRestart},
		}
	}
	if b.alone {
		return []stage{
			{"start", true, false, b.startServer},
			{"load", true, false, b.loadAlone},
			{"reads", true, false, b.measureAlone},
			{"dashboard", true, false, b.measureDashboard},
			{"stop and restart", true, false, b.measureRestart},
		}
	}
	return []stage{
		{"plain HTTP server", false, false, b.startHTTPAnchor},
		{"start", true, false, b.startServer},
		{"ingest", true, false, b.measureIngest},
		{"loading the plain engines", false, false, b.loadAnchors},
		{"search", false, false, b.measureSearch},
		{"free text", false, false, b.measureText},
		{"analytics", false, false, b.measureAnalytics},
		{"export", true, true, b.measureExport},
		{"dashboard", true, false, b.measureDashboard},
		{"suggestions", true, false, b.measureSuggestions},
		{"one log by id", true, false, b.measurePoint},
		{"prompts", true, true, b.measurePrompts},
		{"workflows", true, true, b.measureWorkflows},
		{"evaluations", true, true, b.measureEvaluations},
		{"traces", true, true, b.measureTraces},
		{"batches of logs", true, true, b.measureBatches},
		{"redaction", false, true, b.measureRedaction},
		{"one client", true, false, b.measureOneClient},
		{"many clients", true, false, b.measureManyClients},
		{"everything at once", true, false, b.measureMixed},
		{"noisy neighbours", true, true, b.measureNeighbours},
		{"stop and restart", true, false, b.measureRestart},
		{"web app", true, true, b.measureWebApp},
	}
}

// measure runs the stages that the options ask for.
func (b *bench) measure() error {
	only := strings.FieldsFunc(b.only, func(r rune) bool { return r == ',' })
	for _, stage := range b.stages() {
		needed := stage.name == "plain HTTP server" || stage.name == "start"
		if stage.local && b.engine == clickHouse || stage.ours && b.anchorsOnly || len(only) > 0 && !slices.Contains(only, stage.name) && !needed {
			continue
		}
		b.progress("%s", stage.name)
		if err := stage.measure(); err != nil {
			return fmt.Errorf("%s: %w", stage.name, err)
		}
	}
	return nil
}

// close closes the remaining processes and databases.
func (b *bench) close() error {
	var errs []error
	if b.server != nil {
		errs = append(errs, b.server.stop())
	}
	if b.http != nil {
		errs = append(errs, b.http.stop())
	}
	if b.duck != nil {
		errs = append(errs, b.duck.close())
	}
	if b.fts != nil {
		errs = append(errs, b.fts.close())
	}
	if b.house != nil {
		errs = append(errs, b.house.close())
	}
	return errors.Join(errs...)
}

func (b *bench) path(name string) string { return filepath.Join(b.dir, name) }

func (b *bench) progress(format string, args ...any) {
	log.Printf("%4.0fs  "+format, append([]any{time.Since(b.start).Seconds()}, args...)...)
}
