package deletion_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/catalog/pgtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/deletion"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/job"
	"github.com/promptuary/promptuary/internal/logstore/embedded"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

var errLost = errors.New("the process is lost")

// shaky fails one call that deletes, before or after it is made.
type shaky struct {
	*requests.Service
	mu     sync.Mutex
	calls  int
	failAt int // the number of the call that fails, 0 for none
	after  bool
	failed chan struct{}
}

func (s *shaky) fails() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls++
	return s.calls == s.failAt
}

func (s *shaky) interrupt(call func() error) error {
	fails := s.fails()
	if fails && !s.after {
		close(s.failed)
		return errLost
	}
	if err := call(); err != nil || !fails {
		return err
	}
	close(s.failed)
	return errLost
}

func (s *shaky) Delete(ctx context.Context, d reqlog.Deletion) error {
	return s.interrupt(func() error { return s.Service.Delete(ctx, d) })
}

func (s *shaky) Reclaim(ctx context.Context, progress reqlog.ReclaimProgress) (done reqlog.Reclaimed, err error) {
	err = s.interrupt(func() error { done, err = s.Service.Reclaim(ctx, progress); return err })
	return done, err
}

// world is a workspace with logs, and a process that deletes them.
type world struct {
	t           testing.TB
	ctx         context.Context
	catalog     *catalog.Catalog
	logs        *requests.Service
	home, other int64
	clock       *check.Clock
	service     *deletion.Service
	jobs        *job.Runner
}

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func newWorld(t testing.TB, dsn string) *world {
	t.Helper()
	w := &world{t: t, ctx: access.AsSystem(t.Context()), catalog: catalogtest.Open(t, dsn), clock: check.NewClock(noon)}
	w.home = check.Must(w.catalog.Accounts.CreateWorkspace(w.ctx, "home"))(t).ID
	w.other = check.Must(w.catalog.Accounts.CreateWorkspace(w.ctx, "other"))(t).ID
	store := check.Must(embedded.Open(w.ctx, filepath.Join(t.TempDir(), "logs"), embedded.Options{MemoryMB: 128, Threads: 1, MinFreeMB: -1}))(t)
	t.Cleanup(func() { check.OK(t, store.Close()) })
	w.logs = requests.NewService(requests.Options{Store: store, Groups: w.catalog.Groups, Sequence: w.catalog.Sequences})
	t.Cleanup(func() { check.OK(t, w.logs.Drain(context.Background())) })
	return w
}

// begin starts a process that deletes few logs at once.
func (w *world) begin(logs *shaky) {
	w.t.Helper()
	logs.Service, logs.failed = w.logs, make(chan struct{})
	w.run(logs)
}

// run starts a process with this store of logs.
func (w *world) run(logs deletion.Logs) {
	w.t.Helper()
	w.jobs = job.NewRunner(job.Options{Store: w.catalog.Runs, Owner: time.Now().String(), Alone: true, LookEvery: 5 * time.Millisecond})
	w.service = deletion.NewService(deletion.Options{Jobs: w.jobs, Store: w.catalog.Deletions, Retention: w.catalog.Deletions, Logs: logs, Clock: w.clock.Now})
	w.service.SetParts(3)
	check.OK(w.t, w.jobs.Start(w.ctx, map[job.Kind]job.Worker{deletion.Kind: w.service}))
	w.t.Cleanup(w.stop)
}

func (w *world) stop() { w.jobs.Stop(context.Background()) }

// log writes a log of a user that began some days before noon.
func (w *world) log(workspace int64, user, status string, days int, tags ...string) int64 {
	w.t.Helper()
	start := noon.AddDate(0, 0, -days)
	l := &reqlog.Log{
		Provider: "house", Engine: "a", Status: status, Start: reqlog.At(start), End: reqlog.At(start.Add(time.Second)), Tags: tags,
		Input: []byte(`{"type":"completion","content":[{"type":"text","text":"hello"}]}`), Output: []byte(`{"type":"completion","content":[]}`),
		Notes: reqlog.Notes{Metadata: []reqlog.Member{{Key: "user_id", Value: fmt.Appendf(nil, "%q", user)}}},
	}
	return check.Must(w.logs.Log(w.ctx, workspace, &reqlog.LogInput{Log: l}))(w.t).ID
}

// left returns which of the logs are there, and which have no texts.
func (w *world) left(workspace int64, ids ...int64) (marks string) {
	w.t.Helper()
	for _, id := range ids {
		l, err := w.logs.Get(w.ctx, workspace, id)
		switch {
		case fault.Is(err, fault.NotFound):
			marks += "-"
		case err != nil:
			w.t.Fatal(err)
		case l.TextsDeleted:
			marks += "t"
		case len(l.Metadata) == 0:
			marks += "m"
		default:
			marks += "+"
		}
	}
	return marks
}

// auditNames returns the names of what the audit log of the workspace is about.
func (w *world) auditNames() (names string) {
	w.t.Helper()
	for _, entry := range check.Must(w.catalog.Accounts.ListAudit(w.ctx, audit.Query{WorkspaceID: &w.home, Limit: 100}))(w.t) {
		names += entry.Subject.Name + "\n"
	}
	return names
}

func (w *world) start(in deletion.Input) deletion.Deletion {
	w.t.Helper()
	return check.Must(w.service.Start(w.ctx, w.home, in, new("ann@x.test")))(w.t)
}

// ended waits for the end of a deletion.
func (w *world) ended(id int64) (d deletion.Deletion) {
	w.t.Helper()
	check.Eventually(w.t, "the end of the deletion", func() bool {
		d = check.Must(w.service.Get(w.ctx, w.home, id))(w.t)
		return !d.Active()
	})
	return d
}

func digestOf(ids ...int64) string {
	digest := sha256.New()
	for _, id := range ids {
		fmt.Fprintf(digest, "%d\n", id)
	}
	return hex.EncodeToString(digest.Sum(nil))
}

func TestDeletions(t *testing.T) {
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) {
		w := newWorld(t, dsn)
		var ids []int64
		for i := range 8 {
			ids = append(ids, w.log(w.home, fmt.Sprint("user", i%2), reqlog.StatusSuccess, i))
		}
		foreign := w.log(w.other, "user0", reqlog.StatusSuccess, 1)
		w.begin(&shaky{})
		byUser := deletion.Input{User: "user0"}
		check.Equal(t, "preview", check.Must(w.service.Preview(w.ctx, w.home, byUser))(t), deletion.Preview{Logs: 4})
		d := w.ended(w.start(byUser).ID)
		check.Equal(t, "state", d.State, deletion.Done)
		check.Equal(t, "logs", []int64{d.Logs, d.FirstID, d.LastID, d.Total}, []int64{4, ids[0], ids[6], 4})
		check.Equal(t, "digest", check.Must(d.IDsDigest())(t), digestOf(ids[0], ids[2], ids[4], ids[6]))
		check.Equal(t, "left", w.left(w.home, ids...), "-+-+-+-+")
		check.Equal(t, "others", w.left(w.other, foreign), "+")
		if d.Reclaimed.Files == 0 || d.Part() != 1 || d.EndedAt == nil {
			t.Errorf("the certificate is %+v", d)
		}
		d = w.ended(w.start(deletion.Input{IDs: []int64{ids[3], ids[1], foreign, 1 << 40}, TextsOnly: true}).ID)
		check.Equal(t, "texts", d.Logs, 2)
		check.Equal(t, "left", w.left(w.home, ids...), "-t-t-+-+")
		check.Equal(t, "others", w.left(w.other, foreign), "+")
		both := deletion.Input{User: "user1", IDs: []int64{ids[5], foreign}, Query: `{"filters":[{"field":"engine","operator":"is","value":"b"}]}`}
		check.Equal(t, "all conditions hold", check.Must(w.service.Preview(w.ctx, w.home, both))(t), deletion.Preview{})
		_, err := w.service.Start(w.ctx, w.home, deletion.Input{All: true, Expected: new(int64(3))}, nil)
		check.Equal(t, "more than expected", fault.Is(err, fault.Conflict), true)
		d = w.ended(w.start(deletion.Input{All: true, Expected: new(int64(4))}).ID)
		check.Equal(t, "left", w.left(w.home, ids...), "--------")
		check.Equal(t, "others", w.left(w.other, foreign), "+")
		list, total, err := w.service.List(w.ctx, w.home, 0, 10)
		check.OK(t, err)
		check.Equal(t, "list", []int64{int64(len(list)), total, list[0].ID}, []int64{3, 3, d.ID})
	})
}

func TestInvalidDeletions(t *testing.T) {
	t.Parallel()
	w := newWorld(t, catalogtest.SQLite(t))
	w.begin(&shaky{})
	id := w.log(w.home, "ann", reqlog.StatusSuccess, 1)
	for name, in := range map[string]deletion.Input{
		"nothing": {}, "an empty query": {Query: "{}"}, "no JSON": {Query: "{"},
		"a key and a score": {MetadataKey: "a", ScoreName: "b"}, "a key and texts": {MetadataKey: "a", TextsOnly: true}, "traces that go anyway": {All: true, WithTraces: true},
		"a long key": {MetadataKey: strings.Repeat("k", 1001)}, "a long name": {ScoreName: strings.Repeat("k", 1001)},
		"an unknown field": {Query: `{"filter_group":{"filters":[{"field":"x","operator":"is","value":"y"}]}}`}, "many ids": {IDs: make([]int64, deletion.MaxIDs+1)},
	} {
		if _, err := w.service.Start(w.ctx, w.home, in, nil); !fault.Is(err, fault.Invalid) && !fault.Is(err, fault.BadRequest) {
			t.Errorf("%s: %v", name, err)
		}
	}
	check.Equal(t, "left", w.left(w.home, id), "+")
}

// TestLostProcess loses the process before and after each call. The next process
// completes the work, and every log is counted once.
func TestLostProcess(t *testing.T) {
	t.Parallel()
	for want, in := range map[string]deletion.Input{
		"----------": {User: "ann"}, "tttttttttt": {User: "ann", TextsOnly: true}, "mmmmmmmmmm": {MetadataKey: "user_id"},
	} {
		for failAt := 1; failAt <= 5; failAt++ { // four parts, and the files
			for _, after := range []bool{false, true} {
				t.Run(fmt.Sprint(want, failAt, after), func(t *testing.T) {
					t.Parallel()
					w := newWorld(t, catalogtest.SQLite(t))
					var ids []int64
					for range 10 {
						ids = append(ids, w.log(w.home, "ann", reqlog.StatusSuccess, 1))
					}
					first := &shaky{failAt: failAt, after: after}
					w.begin(first)
					id := w.start(in).ID
					<-first.failed
					w.stop()
					w.begin(&shaky{})
					d := w.ended(id)
					check.Equal(t, "state", d.State, deletion.Done)
					check.Equal(t, "logs", d.Logs, 10)
					check.Equal(t, "digest", check.Must(d.IDsDigest())(t), digestOf(ids...))
					check.Equal(t, "left", w.left(w.home, ids...), want)
				})
			}
		}
	}
}

func TestRetention(t *testing.T) {
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) {
		w := newWorld(t, dsn)
		w.begin(&shaky{})
		ids := []int64{
			w.log(w.home, "a", reqlog.StatusError, 100), w.log(w.home, "a", reqlog.StatusError, 80), w.log(w.home, "a", reqlog.StatusSuccess, 40),
			w.log(w.home, "a", reqlog.StatusSuccess, 20), w.log(w.home, "a", reqlog.StatusSuccess, 400, "keep"), w.log(w.home, "a", reqlog.StatusSuccess, 1),
		}
		foreign := w.log(w.other, "a", reqlog.StatusSuccess, 500)
		rules := deletion.Rules{Rules: []deletion.Rule{{Tag: "keep"}, {Status: reqlog.StatusError, Days: 90}}, Days: 30, TextDays: 10}
		preview := check.Must(w.service.PreviewRetention(w.ctx, w.home, rules))(t)
		check.Equal(t, "preview", fmt.Sprint(preview), "{[0 1] 1 5}")
		check.Must(w.service.SetRetention(w.ctx, w.home, rules, nil))(t)
		follow := func(want string) {
			t.Helper()
			check.OK(t, w.service.FollowDue(w.ctx))
			check.Eventually(t, "the end of the deletions", func() bool {
				list, _, err := w.service.List(w.ctx, w.home, 0, 100)
				check.OK(t, err)
				for _, d := range list {
					if d.Active() {
						return false
					}
				}
				return true
			})
			check.Equal(t, "left", w.left(w.home, ids...), want)
		}
		follow("++++++") // it is not due yet
		w.clock.Advance(11 * time.Minute)
		follow("-t-tt+")
		check.Equal(t, "others", w.left(w.other, foreign), "+")
		ids = append(ids, w.log(w.home, "a", reqlog.StatusSuccess, 15)) // it arrives late
		w.clock.Advance(10 * 24 * time.Hour)
		follow("----ttt")
		_, before, err := w.service.List(w.ctx, w.home, 0, 1)
		check.OK(t, err)
		w.clock.Advance(25 * time.Hour)
		follow("----ttt")
		_, after, err := w.service.List(w.ctx, w.home, 0, 1)
		check.OK(t, err)
		check.Equal(t, "deletions of nothing", after-before, int64(0))
		check.Must(w.service.SetRetention(w.ctx, w.home, deletion.Rules{}, nil))(t)
		w.clock.Advance(1000 * 24 * time.Hour)
		follow("----ttt")
	})
}

func TestInvalidRules(t *testing.T) {
	t.Parallel()
	w := newWorld(t, catalogtest.SQLite(t))
	w.begin(&shaky{})
	for name, rules := range map[string]deletion.Rules{
		"no condition": {Rules: []deletion.Rule{{Days: 1}}}, "a status": {Rules: []deletion.Rule{{Status: "BAD"}}}, "days": {Days: -1}, "many": {Rules: make([]deletion.Rule, 21)},
	} {
		if _, err := w.service.SetRetention(w.ctx, w.home, rules, nil); !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
