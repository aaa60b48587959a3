package prompt_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/registry"
)

// seen is the visible state of the template "watched".
type seen struct {
	Missing     bool
	Number      int64
	Text        string
	Tags        []string
	ExternalIDs int
	Snippets    []prompt.Snippet
}

// look reads the template in both ways, which must agree.
func (r *suite) look(version registry.Selector) seen {
	r.t.Helper()
	got, err := r.Get(r.ctx, r.workspace, "watched", version)
	run, runErr := r.Prepare(r.ctx, r.workspace, "watched", prompt.Request{Version: version})
	if fault.Is(err, fault.NotFound) && fault.Is(runErr, fault.NotFound) {
		return seen{Missing: true}
	}
	if err != nil || runErr != nil {
		r.t.Fatalf("Get: %v, Prepare: %v", err, runErr)
	}
	s := newSeen(got)
	check.Equal(r.t, "Prepare against Get", newSeen(run.Template), s)
	return s
}

func newSeen(t *prompt.Template) seen {
	return seen{
		Number: t.Version.Number, Text: texts(t.Expanded)[0], Tags: t.Entity.Tags,
		ExternalIDs: len(t.ExternalIDs), Snippets: t.Snippets,
	}
}

// changes are made to a template "watched" that has two versions, with the
// label prod on the first, and uses the snippet "part".
var changes = []struct {
	name    string
	version registry.Selector
	do      func(r *suite, watched entity.Entity)
	want    func(s *seen)
}{
	{
		name: "publish", do: func(r *suite, _ entity.Entity) { r.publish("watched", completion("third")) },
		want: func(s *seen) { s.Number, s.Text, s.Snippets = 3, "third", nil },
	},
	{
		name: "patch", do: func(r *suite, _ entity.Entity) {
			check.Must(r.Patch(r.ctx, r.workspace, "watched", prompt.Patch{}))(r.t)
		},
		want: func(s *seen) { s.Number = 3 },
	},
	{
		name: "label moved by a publication", version: registry.Selector{Label: "prod"},
		do:   func(r *suite, _ entity.Entity) { r.publish("watched", completion("third"), "prod") },
		want: func(s *seen) { s.Number, s.Text = 3, "third" },
	},
	{
		name: "label moved", version: registry.Selector{Label: "prod"},
		do: func(r *suite, watched entity.Entity) {
			label := check.Must(r.catalog.Entities.FindLabel(r.ctx, r.workspace, watched.ID, "prod"))(r.t)
			check.Must(r.labels.MoveByID(r.ctx, r.workspace, entity.KindPrompt, label.ID, registry.Pointer{Number: 2}))(r.t)
		},
		want: func(s *seen) {
			s.Number, s.Text, s.Snippets = 2, "second one", []prompt.Snippet{{Name: "part", Version: 1}}
		},
	},
	{
		name: "label created", version: registry.Selector{Label: "new"},
		do: func(r *suite, watched entity.Entity) {
			check.Must(r.labels.Create(r.ctx, r.owner(watched.ID), "new", registry.Pointer{Number: 1}))(r.t)
		},
		want: func(s *seen) { *s = seen{Number: 1, Text: "first", Tags: []string{}} },
	},
	{
		name: "label deleted", version: registry.Selector{Label: "prod"},
		do: func(r *suite, watched entity.Entity) {
			label := check.Must(r.catalog.Entities.FindLabel(r.ctx, r.workspace, watched.ID, "prod"))(r.t)
			if err := r.labels.DeleteByID(r.ctx, r.workspace, entity.KindPrompt, label.ID); err != nil {
				r.t.Fatal(err)
			}
		},
		want: func(s *seen) { *s = seen{Missing: true} },
	},
	{
		name: "tags", do: func(r *suite, watched entity.Entity) {
			check.Must(r.catalog.Entities.SetTags(r.ctx, r.workspace, watched.ID, []string{"hot"}))(r.t)
		},
		want: func(s *seen) { s.Tags = []string{"hot"} },
	},
	{
		name: "attach", do: func(r *suite, watched entity.Entity) {
			r.attach(watched.ID, entity.ExternalRef{Source: "crm", ID: "1"})
		},
		want: func(s *seen) { s.ExternalIDs = 1 },
	},
	{
		name: "new version of a snippet", do: func(r *suite, _ entity.Entity) { r.publish("part", completion("two")) },
		want: func(s *seen) { s.Text, s.Snippets = "second two", []prompt.Snippet{{Name: "part", Version: 2}} },
	},
	{
		name: "snippet deleted", do: func(r *suite, _ entity.Entity) {
			r.remove(check.Must(r.catalog.Entities.FindEntityByName(r.ctx, r.workspace, entity.KindPrompt, "part"))(r.t).ID)
		},
		want: func(s *seen) { s.Text, s.Snippets = "second @@@part@@@", nil },
	},
	{
		name: "delete", do: func(r *suite, watched entity.Entity) { r.remove(watched.ID) },
		want: func(s *seen) { *s = seen{Missing: true} },
	},
	{
		name: "delete and publish again", do: func(r *suite, watched entity.Entity) {
			r.remove(watched.ID)
			r.publish("watched", completion("again"))
		},
		want: func(s *seen) { *s = seen{Number: 1, Text: "again", Tags: []string{}} },
	},
}

// watch creates the template for a change and returns it.
func (r *suite) watch() entity.Entity {
	r.t.Helper()
	r.publish("part", completion("one"))
	r.publish("watched", completion("first"), "prod")
	return r.publish("watched", completion("second @@@part@@@")).Entity
}

func testSeenImmediately(t *testing.T, reader, writer *suite) {
	watched := reader.watch()
	for _, test := range changes {
		t.Run(test.name, func(t *testing.T) {
			before := reader.look(test.version)
			check.Equal(t, "second read", reader.look(test.version), before)
			test.do(writer, watched)
			test.want(&before)
			check.Equal(t, "read after the change", reader.look(test.version), before)
			for _, e := range reader.contents().Entities {
				if e.DeletedAt == nil {
					writer.remove(e.ID)
				}
			}
			watched = reader.watch()
		})
	}
}

func TestChangesAreSeenImmediately(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) { testSeenImmediately(t, r, r) })
}

func TestChangesOfOtherProcessesAreSeenImmediately(t *testing.T) {
	t.Parallel()
	r := newSuite(t, catalogtest.PostgreSQL(t))
	testSeenImmediately(t, r, r.again())
}

// progress is the acknowledged progress of writers.
type progress struct {
	version, label, tag, attached atomic.Int64
}

// raise increases a mark to value unless it is already higher.
func raise(mark *atomic.Int64, value int64) {
	for {
		present := mark.Load()
		if present >= value || mark.CompareAndSwap(present, value) {
			return
		}
	}
}

// TestReadsAreNeverOlderThanAcknowledged runs writers and readers concurrently.
// Each mark only grows, so that a reader knows the minimum it must find.
func TestReadsAreNeverOlderThanAcknowledged(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		writers := []*suite{r, r}
		readers := []*suite{r, r}
		if r.dsn[:8] == "postgres" {
			second := r.again()
			writers[1], readers[1] = second, second
		}
		first := r.publish("moving", completion("0"), "prod")
		label := check.Must(r.catalog.Entities.FindLabel(r.ctx, r.workspace, first.Entity.ID, "prod"))(t)
		var done progress
		done.version.Store(1)
		done.label.Store(1)
		ctx, stop := context.WithCancel(access.AsSystem(t.Context()))
		defer stop()
		var reading sync.WaitGroup
		for i := range 4 {
			reading.Go(func() {
				for ctx.Err() == nil {
					if text := done.check(ctx, readers[i%2], int64(i)); text != "" && ctx.Err() == nil {
						t.Error(text)
						return
					}
				}
			})
		}
		for i, err := range check.Together(4, func(i int) error { return done.write(writers[i%2], i, first.Entity.ID, label.ID) }) {
			if err != nil {
				t.Errorf("writer %d: %v", i, err)
			}
		}
		stop()
		reading.Wait()
	})
}

const writes = 25

// write makes changes of one kind, in its own order.
func (p *progress) write(r *suite, sort int, prompts, label int64) error {
	for n := int64(1); n <= writes; n++ {
		var err error
		switch sort {
		case 0:
			var record *prompt.Record
			record, err = r.Publish(r.ctx, r.workspace, prompt.Publication{Name: "moving", Content: completion(fmt.Sprint(n))})
			if err == nil {
				raise(&p.version, record.Version.Number)
			}
		case 1:
			latest := p.version.Load()
			_, err = r.labels.MoveByID(r.ctx, r.workspace, entity.KindPrompt, label, registry.Pointer{Number: latest})
			raise(&p.label, latest)
		case 2:
			_, err = r.catalog.Entities.SetTags(r.ctx, r.workspace, prompts, []string{fmt.Sprint(n)})
			raise(&p.tag, n)
		case 3:
			err = r.catalog.Entities.AttachExternalID(r.ctx, r.workspace, prompts, entity.ExternalRef{Source: "crm", ID: fmt.Sprint(n)})
			raise(&p.attached, n)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// check reads the template and returns an error if something is stale.
func (p *progress) check(ctx context.Context, r *suite, number int64) string {
	version, label, tag, attached := p.version.Load(), p.label.Load(), p.tag.Load(), p.attached.Load()
	if rand.N(2) == 0 {
		latest, err := r.Get(ctx, r.workspace, "moving", registry.Selector{})
		switch {
		case err != nil:
			return err.Error()
		case latest.Version.Number < version:
			return fmt.Sprintf("reader %d got version %d after version %d was acknowledged", number, latest.Version.Number, version)
		case tagOf(latest) < tag:
			return fmt.Sprintf("reader %d got tag %d after tag %d was acknowledged", number, tagOf(latest), tag)
		case int64(len(latest.ExternalIDs)) < attached:
			return fmt.Sprintf("reader %d got %d external ids after %d were acknowledged", number, len(latest.ExternalIDs), attached)
		}
		return ""
	}
	run, err := r.Prepare(ctx, r.workspace, "moving", prompt.Request{Version: registry.Selector{Label: "prod"}})
	switch {
	case err != nil:
		return err.Error()
	case run.Version.Number < label:
		return fmt.Sprintf("reader %d got version %d by the label after it was moved to %d", number, run.Version.Number, label)
	}
	return ""
}

// tagOf returns the number in the template's tag, 0 if it has none.
func tagOf(t *prompt.Template) int64 {
	if len(t.Entity.Tags) == 0 {
		return 0
	}
	n, _ := strconv.ParseInt(t.Entity.Tags[0], 10, 64)
	return n
}
