package skill_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/skill"
)

// model is a simple model of a collection without a provider: texts by path.
type model map[string]string

// take removes a file or a folder and returns the removed texts by the rest of
// their paths.
func (m model) take(path string) map[string]string {
	taken := map[string]string{}
	for _, file := range slices.Collect(maps.Keys(m)) {
		if file == path || strings.HasPrefix(file, path+"/") {
			taken[file[len(path):]] = m[file]
			delete(m, file)
		}
	}
	return taken
}

// saved returns the files after a save, or false if it must be rejected.
func (m model) saved(in skill.SaveInput, archive, files map[string]string) (model, bool) {
	next := maps.Clone(m)
	for i, path := range in.Deletes {
		if len(maps.Clone(m).take(path)) == 0 || slices.Contains(in.Deletes[:i], path) {
			return nil, false
		}
		next.take(path)
	}
	for _, move := range in.Moves {
		moved := next.take(move.From)
		for rest, text := range moved {
			if _, taken := next[move.To+rest]; taken {
				return nil, false
			}
			next[move.To+rest] = text
		}
		if len(moved) == 0 {
			return nil, false
		}
	}
	maps.Copy(next, archive)
	maps.Copy(next, files)
	for path := range next {
		for folder := range next {
			if strings.HasPrefix(path, folder+"/") {
				return nil, false
			}
		}
	}
	return next, true
}

type chance struct{ *rand.Rand }

// path returns one of a few paths, so that changes often conflict.
func (c chance) path() string {
	steps := make([]string, 1+c.IntN(3))
	for i := range steps {
		steps[i] = string("abcdefgh"[c.IntN(8)])
	}
	return strings.Join(steps, "/")
}

// known returns mostly a path of the model, or a folder of one.
func (c chance) known(m model) string {
	paths := slices.Sorted(maps.Keys(m))
	if len(paths) == 0 || c.IntN(6) == 0 {
		return c.path()
	}
	path := paths[c.IntN(len(paths))]
	if at := strings.IndexByte(path, '/'); at > 0 && c.IntN(3) == 0 {
		return path[:at]
	}
	return path
}

func (c chance) files(n int) map[string]string {
	files := map[string]string{}
	for range c.IntN(n) {
		files[c.path()] = fmt.Sprint(c.IntN(20))
	}
	return files
}

func listed(files map[string]string) []skill.Content {
	var pairs []string
	for path, text := range files {
		pairs = append(pairs, path, text)
	}
	return contents(pairs...)
}

// TestSavesAgainstModel makes random changes and compares the files, and
// rejections, with the model. Versions never change.
func TestSavesAgainstModel(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r, c := onSQLite(t), chance{rand.New(rand.NewPCG(seed, 1))}
			r.create("c", "none")
			versions := []model{{}}
			refused := 0
			for range 150 {
				in, archive, files := skill.SaveInput{}, c.files(3), c.files(3)
				for range c.IntN(2) {
					in.Deletes = append(in.Deletes, c.known(versions[len(versions)-1]))
				}
				for range c.IntN(3) {
					in.Moves = append(in.Moves, skill.Move{From: c.known(versions[len(versions)-1]), To: c.path()})
				}
				in.Archive, in.Files = listed(archive), listed(files)
				want, ok := versions[len(versions)-1].saved(in, archive, files)
				_, err := r.Save(r.ctx, r.workspace, "c", in)
				if !ok {
					refused++
					check.Fault(t, err, fault.BadRequest)
					continue
				}
				if err != nil {
					t.Fatalf("%v, %v, %v, %v of %v: %v", in.Deletes, in.Moves, archive, files, versions[len(versions)-1], err)
				}
				versions = append(versions, want)
			}
			if refused < 10 || len(versions) < 20 {
				t.Errorf("%d saves were rejected and %d accepted: too few", refused, len(versions))
			}
			for i, want := range versions[1:] {
				check.Equal(t, fmt.Sprint("version ", i+1), r.files("c", registry.Selector{Number: int64(i + 1)}), map[string]string(want))
			}
		})
	}
}
