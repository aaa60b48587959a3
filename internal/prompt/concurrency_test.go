package prompt_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/template"
)

const crowd = 32

func TestConcurrentPublishersOfOneNewName(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		services := []*prompt.Service{r.Service, r.again().Service}
		records := make([]*prompt.Record, crowd)
		errs := check.Together(crowd, func(i int) (err error) {
			records[i], err = services[i%2].Publish(r.ctx, r.workspace, prompt.Publication{
				Name: "crowded", Content: completion(fmt.Sprintf("text %d", i)),
				Release: registry.Release{
					Labels:      []string{"prod", fmt.Sprintf("own %d", i)},
					ExternalIDs: []entity.ExternalRef{{Source: "crm", ID: "shared"}},
				},
			})
			return err
		})
		for _, err := range errs {
			if err != nil {
				t.Fatal(err)
			}
		}
		left := r.contents()
		if len(left.Entities) != 1 {
			t.Fatalf("%d entities exist, want one", len(left.Entities))
		}
		id := left.Entities[0].ID
		checkNumbers(t, left.Versions[id], records)
		for _, label := range left.Labels[id] {
			if label.Name == "prod" && label.VersionNumber != crowd {
				t.Errorf("prod points at version %d, but version %d set it last", label.VersionNumber, crowd)
			}
		}
		check.Equal(t, "labels", len(left.Labels[id]), crowd+1)
		check.Equal(t, "external ids", len(left.ExternalIDs[id]), 1)
	})
}

// checkNumbers checks that the versions, newest first, are those that callers
// got, numbered without gaps.
func checkNumbers(t *testing.T, versions []entity.Version, records []*prompt.Record) {
	t.Helper()
	slices.Reverse(versions)
	slices.SortFunc(records, func(a, b *prompt.Record) int { return int(a.Version.Number - b.Version.Number) })
	if len(versions) != len(records) {
		t.Fatalf("%d versions exist, want %d", len(versions), len(records))
	}
	for i, record := range records {
		if record.Version.Number != int64(i+1) {
			t.Errorf("version %d was returned with the number %d", i+1, record.Version.Number)
		}
		check.Equal(t, "stored version", versions[i], record.Version)
	}
}

func TestConcurrentPatchesAllSurvive(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		first := make([]string, crowd)
		want := make([]string, crowd)
		for i := range crowd {
			first[i], want[i] = "old", fmt.Sprintf("new %d", i)
		}
		r.publish("talk", chat(first...))
		services := []*prompt.Service{r.Service, r.again().Service}
		errs := check.Together(crowd, func(i int) error {
			change := check.JSON(fmt.Sprintf(`{"%d":%s}`, i, message(want[i])))
			_, err := services[i%2].Patch(r.ctx, r.workspace, "talk", prompt.Patch{Changes: template.Changes{Messages: change}})
			return err
		})
		for _, err := range errs {
			if err != nil {
				t.Fatal(err)
			}
		}
		last := r.get("talk", registry.Selector{})
		check.Equal(t, "number of the last version", last.Version.Number, crowd+1)
		check.Equal(t, "texts of the last version", texts(last.Content.Template), want)
		for number := range last.Version.Number {
			r.get("talk", registry.Selector{Number: number + 1})
		}
	})
}

// oneWinner checks that one call got the external id and the other a conflict.
func oneWinner(t *testing.T, errs []error) {
	t.Helper()
	winners := 0
	for _, err := range errs {
		if err == nil {
			winners++
			continue
		}
		check.Fault(t, err, fault.Conflict)
	}
	check.Equal(t, "winners", winners, 1)
}

func TestConcurrentClaimsOfOneExternalID(t *testing.T) {
	ref := entity.ExternalRef{Source: "crm", ID: "7"}
	publishes := func(r *suite, name string) error {
		_, err := r.Publish(r.ctx, r.workspace, prompt.Publication{
			Name: name, Content: completion("x"),
			Release: registry.Release{Labels: []string{"prod"}, ExternalIDs: []entity.ExternalRef{ref}},
		})
		return err
	}
	onEachEngine(t, func(t *testing.T, r *suite) {
		second := r.again()
		for round := range 8 {
			a, b := fmt.Sprintf("a%d", round), fmt.Sprintf("b%d", round)
			oneWinner(t, check.Together(2, func(i int) error {
				return publishes([]*suite{r, second}[i], []string{a, b}[i])
			}))
			left := r.contents()
			winner := check.Must(r.catalog.Entities.FindByExternalID(r.ctx, r.workspace, ref))(t)
			live := 0
			for _, e := range left.Entities {
				if e.DeletedAt == nil {
					live++
					check.Equal(t, "versions", len(left.Versions[e.ID]), 1)
				}
			}
			check.Equal(t, "templates", live, 1)
			r.remove(winner.ID)
		}
	})
}

func TestConcurrentUpsertsAndAttaches(t *testing.T) {
	ref := entity.ExternalRef{Source: "crm", ID: "7"}
	onEachEngine(t, func(t *testing.T, r *suite) {
		second := r.again()
		attaching := registry.NewExternalIDs(second.catalog.Entities)
		for range 8 {
			holder, tool := r.publish("holder", completion("x")), r.tool()
			oneWinner(t, check.Together(2, func(i int) error {
				if i == 0 {
					return attaching.Attach(r.ctx, entity.Owner{Workspace: r.workspace, Kind: entity.KindTool, ID: tool}, ref)
				}
				_, _, err := r.Upsert(r.ctx, r.workspace, ref, prompt.Publication{Name: "holder", Content: completion("y")})
				return err
			}))
			winner := check.Must(r.catalog.Entities.FindByExternalID(r.ctx, r.workspace, ref))(t)
			want := int64(1)
			if winner.ID == holder.Entity.ID {
				want = 2
			}
			check.Equal(t, "versions of the template", r.get("holder", registry.Selector{}).Version.Number, want)
			r.remove(holder.Entity.ID)
			if winner.ID != holder.Entity.ID {
				r.remove(winner.ID)
			}
		}
	})
}

// tool returns the id of a live tool.
func (r *suite) tool() int64 {
	if found, err := r.catalog.Entities.FindEntityByName(r.ctx, r.workspace, entity.KindTool, "hammer"); err == nil {
		return found.ID
	}
	return r.entity(entity.KindTool, "hammer").ID
}

func TestConcurrentUpsertsOfOneNewTemplate(t *testing.T) {
	ref := entity.ExternalRef{Source: "crm", ID: "7"}
	onEachEngine(t, func(t *testing.T, r *suite) {
		services := []*prompt.Service{r.Service, r.again().Service}
		created := make([]bool, crowd)
		errs := check.Together(crowd, func(i int) (err error) {
			_, created[i], err = services[i%2].Upsert(r.ctx, r.workspace, ref, prompt.Publication{Name: "one", Content: completion("x")})
			return err
		})
		creators := 0
		for i, err := range errs {
			if err != nil {
				t.Fatal(err)
			}
			if created[i] {
				creators++
			}
		}
		check.Equal(t, "callers that created it", creators, 1)
		left := r.contents()
		check.Equal(t, "entities", len(left.Entities), 1)
		check.Equal(t, "last version", left.Entities[0].LatestVersion, crowd)
	})
}

// TestPublishAgainstDelete runs publishers and a deleter of one name
// concurrently: in any order, each publisher finds a template or creates one.
func TestPublishAgainstDelete(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		second := r.again()
		for range 12 {
			old := r.publish("contested", completion("x"))
			errs := check.Together(3, func(i int) error {
				switch i {
				case 0:
					_, err := second.catalog.Entities.SoftDelete(r.ctx, r.workspace, []int64{old.Entity.ID})
					return err
				case 1:
					_, err := r.Publish(r.ctx, r.workspace, prompt.Publication{Name: "contested", Content: completion("y")})
					return err
				default:
					_, err := second.Publish(r.ctx, r.workspace, prompt.Publication{
						Name: "contested", Content: completion("z"), Tags: []string{"a"}, HasTags: true,
					})
					return err
				}
			})
			for i, err := range errs {
				if err != nil {
					t.Fatalf("call %d: %v", i, err)
				}
			}
			for _, e := range r.contents().Entities {
				if e.DeletedAt == nil {
					r.remove(e.ID)
				}
			}
		}
	})
}

// TestMixedWritersGetThrough runs calls that lock the same rows in different
// orders: all must succeed as if they ran one by one.
func TestMixedWritersGetThrough(t *testing.T) {
	pairs := []entity.ExternalRef{{Source: "crm", ID: "1"}, {Source: "crm", ID: "2"}}
	crossed := []entity.ExternalRef{pairs[1], pairs[0]}
	onEachEngine(t, func(t *testing.T, r *suite) {
		folders := []int64{r.folder("left"), r.folder("right")}
		ids := []int64{r.publish("a", chat("x"), "prod").Entity.ID, r.publish("b", completion("x"), "prod").Entity.ID}
		services := []*suite{r, r.again()}
		calls := []func(r *suite, i int) error{
			func(r *suite, i int) error {
				_, err := r.Publish(r.ctx, r.workspace, prompt.Publication{
					Name: []string{"a", "b"}[i%2], Content: chat("y"), FolderID: &folders[i%2],
					Tags: []string{fmt.Sprint(i)}, HasTags: true, Release: registry.Release{Labels: []string{"prod", "beta"}},
				})
				return err
			},
			func(r *suite, i int) error {
				_, err := r.catalog.Entities.MoveEntities(r.ctx, r.workspace, []int64{ids[i%2], ids[(i+1)%2]}, &folders[i%2])
				return err
			},
			func(r *suite, i int) error {
				_, err := r.Patch(r.ctx, r.workspace, "a", prompt.Patch{Release: registry.Release{Labels: []string{"beta"}}})
				return err
			},
			func(r *suite, i int) error {
				in := prompt.Publication{Name: []string{"a", "b"}[i%2], Content: chat("z")}
				in.Release.ExternalIDs = [][]entity.ExternalRef{pairs, crossed}[i/2%2]
				_, err := r.Publish(r.ctx, r.workspace, in)
				if fault.Is(err, fault.Conflict) {
					return nil // the other template has them
				}
				return err
			},
		}
		for i, err := range check.Together(crowd, func(i int) error { return calls[i%4](services[i%2], i/4) }) {
			if err != nil {
				t.Errorf("call %d: %v", i, err)
			}
		}
		left := r.contents()
		if a, b := left.ExternalIDs[ids[0]], left.ExternalIDs[ids[1]]; len(a)+len(b) != 2 || len(a) == 1 {
			t.Errorf("a has the external ids %v and b %v, want one of them to have both", a, b)
		}
		for _, id := range ids {
			for i, version := range left.Versions[id] {
				check.Equal(t, "number", version.Number, int64(len(left.Versions[id])-i))
			}
		}
	})
}
