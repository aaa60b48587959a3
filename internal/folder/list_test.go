package folder_test

import (
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/folder"
)

// TestHiddenTypesAreListedOnDemand covers the types that have their own
// lists.
func TestHiddenTypesAreListedOnDemand(t *testing.T) {
	onEachEngine(t, func(t *testing.T, l *library) {
		in := l.folder("f", 0)
		l.entity(entity.KindTool, "hammer", in)
		l.entity(entity.KindSkill, "craft", 0)
		l.publish("prompt", "x", 0)
		tests := map[string]struct {
			query folder.ListQuery
			want  []string
		}{
			"all":             {folder.ListQuery{Flatten: true}, []string{"f", "prompt"}},
			"tools":           {folder.ListQuery{Flatten: true, Types: []entity.Type{entity.TypeTool}}, []string{"f/hammer"}},
			"tools at root":   {folder.ListQuery{Types: []entity.Type{entity.TypeTool}}, []string{}},
			"tools, skills":   {folder.ListQuery{Flatten: true, Types: []entity.Type{entity.TypeTool, entity.TypeSkill}}, []string{"craft", "f/hammer"}},
			"tools by search": {folder.ListQuery{Flatten: true, Search: "HAM"}, []string{}},
		}
		for name, test := range tests {
			test.query.Filters.WorkspaceID = l.workspace
			check.Equal(t, name, paths(check.Must(l.Entities(l.ctx, test.query))(t)), test.want)
		}
	})
}

func TestSearchInTexts(t *testing.T) {
	onEachEngine(t, func(t *testing.T, l *library) {
		l.publish("a", "Straße, ΣΊΣΥΦΟΣ, \"quoted\" \\ 100%", 0)
		l.publish("b", "old text", 0)
		l.publish("b", "new TEXT", 0)
		l.publish("text", "says nothing", 0)
		l.entity(entity.KindReport, "Text report", 0)
		tests := map[string][]string{
			"text":     {"text", "Text report", "b"},
			"old":      {},
			"STRAßE":   {"a"},
			"strasse":  {},
			"σίσυφος":  {"a"},
			`"Quoted"`: {"a"},
			`\`:        {"a"},
			"%":        {"a"},
			"0_":       {},
			"content":  {},
			"":         {"a", "b", "text", "Text report"},
		}
		for search, want := range tests {
			found := check.Must(l.Entities(l.ctx, folder.ListQuery{Filters: entity.Query{WorkspaceID: l.workspace}, Search: search}))(t)
			check.Equal(t, "search for "+search, paths(found), want)
		}
	})
}

func TestTooManyToList(t *testing.T) {
	t.Parallel()
	l := onSQLite(t)
	in := int64(0)
	for range folder.MaxDepth {
		in = l.folder(strings.Repeat("𝔉", 255), in)
	}
	l.exec([]string{promptsInFolder}, l.workspace, in, 600)
	_, err := l.Entities(l.ctx, folder.ListQuery{Filters: entity.Query{WorkspaceID: l.workspace}, Flatten: true})
	check.Fault(t, err, fault.BadRequest)
	top := check.Must(l.Entities(l.ctx, folder.ListQuery{Filters: entity.Query{WorkspaceID: l.workspace}}))(t)
	check.Equal(t, "folders at the root", len(top), 1)
}

// TestExternalIDsOfHiddenKinds checks that an external id finds kinds that are
// not listed otherwise.
func TestExternalIDsOfHiddenKinds(t *testing.T) {
	onEachEngine(t, func(t *testing.T, l *library) {
		ref := entity.ExternalRef{Source: "git", ID: "1"}
		tool := l.entity(entity.KindTool, "tool", 0)
		check.OK(t, l.catalog.Entities.AttachExternalID(l.ctx, l.workspace, tool, ref))
		l.entity(entity.KindTool, "other", 0)
		found := check.Must(l.Entities(l.ctx, folder.ListQuery{Filters: entity.Query{WorkspaceID: l.workspace, ExternalID: &ref}}))(t)
		if len(found) != 1 || found[0].Entity.ID != tool {
			t.Errorf("found %+v", found)
		}
		if listed := check.Must(l.Entities(l.ctx, folder.ListQuery{Filters: entity.Query{WorkspaceID: l.workspace}}))(t); len(listed) != 0 {
			t.Errorf("without an external id there is %+v", listed)
		}
	})
}
