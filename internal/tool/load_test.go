package tool_test

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/tool"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

func TestIdentifiers(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	plain := r.create("get weather", javascript("f", "1")).Entity.ID
	slashed := r.create("team/f", javascript("f", "1")).Entity.ID
	// The name of one tool is the id of another: ids take precedence.
	digits := r.create(itoa(plain), javascript("f", "1")).Entity.ID
	long := r.create("99999999999999999999", javascript("f", "1")).Entity.ID
	prompt := check.Must(r.catalog.Entities.CreateEntity(r.ctx, entity.New{WorkspaceID: r.workspace, Kind: entity.KindPrompt, Name: "a prompt"}))(t).ID
	foreign := check.Must(r.Create(r.ctx, r.other, registry.CreateInput[tool.Content]{Name: "theirs", Content: new(javascript("f", "1"))}))(t).Entity.ID
	deleted := r.create("gone", javascript("f", "1")).Entity.ID
	check.Must(r.catalog.Entities.SoftDelete(r.ctx, r.workspace, []int64{deleted}))(t)
	for identifier, want := range map[string]int64{
		"get weather": plain, itoa(plain): plain, "team/f": slashed, "team%2Ff": slashed, itoa(digits): digits, "99999999999999999999": long,
	} {
		check.Equal(t, identifier, check.Must(r.Identify(r.ctx, r.workspace, identifier))(t).ID, want)
		check.Equal(t, identifier+" with its version", r.get(identifier, registry.Selector{}).Entity.ID, want)
	}
	for _, identifier := range []string{
		"nobody", "Get weather", "0", "-1", "a prompt", itoa(prompt), "theirs", itoa(foreign), "gone", itoa(deleted), "%2F", "%zz%2F", "",
	} {
		_, err := r.Get(r.ctx, r.workspace, identifier, registry.Selector{})
		check.Refused(t, err, fault.NotFound, "Tool not found")
		_, err = r.AddVersion(r.ctx, r.workspace, identifier, javascript("f", "1"), registry.Release{})
		check.Refused(t, err, fault.NotFound, "Tool not found")
		_, err = r.Try(r.ctx, r.workspace, identifier, tool.Trial{})
		check.Refused(t, err, fault.NotFound, "Tool not found")
	}
}

func TestUnknownVersions(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	r.create("f", javascript("f", "1"), "prod")
	r.create("other", javascript("f", "1"), "beta")
	for name, test := range map[string]struct {
		version registry.Selector
		message string
	}{
		"number":           {registry.Selector{Number: 2}, "Version not found"},
		"negative":         {registry.Selector{Number: -1}, "Version not found"},
		"label":            {registry.Selector{Label: "dev"}, "Release label not found"},
		"another's label":  {registry.Selector{Label: "beta"}, "Release label not found"},
		"label's case":     {registry.Selector{Label: "PROD"}, "Release label not found"},
		"label and number": {registry.Selector{Label: "dev", Number: 1}, "Release label not found"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := r.Get(r.ctx, r.workspace, "f", test.version)
			check.Refused(t, err, fault.NotFound, test.message)
			_, err = r.Try(r.ctx, r.workspace, "f", tool.Trial{Version: test.version})
			check.Refused(t, err, fault.NotFound, test.message)
		})
	}
}

func TestListing(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		const count = 40 // more than one read
		for i := range count {
			content := javascript("f", "1")
			content.Description = new(fmt.Sprint("number ", i))
			r.create(fmt.Sprintf("t%02d", i), content)
		}
		r.create("bare", javascript("f", "1"))
		check.Must(r.Create(r.ctx, r.other, registry.CreateInput[tool.Content]{Name: "theirs", Content: new(javascript("f", "1"))}))(t)
		check.Must(r.catalog.Entities.CreateEntity(r.ctx, entity.New{WorkspaceID: r.workspace, Kind: entity.KindPrompt, Name: "a prompt"}))(t)
		r.add("t07", javascript("f", "2"))
		items := check.Must(r.List(r.ctx, entity.Query{WorkspaceID: r.workspace, Sort: entity.ByName, Ascending: true}))(t)
		check.Equal(t, "count", len(items), count+1)
		check.Equal(t, "without a description", items[0].Description, nil)
		for i, item := range items[1:] {
			check.Equal(t, "name", item.Entity.Name, fmt.Sprintf("t%02d", i))
			check.Equal(t, "description", *item.Description, fmt.Sprint("number ", i))
		}
	})
}

func TestDefinitions(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		weather := r.create("weather", javascript("get_weather", "return 1"), "prod").Entity.ID
		r.add("weather", tool.Content{Definition: function("weather2")})
		prompt := check.Must(r.catalog.Entities.CreateEntity(r.ctx, entity.New{WorkspaceID: r.workspace, Kind: entity.KindPrompt, Name: "weather"}))(t).ID
		foreign := check.Must(r.Create(r.ctx, r.other, registry.CreateInput[tool.Content]{Name: "weather", Content: new(javascript("theirs", "1"))}))(t).Entity.ID
		gone := r.create("gone", javascript("gone", "1")).Entity.ID
		check.Must(r.catalog.Entities.SoftDelete(r.ctx, r.workspace, []int64{gone}))(t)
		nameless := r.create("nameless", tool.Content{Definition: []byte(`{"function":7}`), Execution: tool.Execution{Language: "javascript", Code: " \n"}}).Entity.ID
		first := tool.Definition{ToolID: weather, Number: 1, Name: "get_weather", Text: function("get_weather"), Runs: true}
		second := tool.Definition{ToolID: weather, Number: 2, Name: "weather2", Text: function("weather2")}
		want := map[entity.Selector]tool.Definition{
			{ID: weather}:                           second,
			{ID: weather, Number: 1}:                first,
			{ID: weather, Label: "prod"}:            first,
			{ID: weather, Label: "prod", Number: 2}: first,
			{ID: nameless}:                          {ToolID: nameless, Number: 1, Text: []byte(`{"function":7}`)},
		}
		chosen := []entity.Selector{
			{}, {ID: -1}, {ID: prompt}, {ID: prompt, Number: 2}, {ID: foreign}, {ID: gone}, {ID: 4711},
			{ID: weather, Number: 3}, {ID: weather, Label: "dev"}, {ID: weather, Label: "dev", Number: 1},
		}
		for selector := range want {
			chosen = append(chosen, selector)
		}
		for i := range 30 { // more than one read
			chosen = append(chosen, entity.Selector{ID: weather, Number: int64(100 + i)})
		}
		check.Equal(t, "definitions", check.Must(r.Definitions(r.ctx, r.workspace, chosen))(t), want)
		check.Equal(t, "of nothing", len(check.Must(r.Definitions(r.ctx, r.workspace, nil))(t)), 0)
	})
}
