package storetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
)

// rounds is the number of changes of each aspect of a prompt.
const rounds = 30

// aspects are written and read; each is a number that increases.
var aspects = []struct {
	name  string
	write func(ctx context.Context, c *catalog.Catalog, on written, n int64) error
}{
	{"version", func(ctx context.Context, c *catalog.Catalog, on written, _ int64) error {
		return check.Failure(c.Entities.AddVersion(ctx, on.workspace, on.prompt, entity.NewVersion{Body: []byte(`{}`)}))
	}},
	{"label", func(ctx context.Context, c *catalog.Catalog, on written, n int64) error {
		return check.Failure(c.Entities.MoveLabel(ctx, on.workspace, on.label, n))
	}},
	{"tag", func(ctx context.Context, c *catalog.Catalog, on written, n int64) error {
		return check.Failure(c.Entities.SetTags(ctx, on.workspace, on.prompt, []string{fmt.Sprint(n)}))
	}},
	{"name", func(ctx context.Context, c *catalog.Catalog, on written, n int64) error {
		return check.Failure(c.Entities.RenameEntity(ctx, on.workspace, on.prompt, fmt.Sprint(n)))
	}},
	{"external id", func(ctx context.Context, c *catalog.Catalog, on written, n int64) error {
		return c.Entities.AttachExternalID(ctx, on.workspace, on.prompt, entity.ExternalRef{Source: "n", ID: fmt.Sprint(n)})
	}},
	{"AB test", func(ctx context.Context, c *catalog.Catalog, on written, n int64) error {
		return check.Failure(c.Entities.SetABTestConfig(ctx, on.workspace, on.test, json.RawMessage(fmt.Sprint(n)), nil))
	}},
}

// written is the prompt that is written and read.
type written struct{ workspace, prompt, label, test int64 }

// state has a number for each aspect.
type state [6]int64

func prepareWritten(ctx context.Context, c *catalog.Catalog, workspace int64) (written, error) {
	prompt, err := c.Entities.CreateEntity(ctx, entity.New{
		WorkspaceID: workspace, Kind: entity.KindPrompt, Name: "0", Tags: []string{"0"},
	})
	if err != nil {
		return written{}, err
	}
	for range rounds {
		if _, err := c.Entities.AddVersion(ctx, workspace, prompt.ID, entity.NewVersion{Body: []byte(`{}`)}); err != nil {
			return written{}, err
		}
	}
	label, err := c.Entities.SetLabel(ctx, workspace, prompt.ID, "prod", 1)
	if err != nil {
		return written{}, err
	}
	test, err := c.Entities.CreateABTest(ctx, workspace, entity.NewABTest{Name: "x", LabelID: label.ID, Config: json.RawMessage(`0`)})
	return written{workspace, prompt.ID, label.ID, test.Entity.ID}, err
}

// read returns the state in the catalog.
func (w written) read(ctx context.Context, c *catalog.Catalog) (state, error) {
	found, err := c.Entities.FindVersion(ctx, w.workspace, entity.KindPrompt, entity.Selector{ID: w.prompt, Label: "prod"})
	if err != nil {
		return state{}, err
	}
	tag, tagErr := strconv.ParseInt(found.Entity.Tags[0], 10, 64)
	name, nameErr := strconv.ParseInt(found.Entity.Name, 10, 64)
	refs, refErr := c.Entities.ListExternalIDs(ctx, w.workspace, w.prompt)
	test, testErr := c.Entities.GetABTest(ctx, w.workspace, w.test)
	config, configErr := strconv.ParseInt(string(test.Config), 10, 64)
	return state{found.Entity.LatestVersion - rounds, found.Version.Number, tag, name, int64(len(refs)), config},
		errors.Join(tagErr, nameErr, refErr, testErr, configErr)
}

// cache keeps the state of each workspace by its revision, as the program does.
type cache struct {
	*catalog.Catalog
	mutex sync.Mutex
	kept  map[int64]keptState
}

type keptState struct {
	revision int64
	state    state
}

func (c *cache) read(ctx context.Context, w written) (state, error) {
	revision, err := c.Revision(ctx, w.workspace)
	if err != nil {
		return state{}, err
	}
	c.mutex.Lock()
	kept, known := c.kept[w.workspace]
	c.mutex.Unlock()
	if known && kept.revision == revision {
		return kept.state, nil
	}
	fresh, err := w.read(ctx, c.Catalog)
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.kept[w.workspace] = keptState{revision, fresh}
	return fresh, err
}

// race is a workspace that all goroutines write and read.
type race struct {
	on     written
	caches []*cache
	// floors are the numbers of the completed writes.
	floors [6]atomic.Int64
}

// check reads through a cache.
func (r *race) check(ctx context.Context, random *rand.Rand) error {
	var floors state
	for i := range floors {
		floors[i] = r.floors[i].Load()
	}
	got, err := r.caches[random.IntN(len(r.caches))].read(ctx, r.on)
	if err != nil {
		return err
	}
	for i, aspect := range aspects {
		if got[i] < floors[i] || got[i] > rounds {
			return fmt.Errorf("%s: read %d after %d was written", aspect.name, got[i], floors[i])
		}
	}
	return nil
}

// write changes one aspect repeatedly, with rolled-back writes in between.
func (r *race) write(ctx context.Context, aspect int, random *rand.Rand) error {
	for n := int64(1); n <= rounds; n++ {
		c := r.caches[random.IntN(len(r.caches))].Catalog
		if random.IntN(4) == 0 && aspects[aspect].name != "label" {
			err := c.InTx(ctx, func(ctx context.Context) error {
				return errors.Join(aspects[aspect].write(ctx, c, r.on, n+10*rounds), errOurs)
			})
			if !errors.Is(err, errOurs) {
				return err
			}
		}
		if err := aspects[aspect].write(ctx, c, r.on, n); err != nil {
			return err
		}
		r.floors[aspect].Store(n)
		if err := r.check(ctx, random); err != nil {
			return err
		}
	}
	return nil
}

// CachedReaders tests the promise of entity.Store.Revision for catalogs that share
// a database: while all of them write and read through caches, no reader gets a
// state older than a write that returned before the read began.
func CachedReaders(t *testing.T, catalogs ...*catalog.Catalog) {
	t.Helper()
	caches := []*cache{}
	for _, c := range catalogs {
		caches = append(caches, &cache{Catalog: c, kept: map[int64]keptState{}})
	}
	races := []*race{}
	for i := range 2 {
		workspace := check.Must(catalogs[0].Accounts.EnsureWorkspace(t.Context(), fmt.Sprint("race ", i)))(t)
		on := check.Must(prepareWritten(t.Context(), catalogs[0], workspace.ID))(t)
		races = append(races, &race{on: on, caches: caches})
	}
	runRaces(t, races)
}

// runRaces writes all aspects of all races concurrently while others read.
func runRaces(t *testing.T, races []*race) {
	t.Helper()
	var done atomic.Bool
	var writers, readers sync.WaitGroup
	start := func(group *sync.WaitGroup, number int, run func(random *rand.Rand) error) {
		group.Go(func() {
			if err := run(rand.New(rand.NewPCG(1, uint64(number)))); err != nil {
				t.Error(err)
			}
		})
	}
	for i, race := range races {
		for aspect := range aspects {
			start(&writers, 10*i+aspect, func(random *rand.Rand) error { return race.write(t.Context(), aspect, random) })
		}
		for reader := range 2 {
			start(&readers, 100+10*i+reader, func(random *rand.Rand) error {
				for !done.Load() {
					if err := race.check(t.Context(), random); err != nil {
						return err
					}
				}
				return nil
			})
		}
	}
	writers.Wait()
	done.Store(true)
	readers.Wait()
}
