package workflow_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/workflow"
)

// judge compares a result with that of the model.
func judge(t *testing.T, got workflow.Definition, err error, want model, wrong []string) {
	t.Helper()
	if len(wrong) == 0 {
		check.Must(0, err)(t)
		if has := modelOf(got); has.String() != want.String() {
			t.Fatalf("result (-model +package):\n%s", cmp.Diff(want, has, cmpopts.EquateEmpty()))
		}
		return
	}
	var f *fault.Error
	if !errors.As(err, &f) || f.Kind != fault.BadRequest {
		t.Fatalf("got %v, want one of %q", err, wrong)
	}
	cycle, isCycle := strings.CutPrefix(f.Message, cycleMessage)
	if isCycle && !want.isCycle(cycle) || !isCycle && !slices.Contains(wrong, f.Message) {
		t.Fatalf("got %q, want one of %q", f.Message, wrong)
	}
}

// TestPatchesOfRandomGraphs compares thousands of patches with the model, each
// on the last valid result.
func TestPatchesOfRandomGraphs(t *testing.T) {
	t.Parallel()
	const graphs, patches = 600, 40
	accepted, refusedFor := 0, map[string]int{}
	for seed := range uint64(graphs) {
		c := chance{rand.New(rand.NewPCG(seed, 2026))}
		var current workflow.Definition
		var now model
		for step := range patches {
			p := c.patch(now)
			if step == 0 {
				p = c.first()
			}
			after, wrong := now.apply(p)
			changes := change(t, p.text())
			got, err := current.Apply(changes)
			if err == nil {
				err = got.Check(simpleTypes{}, !changes.HasEdges)
			}
			judge(t, got, err, after, wrong)
			if len(wrong) == 0 {
				current, now = got, after
				accepted++
			} else {
				refusedFor[strings.Fields(err.Error())[0]]++
			}
		}
	}
	t.Logf("%d patches of %d graphs: %d accepted, refused by the first word of the message: %v", graphs*patches, graphs, accepted, refusedFor)
	if accepted < graphs*patches/4 || len(refusedFor) < 5 {
		t.Error("the patches are not what the test needs")
	}
}

// TestVersionsOfRandomPatches patches a stored workflow from any of its
// versions. At the end every version agrees with the model.
func TestVersionsOfRandomPatches(t *testing.T) {
	t.Parallel()
	const patches = 120
	r := onSQLite(t)
	c := chance{rand.New(rand.NewPCG(7, 2026))}
	r.create("w", one)
	versions := []model{modelOf(define(t, one))}
	for range patches {
		base := c.IntN(len(versions) + 1) // 0 is the latest
		from := versions[len(versions)-1]
		if base > 0 {
			from = versions[base-1]
		}
		p := c.patch(from)
		after, wrong := from.apply(p)
		record, err := r.Patch(r.ctx, r.workspace, "w", workflow.Patch{Base: int64(base), Changes: change(t, p.text())})
		if err != nil {
			judge(t, workflow.Definition{}, err, after, wrong)
			continue
		}
		judge(t, record.Content, nil, after, wrong)
		versions = append(versions, after)
		check.Equal(t, "number", record.Version.Number, int64(len(versions)))
		if base > 0 {
			check.Equal(t, "base", record.Base, int64(base))
		}
	}
	if len(versions) < patches/4 {
		t.Errorf("only %d patches were accepted", len(versions)-1)
	}
	ids := map[string]bool{}
	for i, want := range versions {
		got := r.get("w", registry.Selector{Number: int64(i + 1)}).Content
		judge(t, got, nil, want, nil)
		for _, n := range got.Nodes {
			ids[n.ID] = true
		}
		for _, e := range got.Edges {
			ids[e.ID] = true
		}
	}
	total := 0
	for _, m := range versions {
		total += len(m.Nodes) + len(m.Edges)
	}
	check.Equal(t, "different ids", len(ids), total)
}
