package eval_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/eval"
)

// tenColumns returns columns that need no external service.
func tenColumns(l *lab) []eval.NewColumn {
	return []eval.NewColumn{
		l.column("COUNT", "words", `{"source": "text", "type": "words"}`),
		l.column("COUNT", "chars", `{"source": "text", "type": "chars"}`),
		l.column("CONTAINS", "has", `{"source": "text", "value": "ROW"}`),
		l.column("REGEX", "matches", `{"source": "text", "regex_pattern": "row [0-9]+"}`),
		l.column("REGEX_EXTRACTION", "extracted", `{"source": "text", "regex_pattern": "[0-9]+"}`),
		l.column("COMPARE", "same", `{"sources": ["text", "n"]}`),
		l.column("MATH_OPERATOR", "large", `{"sources": ["n"], "operator": "ge", "value": 100}`),
		l.column("ABSOLUTE_NUMERIC_DISTANCE", "distance", `{"sources": ["n", "words"]}`),
		l.column("COMBINE_COLUMNS", "combined", `{"sources": ["n", "words", "large"]}`),
		l.column("JSON_PATH", "path", `{"source": "combined", "json_path": "$.words"}`),
	}
}

// BenchmarkRun measures an evaluation of 50,000 rows and ten columns from start
// to score.
func BenchmarkRun(b *testing.B) {
	const rows = 50_000
	l := newLab(b, catalogtest.SQLite(b))
	p := l.process("one", nil, true)
	of := p.evaluation(l.dataset("d", numbers(rows)), tenColumns(l)...)
	var before, after runtime.MemStats
	for b.Loop() {
		runtime.ReadMemStats(&before)
		began := time.Now()
		run := p.start(of)
		peak := uint64(0)
		found := p.await(run.ID, func(run *eval.Run) bool {
			runtime.ReadMemStats(&after)
			peak = max(peak, after.HeapInuse)
			time.Sleep(20 * time.Millisecond) // keep polling out of the measurement
			return ended(run)
		})
		took := time.Since(began)
		if found.Run.Counts.Completed != rows*10 {
			b.Fatalf("counts are %+v", found.Run.Counts)
		}
		b.ReportMetric(rows*10/took.Seconds(), "cells/s")
		b.ReportMetric(float64(peak)/(1<<20), "peak-MiB")
	}
}
