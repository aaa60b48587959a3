package prompt_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/prompt"
)

// TestExpensiveTemplatesDoNotBlockOthers renders a template that takes the
// maximum time repeatedly in one workspace. A template of another workspace
// gets its turn before those are done.
func TestExpensiveTemplatesDoNotBlockOthers(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	inline := func(text string) prompt.Content {
		return prompt.Content{Template: []byte(`{"type":"completion","template_format":"jinja2","content":[{"type":"text","text":"` + text + `"}]}`)}
	}
	loops := inline(strings.Repeat("{% for i in range(100000) %}", 3) + strings.Repeat("{% endfor %}", 3))
	ctx, cancel := context.WithCancel(r.ctx)
	var attack sync.WaitGroup
	for range 64 {
		attack.Go(func() { _, _ = r.PrepareInline(ctx, r.workspace, nil, loops, prompt.Request{}) }) // it fails either way
	}
	for r.Rendering().Stats().Waiting == 0 {
		time.Sleep(time.Millisecond)
	}
	run, err := r.PrepareInline(r.ctx, r.other, nil, inline("Hello {{ name }}"), prompt.Request{Variables: check.JSON(`{"name":"Ann"}`)})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(run.Prompt), "Hello Ann") {
		t.Errorf("rendered %s", run.Prompt)
	}
	if r.Rendering().Stats().Waiting == 0 {
		t.Error("it was rendered after the expensive templates")
	}
	cancel()
	attack.Wait()
}
