package embedded

import (
	"context"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/demo"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// BenchmarkAppend measures the whole way of logs in batches of 32: decoded,
// derived, durable, and applied to the table and the text index.
func BenchmarkAppend(b *testing.B) {
	ctx := context.Background()
	s, err := Open(ctx, b.TempDir(), Options{})
	if err != nil {
		b.Fatal(err)
	}
	generator := demo.New(demo.Config{Seed: 1, Logs: 100_000, End: time.Unix(1_700_000_000, 0)})
	bodies := make([][]byte, 10_000)
	for i := range bodies {
		bodies[i] = generator.Next()
	}
	id := int64(0)
	b.ResetTimer()
	for b.Loop() {
		var logs []*reqlog.Log
		for range 32 {
			tree, err := jsontree.Parse(bodies[int(id)%len(bodies)])
			if err != nil {
				b.Fatal(err)
			}
			var problems fault.Problems
			in := reqlog.DecodeLog(tree, nil, &problems)
			if err := problems.Err(); err != nil {
				b.Fatal(err)
			}
			in.Derive()
			id++
			in.Log.ID, in.Log.Workspace = id, 1
			logs = append(logs, in.Log)
		}
		if err := s.Write(ctx, reqlog.Batch{Logs: logs}); err != nil {
			b.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(id), "µs/log")
}
