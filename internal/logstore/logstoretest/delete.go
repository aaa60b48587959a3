package logstoretest

import (
	"fmt"
	"slices"
	"sync"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// Deleting returns a batch that deletes logs.
func Deleting(workspace int64, ids ...int64) reqlog.Batch {
	return reqlog.Batch{Deletions: []reqlog.Deletion{{Workspace: workspace, Logs: ids}}}
}

// DeletingTexts returns a batch that deletes the texts of logs.
func DeletingTexts(workspace int64, ids ...int64) reqlog.Batch {
	return reqlog.Batch{Deletions: []reqlog.Deletion{{Workspace: workspace, Logs: ids, TextsOnly: true}}}
}

// reclaim removes what was deleted from the files.
func (s *suite) reclaim() {
	s.t.Helper()
	last, files := -1.0, int64(0)
	done, err := s.Store.Reclaim(s.ctx, func(part float64, done reqlog.Reclaimed) {
		if part < last || part > 1 || done.Files < files || done.Files > files+1 {
			s.t.Errorf("the progress went from %g to %g, and from %d files to %d", last, part, files, done.Files)
		}
		last, files = part, done.Files
	})
	s.ok(err)
	if last != 1 || files != done.Files {
		s.t.Errorf("the progress ended at %g with %d files of %d", last, files, done.Files)
	}
}

// afterwards calls check at once, and after the files were rewritten and a restart, in
// several combinations.
func (s *suite) afterwards(check func(*suite)) {
	s.t.Helper()
	check(s)
	if !s.Remote {
		s.Store = s.Reopen()
		check(s)
	}
	s.reclaim()
	if !s.Remote {
		check(s)
	}
	s.reclaim()
	s.Store = s.Reopen()
	check(s)
}

// sameAll compares everything that the stores answer.
func (s *suite) sameAll() {
	s.t.Helper()
	last := s.want.LastID()
	if diff := Diff(answersUpTo(s.t, s.want, last), answersUpTo(s.t, s.Store, last)); diff != "" {
		s.t.Errorf("answers differ from the naive store's (-want +got):\n%s", diff)
	}
	lowest := int64(0)
	if n := len(s.want.logs); n > 0 {
		lowest = s.want.logs[n-1].ID
	}
	if got := s.Store.LastID(); got < lowest || got > last {
		s.t.Errorf("the last id is %d, want %d to %d", got, lowest, last)
	}
}

func testDeletions(s *suite) {
	s.append(plain(1, "refund"), plain(2, "refund"), plain(3, "refund"), plain(4, "refund"))
	away := plain(5, "refund")
	away.Workspace = Away
	s.append(away)
	s.annotate(Home, 2, members("user", `"ann"`))
	s.write(Repricing(Home, 1, reqlog.NewPrice{ID: 2, USD: 1}, reqlog.NewPrice{ID: 3, USD: 2}))
	s.write(Deleting(Home, 2, 4, 5, 1<<40)) // the last two are not of this workspace, or nobody's
	s.afterwards(func(s *suite) {
		for id, exists := range map[int64]bool{1: true, 2: false, 3: true, 4: false} {
			_, err := s.Store.Get(s.ctx, Home, id)
			if exists {
				s.ok(err)
				s.ok(s.Store.Exists(s.ctx, Home, id))
				continue
			}
			s.fails(err, fault.NotFound)
			s.fails(s.Store.Exists(s.ctx, Home, id), fault.NotFound)
		}
		found, err := s.Store.Search(s.ctx, query.SearchQuery{Query: home(nil, "refund"), Page: 1, PerPage: 10})
		s.ok(err)
		if found.Total != 2 || len(found.Items) != 2 || len(found.Damaged) != 0 {
			s.t.Errorf("found %d of %d, damaged %v", len(found.Items), found.Total, found.Damaged)
		}
		s.ok(s.Store.Exists(s.ctx, Away, 5))
		s.sameAll()
	})
	// Deleting them again changes nothing, and the store continues.
	s.write(Deleting(Home, 2, 4))
	s.write(reqlog.Batch{Logs: []*reqlog.Log{plain(6, "refund"), plain(7, "refund")}, Deletions: Deleting(Home, 3).Deletions})
	s.annotate(Home, 6, score("default", 4))
	s.afterwards(func(s *suite) { s.sameAll() })
	s.write(Deleting(Home, 1, 6, 7))
	s.write(Deleting(Away, 5))
	s.afterwards(func(s *suite) { s.sameAll() })
	s.append(plain(8, "refund"))
	s.afterwards(func(s *suite) { s.sameAll() })
}

func testDeletedTexts(s *suite) {
	logs := Corpus()[:60]
	s.append(logs...)
	var ids, more []int64
	for i, l := range logs {
		if l.Workspace == Home && i%3 == 0 {
			ids = append(ids, l.ID)
		}
		if l.Workspace == Home && i%7 == 0 {
			more = append(more, l.ID)
		}
	}
	s.annotate(Home, ids[1], members("late", `"before"`))
	s.write(Repricing(Home, 1, reqlog.NewPrice{ID: ids[2], USD: 1.5}))
	s.write(DeletingTexts(Home, ids...))
	s.annotate(Home, ids[0], members("late", `"after"`))
	s.annotate(Home, ids[1], linked(3, 1, `{"name": "Ann"}`, "name"))
	check := func(s *suite) {
		l, err := s.Store.Get(s.ctx, Home, ids[0])
		s.ok(err)
		if !l.TextsDeleted || l.BodySize() > 100 || l.Usage != logs[0].Usage && logs[0].ID == ids[0] {
			s.t.Errorf("the log is %+v", l)
		}
		s.sameAll()
	}
	s.afterwards(check)
	s.write(DeletingTexts(Home, more...))
	s.write(Deleting(Home, ids[3], ids[4]))
	s.afterwards(check)
}

// testDeletedCorpus deletes a part of the corpus with its traces.
func testDeletedCorpus(s *suite) {
	Fill(s.t, s.Store)
	Fill(s.t, s.want)
	var ids, traced []int64
	for i, l := range s.want.in(Home) {
		if i%4 == 0 {
			ids = append(ids, l.ID)
		}
		if l.TraceID != "" && len(traced) < 3 && i%4 != 0 {
			traced = append(traced, l.ID)
		}
	}
	s.write(Deleting(Home, slices.Sorted(slices.Values(append(ids, traced...)))...))
	trace := ""
	for _, span := range s.want.spans {
		if span.Workspace == Home {
			trace = span.TraceID
			break
		}
	}
	if len(traced) == 0 || trace == "" {
		s.t.Fatalf("the corpus has no traces: %v, %q", traced, trace)
	}
	s.write(reqlog.Batch{Deletions: []reqlog.Deletion{{Workspace: Home, Traces: []string{trace, "unknown"}}}})
	s.afterwards(func(s *suite) {
		_, err := s.Store.Trace(s.ctx, query.TraceQuery{Workspace: Home, TraceID: trace, Limit: 10})
		s.fails(err, fault.NotFound)
		s.sameAll()
	})
}

// testDeletionsUnderLoad writes, deletes and reads at once.
func testDeletionsUnderLoad(s *suite) {
	const rounds = 30
	stop := make(chan struct{})
	var readers sync.WaitGroup
	readers.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			found, err := s.Store.Search(s.ctx, query.SearchQuery{Query: home(nil, "refund"), Page: 1, PerPage: 100})
			if err != nil || len(found.Damaged) > 0 {
				s.t.Errorf("a search fails: %v, damaged %v", err, found.Damaged)
				return
			}
			part, err := s.Store.ScanLogs(s.ctx, query.ScanQuery{Query: home(nil, ""), Last: everything, Limit: 1000})
			if err != nil || len(part.Damaged) > 0 {
				s.t.Errorf("a scan fails: %v, damaged %v", err, part.Damaged)
				return
			}
		}
	})
	readers.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			if _, err := s.Store.Reclaim(s.ctx, nil); err != nil {
				s.t.Errorf("reclaim: %v", err)
				return
			}
		}
	})
	for round := range int64(rounds) {
		first := round*4 + 1
		s.append(plain(first, "refund"), plain(first+1, "refund"), plain(first+2, fmt.Sprint("refund ", round)), plain(first+3, "other"))
		s.write(Deleting(Home, first, first+2))
		s.write(DeletingTexts(Home, first+1))
		_, err := s.Store.Get(s.ctx, Home, first)
		s.fails(err, fault.NotFound)
	}
	close(stop)
	readers.Wait()
	s.afterwards(func(s *suite) { s.sameAll() })
}
