package tool_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/tool"
)

const crowd = 24

// TestConcurrentCreates lets two processes create a tool with one name, and
// then add versions to it: one creates it, and all versions are numbered.
func TestConcurrentCreates(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		services := []*tool.Service{r.Service, r.again().Service}
		winners := 0
		for _, err := range check.Together(crowd, func(i int) error {
			content := javascript("f", "return 1")
			content.Description = new("kept")
			_, err := services[i%2].Create(r.ctx, r.workspace, registry.CreateInput[tool.Content]{Name: "crowded", Content: &content})
			return err
		}) {
			if err == nil {
				winners++
				continue
			}
			check.Refused(t, err, fault.Conflict, "A tool with the name 'crowded' already exists")
		}
		check.Equal(t, "winners", winners, 1)
		records := make([]*tool.Record, crowd)
		for _, err := range check.Together(crowd, func(i int) (err error) {
			records[i], err = services[i%2].AddVersion(r.ctx, r.workspace, "crowded",
				javascript("f", fmt.Sprint("return ", i)), registry.Release{Labels: []string{"prod"}})
			return err
		}) {
			check.Must(0, err)(t)
		}
		var numbers, want []int64
		for i, record := range records {
			numbers, want = append(numbers, record.Version.Number), append(want, int64(i)+2)
			got := r.get("crowded", registry.Selector{Number: record.Version.Number})
			check.Equal(t, "code", got.Content.Execution.Code, fmt.Sprint("return ", i))
			check.Equal(t, "description", *got.Content.Description, "kept")
		}
		slices.Sort(numbers)
		check.Equal(t, "numbers", numbers, want)
		check.Equal(t, "labelled", r.get("crowded", registry.Selector{Label: "prod"}).Version.Number, crowd+1)
	})
}

// TestVersionDuringDelete expects either a version or a NotFound fault.
func TestVersionDuringDelete(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		for range 8 {
			id := r.create("f", javascript("f", "1")).Entity.ID
			errs := check.Together(2, func(i int) error {
				if i == 0 {
					_, err := r.catalog.Entities.SoftDelete(r.ctx, r.workspace, []int64{id})
					return err
				}
				_, err := r.AddVersion(r.ctx, r.workspace, "f", javascript("f", "2"), registry.Release{})
				return err
			})
			check.Must(0, errs[0])(t)
			if errs[1] != nil {
				check.Refused(t, errs[1], fault.NotFound, "Tool not found")
			}
		}
	})
}
