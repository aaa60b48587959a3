package skill_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/skill"
)

const crowd = 24

// TestConcurrentSavesAllSurvive lets two processes add files concurrently: all
// exist at the end, and the version numbers have no gap.
func TestConcurrentSavesAllSurvive(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		r.create("c", "")
		services := []*skill.Service{r.Service, r.again().Service}
		numbers := make([]int64, crowd)
		errs := check.Together(crowd, func(i int) error {
			saved, err := services[i%2].Save(r.ctx, r.workspace, "c", skill.SaveInput{
				// All share one content, and each has another one.
				Files: contents("shared", "same", fmt.Sprintf("f%02d", i), fmt.Sprint(i)), Label: "prod",
			})
			if err == nil {
				numbers[i] = saved.Version.Number
				if len(saved.Version.Files) != int(saved.Version.Number)+1 {
					err = fmt.Errorf("version %d has %d files", saved.Version.Number, len(saved.Version.Files))
				}
			}
			return err
		})
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
		slices.Sort(numbers)
		for i, number := range numbers {
			check.Equal(t, "number", number, int64(i+1))
		}
		check.Equal(t, "files", len(r.files("c", registry.Selector{})), crowd+1)
		check.Equal(t, "labelled", check.Must(r.Get(r.ctx, r.workspace, "c", registry.Selector{Label: "prod"}))(t).Version.Number, int64(crowd))
	})
}

// TestConcurrentMovesOfOneFile moves the same file concurrently: one move
// succeeds.
func TestConcurrentMovesOfOneFile(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		r.create("c", "", "a", "1")
		moved := 0
		for _, err := range check.Together(crowd, func(i int) error {
			_, err := r.Save(r.ctx, r.workspace, "c", skill.SaveInput{Moves: []skill.Move{{From: "a", To: fmt.Sprint("b", i)}}})
			return err
		}) {
			if err == nil {
				moved++
			} else {
				check.Fault(t, err, fault.BadRequest)
			}
		}
		check.Equal(t, "moved", moved, 1)
		check.Equal(t, "files", len(r.files("c", registry.Selector{})), 1)
	})
}

// TestConcurrentNames lets two processes use one name: each gets a different
// one.
func TestConcurrentNames(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		services := []*skill.Service{r.Service, r.again().Service}
		names := make([]string, crowd)
		errs := check.Together(crowd, func(i int) error {
			made, err := services[i%2].Create(r.ctx, r.workspace, skill.CreateInput{Name: "n", Files: contents("a", "same")})
			if err == nil {
				names[i] = made.Entity.Name
			}
			return err
		})
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
		want := []string{"n"}
		for i := 2; i <= crowd; i++ {
			want = append(want, fmt.Sprint("n-", i))
		}
		slices.Sort(names)
		slices.Sort(want)
		check.Equal(t, "names", names, want)
	})
}
