package deletion_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/deletion"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
)

// TestRemovals deletes a metadata key and a score of logs, which stay.
func TestRemovals(t *testing.T) {
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) {
		w := newWorld(t, dsn)
		var ids []int64
		for i := range 8 {
			ids = append(ids, w.log(w.home, fmt.Sprint("user", i%2), reqlog.StatusSuccess, i))
			check.OK(t, w.logs.TrackScore(w.ctx, w.home, ids[i], reqlog.Score{Name: "tone", Value: int64(i)}))
		}
		foreign := w.log(w.other, "user0", reqlog.StatusSuccess, 1)
		w.begin(&shaky{})
		some := deletion.Input{MetadataKey: "user_id", User: "user0", IDs: []int64{ids[0], ids[1], ids[2]}}
		check.Equal(t, "preview", check.Must(w.service.Preview(w.ctx, w.home, some))(t), deletion.Preview{Logs: 2})
		d := w.ended(w.start(some).ID)
		check.Equal(t, "state", d.State, deletion.Done)
		check.Equal(t, "digest", check.Must(d.IDsDigest())(t), digestOf(ids[0], ids[2]))
		check.Equal(t, "left", w.left(w.home, ids...), "m+m+++++")
		all := deletion.Input{MetadataKey: "user_id"}
		check.Equal(t, "preview of the rest", check.Must(w.service.Preview(w.ctx, w.home, all))(t), deletion.Preview{Logs: 6})
		_, err := w.service.Start(w.ctx, w.home, deletion.Input{MetadataKey: "user_id", Expected: new(int64(5))}, nil)
		check.Equal(t, "more than expected", fault.Is(err, fault.Conflict), true)
		d = w.ended(w.start(all).ID)
		check.Equal(t, "logs", []int64{d.Logs, d.FirstID, d.LastID, d.Total}, []int64{6, ids[1], ids[7], 6})
		check.Equal(t, "left", w.left(w.home, ids...), "mmmmmmmm")
		check.Equal(t, "others", w.left(w.other, foreign), "+")
		d = w.ended(w.start(deletion.Input{ScoreName: "tone", Query: `{"filters":[{"field":"scores","nested_key":"tone","operator":"gt","value":3}]}`}).ID)
		check.Equal(t, "scores", d.Logs, 4)
		for i, id := range ids {
			l := check.Must(w.logs.Get(w.ctx, w.home, id))(t)
			check.Equal(t, fmt.Sprint("scores of log ", i), len(l.Scores), map[bool]int{true: 1, false: 0}[i <= 3])
		}
		entries := w.auditNames()
		for _, want := range []string{" of the metadata key user_id", " of the score tone"} {
			if !strings.Contains(entries, want) {
				t.Errorf("the audit log has no entry of a deletion%s: %s", want, entries)
			}
		}
	})
}

// slow is a store of logs that has reclaimed two files and then does not go on.
type slow struct {
	*requests.Service
	files  int64
	saved  func() int64
	seen   chan int64
	blocks bool
}

func (s *slow) Reclaim(ctx context.Context, progress reqlog.ReclaimProgress) (reqlog.Reclaimed, error) {
	for n := int64(1); n <= s.files; n++ {
		progress(0.1*float64(n), reqlog.Reclaimed{Files: n, BytesBefore: 10 * n, BytesAfter: n})
	}
	s.seen <- s.saved()
	if s.blocks {
		<-ctx.Done()
	}
	return reqlog.Reclaimed{Files: s.files, BytesBefore: 10 * s.files, BytesAfter: s.files}, ctx.Err()
}

// TestLostWhileReclaiming loses the process when it has reclaimed two files of three.
// The certificate has all of them.
func TestLostWhileReclaiming(t *testing.T) {
	t.Parallel()
	w := newWorld(t, catalogtest.SQLite(t))
	w.log(w.home, "ann", reqlog.StatusSuccess, 1)
	saved := func() int64 {
		list, _, err := w.service.List(w.ctx, w.home, 0, 1)
		check.OK(t, err)
		return list[0].Reclaimed.Files
	}
	first := &slow{Service: w.logs, files: 2, saved: saved, seen: make(chan int64, 1), blocks: true}
	w.run(first)
	id := w.start(deletion.Input{User: "ann"}).ID
	check.Equal(t, "files that are stored", <-first.seen, 2)
	now, interrupt := context.WithCancel(context.Background())
	interrupt()
	w.jobs.Stop(now)
	w.run(&slow{Service: w.logs, files: 1, saved: saved, seen: make(chan int64, 1)})
	d := w.ended(id)
	check.Equal(t, "reclaimed", d.Reclaimed, reqlog.Reclaimed{Files: 3, BytesBefore: 30, BytesAfter: 3})
}
