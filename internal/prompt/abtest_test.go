package prompt_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/registry"
)

// tested publishes three versions of "tested" with the label prod on the first,
// and adds an A/B test to the label.
func (r *suite) tested(split prompt.Split) *prompt.ABTest {
	r.t.Helper()
	var owner int64
	for i := range 3 {
		labels := []string{"prod", "plain"}[:2*boolInt(i == 0)]
		owner = r.publish("tested", completion(fmt.Sprint("v", i+1)), labels...).Entity.ID
	}
	return check.Must(r.CreateABTest(r.ctx, r.workspace, prompt.NewABTest{
		Name: "test", PromptID: owner, Label: "prod", Split: split, Author: new("ann@example.com"),
	}))(r.t)
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// run returns the number of the version that a request for the label gets.
func (r *suite) run(filters map[string]string) int64 {
	r.t.Helper()
	return r.prepare("tested", prompt.Request{Version: registry.Selector{Label: "prod"}, Filters: filters}).Version.Number
}

// shares returns how many of n requests each version gets.
func (r *suite) shares(n int, filters func(i int) map[string]string) map[int64]int {
	r.t.Helper()
	counts := map[int64]int{}
	for i := range n {
		counts[r.run(filters(i))]++
	}
	return counts
}

func user(i int) map[string]string { return map[string]string{"user_id": fmt.Sprint("user ", i)} }

func anybody(int) map[string]string { return nil }

func weights(shares ...float64) []prompt.Weight {
	var out []prompt.Weight
	for i, share := range shares {
		out = append(out, prompt.Weight{Version: int64(i + 1), Share: share})
	}
	return out
}

func TestABTestSharesAmongUsers(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	r.tested(prompt.Split{Weights: weights(70, 20, 10)})
	got := r.shares(10_000, user)
	// Five standard deviations are at most 230.
	for version, want := range map[int64]int{1: 7000, 2: 2000, 3: 1000} {
		if got[version] < want-230 || got[version] > want+230 {
			t.Errorf("version %d got %d of 10000 users, want about %d", version, got[version], want)
		}
	}
}

func TestABTestSharesAtRandom(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	r.tested(prompt.Split{Weights: weights(50, 50)})
	got := r.shares(4000, anybody)
	for version := int64(1); version <= 2; version++ {
		if got[version] < 1600 || got[version] > 2400 { // twelve standard deviations
			t.Errorf("version %d got %d of 4000 requests", version, got[version])
		}
	}
}

func TestABTestIsStable(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		r.tested(prompt.Split{Weights: weights(34, 33, 33)})
		again := r.again() // a process that has not seen the first answers
		for i := range 60 {
			filters := map[string]string{"user_id": fmt.Sprint(i), "plan": "pro", "country": "fr"}
			first := r.run(filters)
			for range 2 {
				check.Equal(t, "version of one user", r.run(filters), first)
			}
			check.Equal(t, "version of one user elsewhere", again.run(filters), first)
		}
	})
}

func TestABTestEdges(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		weights []prompt.Weight
		want    map[int64]int
	}{
		"one version":            {weights(100), map[int64]int{1: 200}},
		"no share for the first": {weights(0, 100), map[int64]int{2: 200}},
		"no share for the last":  {weights(0, 100, 0), map[int64]int{2: 200}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := onSQLite(t)
			r.tested(prompt.Split{Weights: test.weights})
			check.Equal(t, "users", r.shares(200, user), test.want)
			check.Equal(t, "anybody", r.shares(200, anybody), test.want)
		})
	}
}

func TestABTestSegments(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	only := func(version int64) []prompt.Weight { return []prompt.Weight{{Version: version, Share: 100}} }
	r.tested(prompt.Split{
		Weights: only(1),
		Segments: []prompt.Segment{
			{Name: "both", Match: map[string][]string{"plan": {"pro", "team"}, "country": {"fr"}}, Weights: only(3)},
			{Name: "plan", Match: map[string][]string{"plan": {"pro"}}, Weights: only(2)},
			{Name: "never first", Match: map[string][]string{"plan": {"pro"}}, Weights: only(1)},
		},
	})
	for _, test := range []struct {
		name    string
		filters map[string]string
		want    int64
	}{
		{"no filters", nil, 1},
		{"empty filters", map[string]string{}, 1},
		{"another key", map[string]string{"user": "1"}, 1},
		{"one of two keys", map[string]string{"country": "fr"}, 1},
		{"all keys", map[string]string{"plan": "team", "country": "fr", "user": "1"}, 3},
		{"first that matches", map[string]string{"plan": "pro", "country": "fr"}, 3},
		{"another value of one key", map[string]string{"plan": "pro", "country": "de"}, 2},
		{"value in another case", map[string]string{"plan": "PRO"}, 1},
		{"empty value", map[string]string{"plan": ""}, 1},
	} {
		check.Equal(t, test.name, r.run(test.filters), test.want)
	}
}

func TestABTestAndPlainReads(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		test := r.tested(prompt.Split{Weights: []prompt.Weight{{Version: 3, Share: 100}}})
		prod := registry.Selector{Label: "prod"}
		plain := func(what string, want int64) {
			t.Helper()
			check.Equal(t, what+": Get", r.get("tested", prod).Version.Number, want)
			check.Equal(t, what+": labels", r.labelled("tested")["prod"], want)
			label := "prod"
			listed, _, err := r.List(r.ctx, entity.Query{WorkspaceID: r.workspace, Label: &label})
			if err != nil {
				t.Fatal(err)
			}
			check.Equal(t, what+": List", listed[0].Version.Number, want)
		}
		check.Equal(t, "run", r.run(nil), 3)
		plain("with a test", 1)
		run := r.prepare("tested", prompt.Request{Version: prod})
		check.Equal(t, "text of the run", texts(run.Prompt), []string{"v3"})
		check.Equal(t, "another label", r.prepare("tested", prompt.Request{Version: registry.Selector{Label: "plain"}}).Version.Number, 1)
		check.Equal(t, "by number", r.prepare("tested", prompt.Request{Version: registry.Selector{Number: 2}}).Version.Number, 2)
		check.Equal(t, "patch", texts(r.patch("tested", prompt.Patch{Base: prod}).Content.Template), []string{"v1"})

		check.Must(r.SetSplit(r.ctx, r.workspace, test.Entity.ID, prompt.Split{Weights: []prompt.Weight{{Version: 2, Share: 100}}}, nil))(t)
		check.Equal(t, "run with new weights", r.run(nil), 2)
		plain("with new weights", 1)

		check.Must(r.labels.MoveByID(r.ctx, r.workspace, entity.KindPrompt, test.LabelID, registry.Pointer{Number: 2}))(t)
		plain("with a moved label", 2)
		if err := r.DeleteABTest(r.ctx, r.workspace, test.Entity.ID); err != nil {
			t.Fatal(err)
		}
		check.Equal(t, "run without the test", r.run(nil), 2)
		check.Fault(t, r.DeleteABTest(r.ctx, r.workspace, test.Entity.ID), fault.NotFound)
	})
}

func TestABTestIsDeletedWithLabel(t *testing.T) {
	gone := map[string]func(r *suite, test *prompt.ABTest) error{
		"label deleted": func(r *suite, test *prompt.ABTest) error {
			return r.labels.DeleteByID(r.ctx, r.workspace, entity.KindPrompt, test.LabelID)
		},
		"template deleted": func(r *suite, test *prompt.ABTest) error {
			r.remove(test.PromptID)
			return nil
		},
	}
	onEachEngine(t, func(t *testing.T, r *suite) {
		for name, remove := range gone {
			t.Run(name, func(t *testing.T) {
				test := r.tested(prompt.Split{Weights: weights(50, 50)})
				if err := remove(r, test); err != nil {
					t.Fatal(err)
				}
				_, err := r.ABTest(r.ctx, r.workspace, test.Entity.ID)
				check.Fault(t, err, fault.NotFound)
				check.Equal(t, "tests", len(check.Must(r.ABTests(r.ctx, r.workspace, nil))(t)), 0)
				_, err = r.Prepare(r.ctx, r.workspace, "tested", prompt.Request{Version: registry.Selector{Label: "prod"}})
				check.Fault(t, err, fault.NotFound)
				if name == "label deleted" {
					check.Must(r.labels.Create(r.ctx, r.owner(test.PromptID), "prod", registry.Pointer{Number: 1}))(t)
					check.Equal(t, "run by a new label of the name", r.shares(20, anybody), map[int64]int{1: 20})
					r.remove(test.PromptID)
				}
			})
		}
	})
}

func TestABTestFacts(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		split := prompt.Split{
			Weights:  weights(99.5, 0.5),
			Segments: []prompt.Segment{{Name: "s", Match: map[string][]string{"k": {"v"}}, Weights: weights(100)}},
		}
		test := r.tested(split)
		check.Equal(t, "split", test.Split, split)
		check.Equal(t, "label", test.LabelName, "prod")
		check.Equal(t, "stored", *check.Must(r.ABTest(r.ctx, r.workspace, test.Entity.ID))(t), *test)
		check.Equal(t, "listed by template", len(check.Must(r.ABTests(r.ctx, r.workspace, &test.PromptID))(t)), 1)
		check.Equal(t, "listed by another", len(check.Must(r.ABTests(r.ctx, r.workspace, new(int64(1<<40))))(t)), 0)
		check.Equal(t, "listed elsewhere", len(check.Must(r.ABTests(r.ctx, r.other, nil))(t)), 0)
		_, err := r.ABTest(r.ctx, r.other, test.Entity.ID)
		check.Fault(t, err, fault.NotFound)
		check.Fault(t, r.DeleteABTest(r.ctx, r.other, test.Entity.ID), fault.NotFound)
		check.Fault(t, r.DeleteABTest(r.ctx, r.workspace, test.PromptID), fault.NotFound)
		for name, in := range map[string]prompt.NewABTest{
			"unknown label":    {PromptID: test.PromptID, Label: "nothing", Split: split},
			"unknown template": {PromptID: 1 << 40, Label: "prod", Split: split},
			"unknown version":  {PromptID: test.PromptID, Label: "plain", Split: prompt.Split{Weights: []prompt.Weight{{Version: 4, Share: 100}}}},
			"unknown folder":   {PromptID: test.PromptID, Label: "plain", Split: split, FolderID: new(int64(1 << 40))},
		} {
			r.unchanged(func() {
				in.Name = name
				_, err := r.CreateABTest(r.ctx, r.workspace, in)
				check.Fault(t, err, fault.NotFound)
			})
		}
		r.unchanged(func() {
			_, err := r.CreateABTest(r.ctx, r.workspace, prompt.NewABTest{Name: "twice", PromptID: test.PromptID, Label: "prod", Split: split})
			check.Fault(t, err, fault.Conflict)
			_, err = r.SetSplit(r.ctx, r.workspace, test.Entity.ID, prompt.Split{Weights: []prompt.Weight{{Version: 9, Share: 100}}}, nil)
			check.Fault(t, err, fault.NotFound)
			_, err = r.SetSplit(r.ctx, r.workspace, test.PromptID, split, nil)
			check.Fault(t, err, fault.NotFound)
		})
	})
}

func TestSplitCheck(t *testing.T) {
	t.Parallel()
	match := map[string][]string{"k": {"v"}}
	for _, test := range []struct {
		name  string
		split prompt.Split
		want  []string
	}{
		{"good", prompt.Split{Weights: weights(33.3, 33.3, 33.4)}, nil},
		{"none", prompt.Split{}, []string{"weights"}},
		{"too little", prompt.Split{Weights: weights(50, 49)}, []string{"weights"}},
		{"negative", prompt.Split{Weights: weights(150, -50)}, []string{"weights[1].weight"}},
		{"twice", prompt.Split{Weights: []prompt.Weight{{Version: 1, Share: 50}, {Version: 1, Share: 50}}}, []string{"weights[1].version_number"}},
		{"segment without a key", prompt.Split{Weights: weights(100), Segments: []prompt.Segment{{Weights: weights(100)}}}, []string{"segments[0].match"}},
		{
			"segment without a value",
			prompt.Split{Weights: weights(100), Segments: []prompt.Segment{{Match: map[string][]string{"k": nil}, Weights: weights(100)}}},
			[]string{"segments[0].match.k"},
		},
		{
			"segment without weights",
			prompt.Split{Weights: weights(100), Segments: []prompt.Segment{{Match: match}}}, []string{"segments[0].weights"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var problems fault.Problems
			test.split.Check([]any{"body"}, &problems)
			var got []string
			if f, ok := errors.AsType[*fault.Error](problems.Err()); ok {
				for _, field := range f.Fields {
					got = append(got, fault.Path(field.Loc))
				}
			}
			check.Equal(t, "problems", got, test.want)
		})
	}
}
