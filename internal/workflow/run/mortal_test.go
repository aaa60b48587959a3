package run_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/catalog/runs"
	"github.com/promptuary/promptuary/internal/job"
	"github.com/promptuary/promptuary/internal/step"
	"github.com/promptuary/promptuary/internal/workflow/run"
)

// life ends after a number of operations with an external effect; a zero life
// does not end by itself.
type life struct {
	mu    sync.Mutex
	after int
	// late means that the last operation takes effect, but returns an error.
	late bool
	dead bool
}

// end ends the life immediately.
func (l *life) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.dead = true
}

func (l *life) over() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.dead
}

// counts runs an operation with an external effect.
func (l *life) counts(operation func() error) error {
	takesPlace, last := l.next()
	if !takesPlace {
		return errDead
	}
	if err := operation(); err != nil || !last {
		return err
	}
	return errDead
}

func (l *life) next() (takesPlace, last bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.dead {
		return false, false
	}
	if l.after == 0 {
		return true, false
	}
	l.after--
	l.dead = l.after == 0
	return !l.dead || l.late, l.dead
}

// reads runs an operation without an external effect.
func (l *life) reads(operation func() error) error {
	if l.over() {
		return errDead
	}
	return operation()
}

// mortal is the catalog of a process that dies: after that, nothing that it
// does has an effect.
type mortal struct {
	*runs.Store
	life *life
}

func (m mortal) InTx(ctx context.Context, fn func(ctx context.Context) error) error {
	return m.life.counts(func() error { return m.Store.InTx(ctx, fn) })
}

func (m mortal) OpenJobs(ctx context.Context, without []int64, limit int) (jobs []job.Job, err error) {
	return jobs, m.life.reads(func() error {
		jobs, err = m.Store.OpenJobs(ctx, without, limit)
		return err
	})
}

func (m mortal) TakeJob(ctx context.Context, id int64, lease job.Lease) (one job.Job, taken bool, err error) {
	err = m.life.counts(func() (err error) {
		one, taken, err = m.Store.TakeJob(ctx, id, lease)
		return err
	})
	return one, taken, err
}

func (m mortal) ExtendJobs(ctx context.Context, lease job.Lease) (held []job.Job, err error) {
	err = m.life.reads(func() (err error) {
		held, err = m.Store.ExtendJobs(ctx, lease)
		return err
	})
	return held, err
}

func (m mortal) LeaveJob(ctx context.Context, held job.Job, delay time.Duration) error {
	return m.life.reads(func() error { return m.Store.LeaveJob(ctx, held, delay) })
}

func (m mortal) GetRun(ctx context.Context, workspace, id int64) (one run.Run, err error) {
	err = m.life.reads(func() (err error) {
		one, err = m.Store.GetRun(ctx, workspace, id)
		return err
	})
	return one, err
}

// mortalHTTP is the HTTP client of such a process.
type mortalHTTP struct {
	http step.HTTP
	life *life
}

func (m mortalHTTP) Post(ctx context.Context, request step.HTTPRequest) (reply *step.HTTPReply, err error) {
	err = m.life.counts(func() (err error) {
		reply, err = m.http.Post(ctx, request)
		return err
	})
	if err != nil && reply != nil {
		_ = reply.Body.Close() // the process is dead
	}
	return reply, err
}

// world is an external server that counts requests.
type world struct {
	*httptest.Server
	begun chan string
	// release unblocks waiting requests.
	release chan struct{}
	mu      sync.Mutex
	calls   map[string]int
}

// newWorld returns a server that answers /x with "x" and counts it. Below
// /wait/ it blocks until released, below /fail/ it answers with status 500, and
// below /flaky/ so only the first time.
func newWorld(t testing.TB) *world {
	w := &world{begun: make(chan string, 1000), release: make(chan struct{}), calls: map[string]int{}}
	w.Server = httptest.NewServer(http.HandlerFunc(w.serve))
	t.Cleanup(w.Close)
	return w
}

func (w *world) serve(answer http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body) // otherwise the server does not notice a disconnect
	w.mu.Lock()
	w.calls[r.URL.Path]++
	first := w.calls[r.URL.Path] == 1
	w.mu.Unlock()
	switch {
	case strings.HasPrefix(r.URL.Path, "/wait/"):
		w.begun <- r.URL.Path
		select {
		case <-w.release:
		case <-r.Context().Done():
		}
	case strings.HasPrefix(r.URL.Path, "/fail/"), first && strings.HasPrefix(r.URL.Path, "/flaky/"):
		http.Error(answer, "no", http.StatusInternalServerError)
		return
	}
	_, _ = fmt.Fprintf(answer, "%q", r.URL.Path)
}

func (w *world) called(path string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.calls[path]
}

// endpoint returns a node that calls the server.
func (w *world) endpoint(name, path string, dependencies ...string) string {
	return fmt.Sprintf(`{"name":%q,"node_type":"ENDPOINT","configuration":{"url":%q},"dependencies":[%s],"is_output_node":true}`,
		name, w.URL+path, quoted(dependencies))
}

func quoted(names []string) string {
	var list []string
	for _, name := range names {
		list = append(list, fmt.Sprintf("%q", name))
	}
	return strings.Join(list, ",")
}
