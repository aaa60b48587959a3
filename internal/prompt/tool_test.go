package prompt_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/tool"
)

// define creates a tool with the definition.
func (r *suite) define(workspace int64, name, definition string, labels ...string) int64 {
	r.t.Helper()
	return check.Must(r.tools.Create(r.ctx, workspace, registry.CreateInput[tool.Content]{
		Name: name, Content: &tool.Content{Definition: []byte(definition)}, Release: registry.Release{Labels: labels},
	}))(r.t).Entity.ID
}

func (r *suite) redefine(name, definition string, labels ...string) {
	r.t.Helper()
	check.Must(r.tools.AddVersion(r.ctx, r.workspace, name, tool.Content{Definition: []byte(definition)}, registry.Release{Labels: labels}))(r.t)
}

// named returns the definition of a function.
func named(name string) string { return `{"type":"function","function":{"name":"` + name + `"}}` }

// offering publishes the prompt "talk" with the tools.
func (r *suite) offering(tools ...string) {
	r.t.Helper()
	r.model(`{"type":"chat","messages":[],"tools":[`+strings.Join(tools, ",")+`]}`, `{"model":{"provider":"openai","name":"g"}}`)
}

func reference(id int64, more string) string {
	return fmt.Sprintf(`{"type":"registry","tool_registry_id":%d%s}`, id, more)
}

// offered returns the tools of the prompt "talk" and its warning.
func (r *suite) offered() (tools, warning string) {
	r.t.Helper()
	run := r.prepare("talk", prompt.Request{})
	sent := check.JSON(string(run.Arguments)).Get("tools")
	stored := check.JSON(string(run.Prompt)).Get("tools")
	check.Equal(r.t, "tools that are sent", sent.Len(), stored.Len())
	return string(stored.Raw()), run.Warning
}

func TestRegistryTools(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		weather := r.define(r.workspace, "weather", named("one"), "prod")
		r.redefine("weather", named("two"))
		foreign := r.define(r.other, "weather", named("theirs"), "prod")
		something := r.entity(entity.KindWorkflow, "weather").ID
		gone := r.define(r.workspace, "gone", named("gone"))
		r.remove(gone)
		lost := func(id int64) string { return fmt.Sprintf("Registry tool %d could not be resolved", id) }
		const own = `{"type":"web_search"}`
		for name, test := range map[string]struct {
			tools         []string
			want, warning string
		}{
			"latest":            {tools: []string{reference(weather, "")}, want: named("two")},
			"by number":         {tools: []string{reference(weather, `,"version_number":1`)}, want: named("one")},
			"by label":          {tools: []string{reference(weather, `,"label":"prod"`)}, want: named("one")},
			"nulls":             {tools: []string{reference(weather, `,"label":null,"version_number":null`)}, want: named("two")},
			"a label wins":      {tools: []string{reference(weather, `,"label":"prod","version_number":2`)}, want: named("one")},
			"among others":      {tools: []string{own, reference(weather, ""), own}, want: own + "," + named("two") + "," + own},
			"twice":             {tools: []string{reference(weather, ""), reference(weather, "")}, want: named("two") + "," + named("two")},
			"no such tool":      {tools: []string{reference(4711, ""), own, reference(4711, "")}, want: own, warning: lost(4711)},
			"no such version":   {tools: []string{reference(weather, `,"version_number":3`)}, warning: lost(weather)},
			"no such label":     {tools: []string{reference(weather, `,"label":"dev"`)}, warning: lost(weather)},
			"a lost label":      {tools: []string{reference(weather, `,"label":"dev","version_number":1`)}, warning: lost(weather)},
			"another workspace": {tools: []string{reference(foreign, "")}, warning: lost(foreign)},
			"another kind":      {tools: []string{reference(something, "")}, warning: lost(something)},
			"a deleted tool":    {tools: []string{reference(gone, "")}, warning: lost(gone)},
			"several warnings":  {tools: []string{reference(gone, ""), reference(4711, "")}, warning: lost(gone) + "\n" + lost(4711)},
		} {
			r.offering(test.tools...)
			tools, warning := r.offered()
			check.Equal(t, name, tools, "["+test.want+"]")
			check.Equal(t, name+": warning", warning, test.warning)
			check.Equal(t, name+": as it is stored", check.JSON(string(r.get("talk", registry.Selector{}).Content.Template)).Get("tools").Len(), len(test.tools))
		}
	})
}

// TestToolsAreNeverStale changes a tool in another process.
func TestToolsAreNeverStale(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		id := r.define(r.workspace, "weather", named("one"), "prod")
		r.offering(reference(id, `,"label":"prod"`))
		writer := r
		if !strings.HasPrefix(r.dsn, "sqlite") {
			writer = r.again() // one process serves SQLite
		}
		for _, step := range []struct {
			do   func()
			want string
		}{
			{func() {}, named("one")},
			{func() { writer.redefine("weather", named("two"), "prod") }, named("two")},
			{func() { writer.redefine("weather", named("three")) }, named("two")},
			{func() { check.Must(writer.catalog.Entities.SetLabel(r.ctx, r.workspace, id, "prod", 3))(t) }, named("three")},
			{func() { writer.remove(id) }, ""},
		} {
			step.do()
			tools, _ := r.offered()
			check.Equal(t, "tools", tools, "["+step.want+"]")
		}
	})
}

// TestHostileTools refers to the largest, the deepest and the most definitions
// possible: those that do not fit into the template are omitted.
func TestHostileTools(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	deep := func(n int) string { return strings.Repeat(`{"k":`, n) + "1" + strings.Repeat("}", n) }
	fits, deeper := r.define(r.workspace, "deep", deep(198)), r.define(r.workspace, "deeper", deep(199))
	large := r.define(r.workspace, "large", `{"k":"`+strings.Repeat("x", 900_000)+`"}`)
	values := r.define(r.workspace, "values", `{"k":[`+strings.Repeat("1,", 500_000)+`1]}`)
	repeated := func(n int, ref func(i int) string) []string {
		list := make([]string, n)
		for i := range list {
			list[i] = ref(i)
		}
		return list
	}
	for name, test := range map[string]struct {
		tools []string
		want  int
	}{
		"deep":             {[]string{reference(fits, "")}, 1},
		"too deep":         {[]string{reference(deeper, ""), reference(fits, "")}, 1},
		"large":            {repeated(20, func(int) string { return reference(large, "") }), 4},
		"many values":      {repeated(20, func(int) string { return reference(values, "") }), 0},
		"many unknown":     {repeated(5000, func(i int) string { return reference(int64(1_000_000+i), "") }), 0},
		"many of one tool": {repeated(300, func(int) string { return reference(fits, "") }), 300},
	} {
		r.offering(test.tools...)
		run := r.prepare("talk", prompt.Request{})
		check.Equal(t, name, check.JSON(string(run.Prompt)).Get("tools").Len(), test.want)
		check.Equal(t, name+": tools", len(run.Tools), test.want)
		if warnings := strings.Count(run.Warning, "\n") + 1; warnings > 50 {
			t.Errorf("%s: %d warnings", name, warnings)
		}
	}
}

// countingTools counts lookups.
type countingTools struct {
	prompt.Tools
	calls, chosen int
}

func (c *countingTools) Definitions(ctx context.Context, workspace int64, chosen []entity.Selector) (map[entity.Selector]tool.Definition, error) {
	c.calls, c.chosen = c.calls+1, c.chosen+len(chosen)
	return c.Tools.Definitions(ctx, workspace, chosen)
}

func TestToolsAreLookedUpOnce(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	var refs []string
	for i := range 30 {
		id := r.define(r.workspace, fmt.Sprint("tool ", i), named("f"))
		refs = append(refs, reference(id, ""), reference(id, ""))
	}
	r.offering(refs...)
	counted := &countingTools{Tools: r.tools}
	r.Service = prompt.NewService(r.catalog.Entities, counted)
	for range 3 {
		r.prepare("talk", prompt.Request{})
	}
	check.Equal(t, "calls and tools", []int{counted.calls, counted.chosen}, []int{1, 30})
	r.publish("plain", chat("Hi"))
	r.prepare("plain", prompt.Request{})
	check.Equal(t, "calls without tools", counted.calls, 1)
}

func TestWithoutToolRegistry(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	r.offering(reference(r.define(r.workspace, "f", named("f")), ""), `{"type":"web_search"}`)
	run := check.Must(prompt.NewService(r.catalog.Entities, nil).Prepare(r.ctx, r.workspace, "talk", prompt.Request{}))(t)
	check.Equal(t, "tools", string(check.JSON(string(run.Prompt)).Get("tools").Raw()), `[{"type":"web_search"}]`)
}
