// Package demo generates realistic request logs. The same seed always generates
// the same logs, so that demos are reproducible and benchmarks can compare two
// systems on the same data.
package demo

import (
	"math/rand/v2"
	"time"
)

// DefaultSpan is the default of Config.Span.
const DefaultSpan = 30 * 24 * time.Hour

// Config configures a Generator. Equal configurations generate equal logs.
type Config struct {
	Seed uint64
	// Logs is the number of logs spread over Span. A generator can generate
	// more; their times continue after End at the same pace.
	Logs int
	// End is the approximate start time of the last log.
	End time.Time
	// Span is the time between the first and the last log, DefaultSpan if 0.
	Span time.Duration
	// Linked makes logs refer to their prompts, which are those of Templates and
	// must have been published.
	Linked bool
	// Links describes the prompts that linked logs refer to. Without it, logs
	// refer to no version.
	Links map[string]Link
}

// Generator generates request logs, each as the JSON body of POST /log-request.
type Generator struct {
	cfg    Config
	pace   float64 // microseconds between the starts of two logs
	words  *vocabulary
	styles []preparedStyle

	styleDraw, modelDraw, tagDraw []aliasEntry

	next int
}

// New returns a generator that starts with the oldest log.
func New(cfg Config) *Generator {
	if cfg.Span == 0 {
		cfg.Span = DefaultSpan
	}
	g := &Generator{
		cfg:   cfg,
		pace:  float64(cfg.Span.Microseconds()) / float64(max(1, cfg.Logs)),
		words: newVocabulary(cfg.Seed),
	}
	for i := range styles {
		g.styles = append(g.styles, prepare(&styles[i]))
	}
	g.styleDraw = aliasTable(weightsOf(styles, func(s style) float64 { return s.weight }))
	g.modelDraw = aliasTable(weightsOf(models, func(m model) float64 { return m.weight }))
	rank := 0.0
	g.tagDraw = aliasTable(weightsOf(tags, func(string) float64 { rank++; return 1 / rank }))
	return g
}

func weightsOf[T any](of []T, weight func(T) float64) []float64 {
	weights := make([]float64, len(of))
	for i, v := range of {
		weights[i] = weight(v)
	}
	return weights
}

// Next returns the body of the next log in a new slice.
func (g *Generator) Next() []byte {
	body := g.Append(nil, g.next)
	g.next++
	return body
}

// Append appends the body of log i to dst. Log 0 is the oldest. It does not
// affect Next and is safe for concurrent use.
func (g *Generator) Append(dst []byte, i int) []byte {
	d := &draft{Generator: g, out: dst, index: i}
	d.source.Seed(mix(g.cfg.Seed), mix(uint64(i)))
	d.rng = rand.New(&d.source)
	d.setID()
	d.write()
	return d.out
}

// mix hashes a seed, so that neighbouring logs are unrelated.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
