package exporter_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/blob"
	"github.com/promptuary/promptuary/internal/blob/blobtest"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/exporter"
	"github.com/promptuary/promptuary/internal/fault"
)

// shaky opens buckets of a service whose calls can fail.
type shaky struct {
	mu sync.Mutex
	// failAt is the number of the write that fails, 0 for none. If it is negative, all
	// from this number on fail.
	writes, failAt int
	// after says that the write is made although it fails.
	after bool
	err   error
}

var errBroken = errors.New("the connection broke")

func (s *shaky) open(o blob.BucketOptions) (blob.Store, error) {
	o.Tries = 1
	store, err := blob.NewBucket(o)
	return &shakyStore{store, s}, err
}

// set makes a write fail, counted from now on.
func (s *shaky) set(failAt int, after bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.writes, s.failAt, s.after, s.err = 0, failAt, after, err
}

type shakyStore struct {
	blob.Store
	shaky *shaky
}

func (s *shakyStore) Put(ctx context.Context, name string, write func(io.Writer) error) error {
	s.shaky.mu.Lock()
	s.shaky.writes++
	fails, after, failure := s.shaky.failAt < 0 && s.shaky.writes >= -s.shaky.failAt || s.shaky.writes == s.shaky.failAt, s.shaky.after, s.shaky.err
	s.shaky.mu.Unlock()
	if fails && !after {
		return failure
	}
	if err := s.Store.Put(ctx, name, write); err != nil || !fails {
		return err
	}
	return failure
}

// bucket returns an incremental export to a bucket of a service.
func bucket(server *httptest.Server) exporter.Content {
	c := content("s3://shelf/logs")
	c.Endpoint, c.Region, c.Incremental = server.URL, blobtest.Region, true
	return c
}

func open(t *testing.T, server *httptest.Server) blob.Store {
	t.Helper()
	return check.Must(blob.NewBucket(blob.BucketOptions{Endpoint: server.URL, Region: blobtest.Region, Bucket: "shelf", Prefix: "logs/", Credentials: *credentials}))(t)
}

// TestEachLogOnce lets every write of an incremental export fail once, before it is
// made and after, while logs arrive: it ends with each log once, in files that a
// manifest lists.
func TestEachLogOnce(t *testing.T) {
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) {
		w := newWorld(t, dsn)
		server := blobtest.Serve(t, "shelf")
		id := w.create(bucket(server)).ID
		var last int64
		for failAt := range 6 {
			for _, after := range []bool{false, true} {
				for _, err := range []error{errBroken, fault.BadRequestf("it ends the run")} {
					last = w.log(w.home, 4)
					w.log(w.other, 1)
					w.buckets.set(failAt, after, err)
					run := w.run(id)
					if errors.Is(err, errBroken) {
						check.Equal(t, fmt.Sprint("state after failure ", failAt), run.State, exporter.Done)
					}
				}
			}
		}
		w.buckets.set(0, false, nil)
		run := w.run(id)
		check.Equal(t, "state", []any{run.State, run.Failure}, []any{exporter.Done, ""})
		var want []int64
		for i := range last + 1 {
			if i > 0 && i%5 != 0 {
				want = append(want, i)
			}
		}
		check.Equal(t, "ids", ids(t, read(t, open(t, server))), want)
		check.Equal(t, "nothing new", []any{w.run(id).Rows, w.run(id).State}, []any{int64(0), exporter.Done})
	})
}

// TestLostProcess lets a process be lost in the middle of a run, and end its write
// later: another one continues, and each log is there once.
func TestLostProcess(t *testing.T) {
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) {
		w := newWorld(t, dsn)
		server := blobtest.Serve(t, "shelf")
		w.log(w.home, 10)
		reached, goOn := make(chan struct{}), make(chan struct{})
		resume := sync.OnceFunc(func() { close(goOn) })
		t.Cleanup(resume)
		w.options.OpenBucket = func(o blob.BucketOptions) (blob.Store, error) {
			store, err := blob.NewBucket(o)
			return &stuck{Store: store, reached: reached, goOn: goOn}, err
		}
		w.begin()
		id := w.create(bucket(server)).ID
		started := check.Must(w.service.Start(w.ctx, w.home, id, nil))(t)
		<-reached
		check.OK(t, w.catalog.Runs.LeaveJobs(w.ctx)) // its lease has ended
		w.log(w.home, 3)                             // what a new run would have, too
		w.options.OpenBucket = w.buckets.open
		w.begin()
		run := w.ended(id, started.ID)
		check.Equal(t, "state", []any{run.State, run.Rows}, []any{exporter.Done, int64(10)})
		resume()
		check.Equal(t, "the next run", w.run(id).Rows, int64(3))
		check.Equal(t, "ids", ids(t, read(t, open(t, server))), upto(13))
	})
}

// stuck is a store whose third write waits.
type stuck struct {
	blob.Store
	writes  int
	reached chan struct{}
	goOn    chan struct{}
}

func (s *stuck) Put(ctx context.Context, name string, write func(io.Writer) error) error {
	if s.writes++; s.writes == 3 {
		close(s.reached)
		<-s.goOn
	}
	return s.Store.Put(context.WithoutCancel(ctx), name, write)
}

// TestBucketAway stops the service of a bucket: a run is tried again, fails with the
// reason, and the next one has what is missing.
func TestBucketAway(t *testing.T) {
	w := newWorld(t, catalogtest.SQLite(t))
	server := blobtest.Serve(t, "shelf")
	id := w.create(bucket(server)).ID
	w.log(w.home, 2)
	check.Equal(t, "state", w.run(id).State, exporter.Done)
	w.log(w.home, 5)
	address := server.Listener.Addr().String()
	handler := server.Config.Handler
	server.Close()
	run := w.run(id)
	check.Equal(t, "run", []any{run.State, run.Failure, run.Attempts}, []any{exporter.Failed, "The service of the bucket shelf cannot be reached", int64(4)})
	check.Equal(t, "stats", w.service.Stats().Failed, int64(1))
	again := httptest.NewUnstartedServer(handler)
	check.OK(t, again.Listener.Close())
	again.Listener = listen(t, address)
	again.Start()
	t.Cleanup(again.Close)
	check.Equal(t, "rows", w.run(id).Rows, int64(5))
	check.Equal(t, "ids", ids(t, read(t, open(t, again))), upto(7))
}

// TestFullDisk lets writes fail because there is no room: the run is tried again, and
// in the end, nothing is left of one that is not incremental.
func TestFullDisk(t *testing.T) {
	w := newWorld(t, catalogtest.SQLite(t))
	server := blobtest.Serve(t, "shelf")
	c := bucket(server)
	c.Incremental = false
	id := w.create(c).ID
	w.log(w.home, 7)
	w.buckets.set(-3, false, &blob.Error{Reason: blob.Full, Message: "the disk is full"})
	run := w.run(id)
	check.Equal(t, "run", []any{run.State, run.Failure, len(run.Files), run.Attempts}, []any{exporter.Failed, "The disk is full", 2, int64(4)})
	check.Equal(t, "files", len(read(t, open(t, server))), 0)
	w.buckets.set(0, false, nil)
	check.Equal(t, "the next run", w.run(id).Rows, int64(7))
}

// TestCancel cancels a run that waits for another attempt, however long.
func TestCancel(t *testing.T) {
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) {
		w := newWorld(t, dsn)
		w.options.Wait = func(int64) (time.Duration, bool) { return time.Hour, true }
		w.begin()
		server := blobtest.Serve(t, "shelf")
		id := w.create(bucket(server)).ID
		w.log(w.home, 7)
		w.buckets.set(-1, false, errBroken)
		started := check.Must(w.service.Start(w.ctx, w.home, id, nil))(t)
		check.Eventually(t, "a failure", func() bool {
			last := check.Must(w.service.Get(w.ctx, w.home, id))(t).LastRun
			return last.State == exporter.Waiting && last.RetryAt != nil && last.Failure != ""
		})
		check.Fault(t, check.Failure(w.service.Start(w.ctx, w.home, id, nil)), fault.Conflict)
		check.Fault(t, w.service.Delete(w.ctx, w.home, id), fault.Conflict)
		check.Fault(t, check.Failure(w.service.Update(w.ctx, w.home, id, func(c *exporter.Content) { c.Query = `{"q":"x"}` }, nil)), fault.Conflict)
		check.Equal(t, "the name can change", check.Must(w.service.Update(w.ctx, w.home, id, func(c *exporter.Content) { c.Name = "b" }, nil))(t).Name, "b")
		check.Must(w.service.Cancel(w.ctx, w.home, id))(t)
		check.Equal(t, "state", w.ended(id, started.ID).State, exporter.Cancelled)
		check.Must(w.service.Cancel(w.ctx, w.home, id))(t) // has no effect
	})
}
