package importer_test

import (
	"strings"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/importer"
	"github.com/promptuary/promptuary/internal/importer/source"
)

// everyPart imports all parts.
func everyPart(e *elsewhere) source.Server {
	return source.Server{Address: e.URL, Parts: importer.ServerParts, Conflict: importer.SkipExisting}
}

// TestServer imports everything of a server that fails now and then, on both engines of
// the catalog.
func TestServer(t *testing.T) {
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) {
		w := newServerWorld(t, dsn)
		e := newElsewhere(t)
		e.restless = true
		i := w.planFrom(everyPart(e))
		check.Equal(t, "state", i.State, importer.Checked)
		check.Equal(t, "found", []int64{i.Check.Rows, i.Check.Accepted, i.Check.Ignored}, []int64{69, 68, 1})
		check.Equal(t, "nothing is stored", w.everything(), "0 logs\n")
		w.start(i.ID)
		i = w.settled(i.ID)
		check.Equal(t, "failure", i.Failure, "")
		check.Equal(t, "state", i.State, importer.Done)
		report := w.report(i.ID)
		for _, part := range []string{"unsaved: it has no saved version", "broken: Version 1: ", "does not have it any more"} {
			if !strings.Contains(report, part) {
				t.Errorf("no %q in %s", part, report)
			}
		}
		check.Equal(t, "imported", []int64{i.Run.Rows, i.Run.Accepted, i.Run.Refused, i.Run.Ignored}, []int64{69, 66, 1, 2})
		w.isAll()
		if w.waited < time.Second {
			t.Errorf("it waited %v, but was asked for more", w.waited)
		}
		if _, err := w.catalog.Imports.GetPart(w.ctx, i.ID, importer.KeyContent, 1); !fault.Is(err, fault.NotFound) {
			t.Errorf("the key is still there: %v", err)
		}
	})
}

// TestServerIsResumed loses the process at each of the calls, and after writes of
// request logs. Nothing is imported twice.
func TestServerIsResumed(t *testing.T) {
	t.Parallel()
	w := newServerWorld(t, catalogtest.SQLite(t))
	e := newElsewhere(t)
	i := w.planFrom(everyPart(e))
	lost := make(chan struct{}, 100)
	e.at = func(call int) {
		// A page of request logs takes 26 calls. Some calls later nothing is lost any more, since
		// each process also loses its first write.
		if call <= 30 && call%4 == 0 || call <= 250 && call%31 == 0 {
			select {
			case lost <- struct{}{}:
			default:
			}
		}
	}
	w.start(i.ID)
	for now := i; now.Active() || now.State == importer.Checked; now = check.Must(w.service.Get(w.ctx, w.home, i.ID))(t) {
		select {
		case <-lost:
			w.stop()
			w.beginServers(&shaky{failAt: 1, after: true, err: errLost})
		case <-time.After(5 * time.Millisecond):
		}
	}
	i = w.settled(i.ID)
	check.Equal(t, "state", i.State, importer.Done)
	w.isAll()
}

// TestServerConflicts imports what exists already in each way.
func TestServerConflicts(t *testing.T) {
	t.Parallel()
	w := newServerWorld(t, catalogtest.SQLite(t))
	e := newElsewhere(t)
	e.logs = 0
	from := everyPart(e)
	i := w.planFrom(from)
	w.start(i.ID)
	w.settled(i.ID)
	before := w.everything()

	i = w.planFrom(from)
	check.Equal(t, "skipped", []int64{i.Check.Existing, i.Check.Refused}, []int64{5, 0})
	from.Conflict = importer.RefuseExisting
	i = w.planFrom(from)
	check.Equal(t, "refused", []int64{i.Check.Existing, i.Check.Refused}, []int64{0, 5})
	check.Fault(t, check.Failure(w.service.Start(w.ctx, w.home, i.ID, false, false)), fault.Conflict)
	w.start(i.ID)
	check.Equal(t, "state", w.settled(i.ID).State, importer.Done)
	check.Equal(t, "unchanged", w.everything(), before)

	from.Conflict, e.logs = importer.AddVersions, 10
	i = w.planFrom(from)
	check.Equal(t, "accepted", i.Check.Refused+i.Check.Existing, 0)
	w.start(i.ID)
	check.Equal(t, "state", w.settled(i.ID).State, importer.Done)
	all := w.everything()
	for _, part := range []string{"PROMPT outer/inner/greet 4\n", "  prod 3\n", "WORKFLOW outer/flow 4\n", "DATASET outer/inner/examples 4\n", "10 logs\n"} {
		if !strings.Contains(all, part) {
			t.Errorf("no %q in\n%s", part, all)
		}
	}
}

// TestServerRefuses checks what is wrong with a server before and during an import.
func TestServerRefuses(t *testing.T) {
	t.Parallel()
	w := newServerWorld(t, catalogtest.SQLite(t))
	e := newElsewhere(t)
	good := everyPart(e)
	for name, change := range map[string]func(*source.Server){
		"a path":             func(s *source.Server) { s.Address += "/api" },
		"a private address":  func(s *source.Server) { s.Address = "http://10.0.0.1" },
		"no address":         func(s *source.Server) { s.Address = "" },
		"no parts":           func(s *source.Server) { s.Parts = nil },
		"an unknown part":    func(s *source.Server) { s.Parts = []string{"moods"} },
		"an unknown outcome": func(s *source.Server) { s.Conflict = "guess" },
	} {
		from := good
		change(&from)
		if err := check.Failure(w.service.CreateFromServer(w.ctx, w.home, from, elsewhereKey, nil)); !fault.Is(err, fault.BadRequest) {
			t.Errorf("%s: %v", name, err)
		}
	}
	check.Fault(t, check.Failure(w.service.CreateFromServer(w.ctx, w.home, good, "two words", nil)), fault.BadRequest)
	manager := access.WithCaller(t.Context(), access.Caller{Workspace: w.home, Permissions: access.SetOf(access.ManageData)})
	check.Fault(t, check.Failure(w.service.CreateFromServer(manager, w.home, good, elsewhereKey, nil)), fault.Forbidden)
	check.Fault(t, check.Failure(w.service.Start(manager, w.home, w.planFrom(good).ID, true, false)), fault.Forbidden)

	i := check.Must(w.service.CreateFromServer(w.ctx, w.home, good, "pl_wrong", nil))(t)
	check.Fault(t, check.Failure(w.service.Upload(w.ctx, w.home, i.ID, 1, []byte("x"))), fault.Conflict)
	check.Must(w.service.StartCheck(w.ctx, w.home, i.ID))(t)
	i = w.settled(i.ID)
	check.Equal(t, "failure", i.Failure, "The server refuses the API key: Invalid API key")
	check.Fault(t, check.Failure(w.service.Start(w.ctx, w.home, i.ID, true, false)), fault.Conflict)
	check.OK(t, w.service.Delete(w.ctx, w.home, i.ID))

	e.Close()
	i = w.planFrom(good)
	check.Equal(t, "state", i.State, importer.Uploading)
	check.Equal(t, "failure", i.Failure, `The server does not answer: "127.0.0.1" could not be reached`)
}

// TestServerLeavesNothingHalf refuses objects in the middle: neither an empty dataset
// group nor a prompt without its labels stays. Texts that the catalog does not take end
// nothing.
func TestServerLeavesNothingHalf(t *testing.T) {
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) {
		w := newServerWorld(t, dsn)
		e := newElsewhere(t)
		e.logs = 0
		e.entities = `{"entities":[
{"id":11,"name":"empty","type":"DATASET","folder_id":null,"metadata":{"latest_version_number":1}},
{"id":12,"name":"labelled","type":"PROMPT","folder_id":null,"metadata":{"latest_version_number":1}},
{"id":13,"name":"a\u0000b","type":"PROMPT","folder_id":null,"metadata":{"latest_version_number":1}},
{"id":14,"name":"a\u0000b","type":"FOLDER","folder_id":null},
{"id":15,"name":"gone","type":"PROMPT","folder_id":null,"metadata":{"latest_version_number":1}}
]}`
		i := w.planFrom(everyPart(e))
		check.Equal(t, "state", i.State, importer.Checked)
		check.Equal(t, "found", []int64{i.Check.Rows, i.Check.Accepted, i.Check.Refused}, []int64{5, 4, 1})
		w.start(i.ID)
		i = w.settled(i.ID)
		check.Equal(t, "state", i.State, importer.Done)
		check.Equal(t, "imported", []int64{i.Run.Rows, i.Run.Accepted, i.Run.Refused}, []int64{5, 0, 5})
		check.Equal(t, "nothing is stored", w.everything(), "0 logs\n")
	})
}
