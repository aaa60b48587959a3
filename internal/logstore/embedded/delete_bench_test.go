package embedded

import (
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/logstore/logstoretest"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// wordy returns a log with about 2 KB of text.
func wordy(id int64, random *rand.Rand) *reqlog.Log {
	l := confidential(id)
	text := make([]byte, 0, 2048)
	for len(text) < 2000 {
		text = fmt.Appendf(text, "word%d ", int(random.ExpFloat64()*500))
	}
	l.Input = fmt.Appendf(nil, `{"type":"chat","messages":[{"role":"user","content":[{"type":"text","text":"hello %s"}]}]}`, text)
	reqlog.Derive(l)
	return l
}

// sizeOf returns the size of the files of a folder.
func sizeOf(b *testing.B, dir string) (sum int64) {
	check.OK(b, filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		sum += info.Size()
		return err
	}))
	return sum
}

// BenchmarkDelete deletes a tenth of 100,000 logs while others are written and
// searched for.
func BenchmarkDelete(b *testing.B) {
	const logs = 100_000
	ctx := context.Background()
	for b.Loop() {
		dir := b.TempDir()
		s := check.Must(Open(ctx, dir, Options{MinFreeMB: -1, JournalFileBytes: 32 << 20}))(b)
		random := rand.New(rand.NewPCG(1, 2))
		for first := int64(1); first <= logs; first += 500 {
			var batch reqlog.Batch
			for id := first; id < first+500; id++ {
				batch.Logs = append(batch.Logs, wordy(id, random))
			}
			check.OK(b, s.Write(ctx, batch))
		}
		check.OK(b, s.Close())
		before := sizeOf(b, dir)
		s = check.Must(Open(ctx, dir, Options{MinFreeMB: -1, JournalFileBytes: 32 << 20}))(b)

		stop := make(chan struct{})
		var others sync.WaitGroup
		var writes, searches []time.Duration
		loop := func(times *[]time.Duration, call func()) {
			others.Go(func() {
				for {
					select {
					case <-stop:
						return
					case <-time.After(10 * time.Millisecond):
					}
					began := time.Now()
					call()
					*times = append(*times, time.Since(began))
				}
			})
		}
		next := int64(logs)
		writing := rand.New(rand.NewPCG(3, 4))
		var turn sync.Mutex // writes are not concurrent
		loop(&writes, func() {
			turn.Lock()
			defer turn.Unlock()
			next++
			check.OK(b, s.Write(ctx, reqlog.Batch{Logs: []*reqlog.Log{wordy(next, writing)}}))
		})
		loop(&searches, func() { check.Must(s.Search(ctx, homeQuery("word7 hello")))(b) })
		began := time.Now()
		for first := int64(1); first <= logs; first += 50_000 {
			turn.Lock()
			check.OK(b, s.Write(ctx, logstoretest.Deleting(logstoretest.Home, ids(first, first+49_999, 10)...)))
			turn.Unlock()
		}
		hidden := time.Since(began)
		check.Must(s.Reclaim(ctx, nil))(b)
		whole := time.Since(began)
		close(stop)
		others.Wait()
		check.OK(b, s.Close())
		after := sizeOf(b, dir)
		slices.Sort(writes)
		slices.Sort(searches)
		b.ReportMetric(hidden.Seconds(), "s-hidden")
		b.ReportMetric(whole.Seconds(), "s-reclaimed")
		b.ReportMetric(float64(before)/1e6, "MB-before")
		b.ReportMetric(float64(after)/1e6, "MB-after")
		b.ReportMetric(float64(writes[len(writes)*99/100].Milliseconds()), "ms-write-p99")
		b.ReportMetric(float64(writes[len(writes)-1].Milliseconds()), "ms-write-max")
		b.ReportMetric(float64(searches[len(searches)*99/100].Milliseconds()), "ms-search-p99")
		b.ReportMetric(float64(searches[len(searches)-1].Milliseconds()), "ms-search-max")
		b.ReportMetric(float64(len(writes)), "writes")
		b.ReportMetric(float64(len(searches)), "searches")
	}
}
