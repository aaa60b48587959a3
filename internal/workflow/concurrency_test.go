package workflow_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/workflow"
)

const crowd = 24

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// TestConcurrentPatchesAllSurvive lets two processes add nodes concurrently:
// all nodes exist at the end, so that no patch undid another.
func TestConcurrentPatchesAllSurvive(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		r.create("w", one)
		services := []*workflow.Service{r.Service, r.again().Service}
		records := make([]*workflow.Record, crowd)
		errs := check.Together(crowd, func(i int) (err error) {
			added := fmt.Sprintf(`{"nodes":{"n%02d":{"node_type":"VARIABLE","configuration":{},"dependencies":["a"]}},"edges":[]}`, i)
			records[i], err = services[i%2].Patch(r.ctx, r.workspace, "w", workflow.Patch{
				Changes: change(t, added), Release: registry.Release{Labels: []string{"prod"}},
			})
			return err
		})
		for _, err := range errs {
			check.Must(0, err)(t)
		}
		checkNumbers(t, records, 2)
		last := r.get("w", registry.Selector{})
		check.Equal(t, "last number", last.Version.Number, crowd+1)
		var names []string
		for _, n := range last.Content.Nodes[1:] {
			names = append(names, n.Name)
		}
		slices.Sort(names)
		check.Equal(t, "nodes", strings.Join(names, ","), many(crowd, func(i int) string { return fmt.Sprintf("n%02d", i) }))
		check.Equal(t, "labelled", r.get("w", registry.Selector{Label: "prod"}).Version.Number, crowd+1)
	})
}

// checkNumbers checks that the versions are numbered from first without gaps,
// each based on the previous one.
func checkNumbers(t *testing.T, records []*workflow.Record, first int64) {
	t.Helper()
	slices.SortFunc(records, func(a, b *workflow.Record) int { return int(a.Version.Number - b.Version.Number) })
	for i, record := range records {
		want := first + int64(i)
		if record.Version.Number != want || record.Base != 0 && record.Base != want-1 {
			t.Errorf("the %d. version has the number %d and the base %d", i+1, record.Version.Number, record.Base)
		}
	}
}

// TestConcurrentCreates lets two processes create and add versions under one
// name: one of them creates the workflow, and all versions are numbered.
func TestConcurrentCreates(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		services := []*workflow.Service{r.Service, r.again().Service}
		name := "crowded"
		errs := check.Together(crowd, func(i int) error {
			_, _, err := services[i%2].Create(r.ctx, r.workspace, workflow.CreateInput{Name: &name, Definition: define(t, one)})
			return err
		})
		winners := 0
		for _, err := range errs {
			if err == nil {
				winners++
				continue
			}
			check.Refused(t, err, fault.BadRequest, "A workflow with the name 'crowded' already exists")
		}
		check.Equal(t, "winners", winners, 1)
		records := make([]*workflow.Record, crowd)
		errs = check.Together(crowd, func(i int) (err error) {
			records[i], _, err = services[i%2].Create(r.ctx, r.workspace, workflow.CreateInput{WorkflowName: &name, Definition: define(t, three)})
			return err
		})
		for _, err := range errs {
			check.Must(0, err)(t)
		}
		checkNumbers(t, records, 2)
	})
}

// TestConcurrentUntitledWorkflows checks that each gets a different name.
func TestConcurrentUntitledWorkflows(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		services := []*workflow.Service{r.Service, r.again().Service}
		records := make([]*workflow.Record, crowd)
		errs := check.Together(crowd, func(i int) (err error) {
			records[i], _, err = services[i%2].Create(r.ctx, r.workspace, workflow.CreateInput{Definition: define(t, one)})
			return err
		})
		names := map[string]bool{}
		for i, err := range errs {
			check.Must(0, err)(t)
			names[records[i].Entity.Name] = true
		}
		for i := 2; i <= crowd; i++ {
			if name := fmt.Sprint("Untitled Workflow ", i); !names[name] {
				t.Errorf("%s is missing in %v", name, names)
			}
		}
	})
}

// TestPatchDuringDelete expects either a version or a NotFound fault.
func TestPatchDuringDelete(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		for range 8 {
			id := r.create("w", one).Entity.ID
			errs := check.Together(2, func(i int) error {
				if i == 0 {
					_, err := r.catalog.Entities.SoftDelete(r.ctx, r.workspace, []int64{id})
					return err
				}
				_, err := r.Patch(r.ctx, r.workspace, "w", workflow.Patch{})
				return err
			})
			check.Must(0, errs[0])(t)
			if errs[1] != nil {
				check.Refused(t, errs[1], fault.NotFound, "Workflow not found")
			}
		}
	})
}
