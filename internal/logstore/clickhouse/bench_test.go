package clickhouse

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/demo"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/test/clickhouse/clickhousetest"
)

// demoLogs returns a function that returns the next logs of the generator.
func demoLogs(b *testing.B) func(n int) []*reqlog.Log {
	b.Helper()
	generator := demo.New(demo.Config{Seed: 1, Logs: 100_000, End: time.Now()})
	id := int64(0)
	return func(n int) (logs []*reqlog.Log) {
		for range n {
			tree, err := jsontree.Parse(generator.Next())
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
			in.Log.ID, in.Log.Workspace, in.Log.CreatedAt = id, 1, reqlog.At(time.Now())
			logs = append(logs, in.Log)
		}
		return logs
	}
}

// openBench opens a store on a server of its own, which waits for the disk.
func openBench(b *testing.B) *Store {
	b.Helper()
	server, err := clickhousetest.Launch("-durable")
	if err != nil {
		b.Fatal(err)
	}
	if _, err := clickhousetest.Query(server.Address, "CREATE DATABASE bench"); err != nil {
		b.Fatal(err)
	}
	s, err := Open(b.Context(), server.Address+"/bench", Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := errors.Join(s.Close(), server.Stop()); err != nil {
			b.Error(err)
		}
	})
	return s
}

// BenchmarkWrite measures commits of one log, of as many as 32 clients send at
// once, and of a busy server's.
func BenchmarkWrite(b *testing.B) {
	for _, n := range []int{1, 32, 300} {
		b.Run(fmt.Sprintf("%d logs", n), func(b *testing.B) {
			s, next := openBench(b), demoLogs(b)
			for b.Loop() {
				b.StopTimer()
				logs := next(n)
				b.StartTimer()
				if err := s.Write(b.Context(), reqlog.Batch{Logs: logs}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkGet measures reading one log of 20,000 by its id.
func BenchmarkGet(b *testing.B) {
	s, next := openBench(b), demoLogs(b)
	for range 20 {
		if err := s.Write(b.Context(), reqlog.Batch{Logs: next(1000)}); err != nil {
			b.Fatal(err)
		}
	}
	for id := int64(0); b.Loop(); id++ {
		if _, err := s.Get(b.Context(), 1, id*7919%20_000+1); err != nil {
			b.Fatal(err)
		}
	}
}
