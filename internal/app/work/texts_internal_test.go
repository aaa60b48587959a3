package work

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/eval"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/step"
	"github.com/promptuary/promptuary/internal/workbench"
	"github.com/promptuary/promptuary/internal/workflow/run"
)

// TestSlowPatternsDoNotDelayOtherWorkspaces searches large texts of one workspace
// with a pattern that takes the maximum time, with more waiting. Searches of
// another workspace get their turns before those are done.
func TestSlowPatternsDoNotDelayOtherWorkspaces(t *testing.T) {
	t.Parallel()
	w := &Work{texts: newTexts(), bench: workbench.New(workbench.Options{})}
	values := step.List{{Name: "s", Value: check.JSON(`"` + strings.Repeat("a", 32<<10) + `"`)}}
	search := func(ctx context.Context, env step.Env, pattern string) (jsontree.Value, error) {
		regex, _ := step.Find("REGEX")
		prepared := check.Must(regex.Prepare(check.JSON(`{"source":"s","regex_pattern":"` + pattern + `"}`)))(t)
		env.Values = values
		return prepared.Run(ctx, &env)
	}
	ctx, stop := context.WithCancel(t.Context())
	var attack sync.WaitGroup
	defer attack.Wait()
	defer stop()
	const waiting = 40
	for range waiting + w.texts.Stats().Each {
		attack.Go(func() { _, _ = search(ctx, w.env(run.Scope{Workspace: 1}), `(a*)*(a|aa)+\\1b$`) }) // it fails either way
	}
	check.Eventually(t, "the searches run and wait", func() bool {
		stats := w.texts.Stats()
		return stats.Running == stats.Each && stats.Waiting > waiting/2
	})
	for what, env := range map[string]step.Env{
		"node": w.env(run.Scope{Workspace: 2}), "column": w.columnEnv(eval.Scope{Workspace: 2}),
	} {
		found, err := search(t.Context(), env, "^a")
		check.OK(t, err)
		check.Equal(t, what, string(found.Raw()), "true")
	}
	if running, left := w.texts.StatsOf(1); running == 0 || left == 0 {
		t.Errorf("the searches were done first: %d running, %d waiting", running, left)
	}
}
