package tool_test

import (
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/tool"
)

func TestCreateStoresContent(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		const definition = `{ "b":1.50, "a":[1e2, 10000000000000000001], "ü<>&\u0000":"\ud800", "b":2, "function": {"name":"f"} }`
		content := tool.Content{
			Description: new("for <tests> \"only\"\n"), Definition: []byte(definition), ResponseSchema: []byte(`{ "type":"string" }`),
			Execution: tool.Execution{Language: "python", Code: "return \"\\\"\" + '\u2028'\n\t# ü"},
		}
		made := check.Must(r.Create(r.ctx, r.workspace, registry.CreateInput[tool.Content]{
			Name: "a tool", Content: &content,
			Release: registry.Release{
				Labels: []string{"prod", "a", "prod"}, Author: new("ann@x.test"), ExternalIDs: []entity.ExternalRef{{Source: "crm", ID: "7"}},
			},
		}))(t)
		check.Equal(t, "number", made.Version.Number, 1)
		check.Equal(t, "message", *made.Version.CommitMessage, "Initial version")
		check.Equal(t, "what was created", made, r.get("a tool", registry.Selector{}))
		check.Equal(t, "creators", []string{*made.Entity.Creator, *made.Version.Creator}, []string{"ann@x.test", "ann@x.test"})
		for name, version := range map[string]registry.Selector{"latest": {}, "label": {Label: "prod"}, "number": {Number: 1}} {
			got := r.get("a tool", version)
			check.Equal(t, name, got.Content, content)
			check.Equal(t, name+": name", got.Content.FunctionName(), "f")
			var labels []string
			for _, l := range got.Labels {
				labels = append(labels, l.Name)
			}
			check.Equal(t, name+": labels", labels, []string{"a", "prod"})
			check.Equal(t, name+": external ids", got.ExternalIDs[0].ExternalRef, entity.ExternalRef{Source: "crm", ID: "7"})
		}
	})
}

func TestVersionsInheritOnlyDescription(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	full := javascript("f", "return 1")
	full.Description, full.ResponseSchema = new("what it is for"), []byte(`{}`)
	r.create("f", full, "prod")
	second := r.add("f", tool.Content{Definition: function("g")}, "beta")
	check.Equal(t, "second", second.Version.Number, 2)
	check.Equal(t, "message", second.Version.CommitMessage, nil)
	want := tool.Content{Description: full.Description, Definition: function("g")}
	check.Equal(t, "content", r.get("f", registry.Selector{}).Content, want)
	check.Equal(t, "the first stays", r.get("f", registry.Selector{Label: "prod"}).Content, full)
	r.add("f", full, "prod")
	check.Equal(t, "moved", r.get("f", registry.Selector{Label: "prod"}).Version.Number, 3)
	check.Equal(t, "not moved", r.get("f", registry.Selector{Label: "beta"}).Version.Number, 2)
}

func TestRejectedWritesStoreNothing(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		taken := r.create("taken", javascript("f", "return 1"))
		pair := entity.ExternalRef{Source: "crm", ID: "7"}
		check.Must(0, r.catalog.Entities.AttachExternalID(r.ctx, r.workspace, taken.Entity.ID, pair))(t)
		large := tool.Content{Definition: []byte(`{"x":"` + strings.Repeat("x", tool.MaxSize) + `"}`)}
		for name, test := range map[string]struct {
			in      registry.CreateInput[tool.Content]
			kind    fault.Kind
			message string
		}{
			"a duplicate name": {
				in:   registry.CreateInput[tool.Content]{Name: "taken", Release: registry.Release{Labels: []string{"l"}}},
				kind: fault.Conflict, message: "A tool with the name 'taken' already exists",
			},
			"an unknown folder":           {in: registry.CreateInput[tool.Content]{Name: "n", FolderID: new(int64(4711))}, kind: fault.NotFound, message: "Folder not found"},
			"an entity that is no folder": {in: registry.CreateInput[tool.Content]{Name: "n", FolderID: &taken.Entity.ID}, kind: fault.NotFound, message: "Folder not found"},
			"too large":                   {in: registry.CreateInput[tool.Content]{Name: "n", Content: &large}, kind: fault.BadRequest, message: "The tool is too large: it takes 1048663 bytes, more than 1048576"},
			"another's external id":       {in: registry.CreateInput[tool.Content]{Name: "n", Release: registry.Release{ExternalIDs: []entity.ExternalRef{{Source: "s", ID: "free"}, pair}}}, kind: fault.Conflict},
			"a label without a name":      {in: registry.CreateInput[tool.Content]{Name: "n", Release: registry.Release{Labels: []string{""}}}, kind: fault.Invalid},
		} {
			if test.in.Content == nil {
				test.in.Content = new(javascript("f", "return 1"))
			}
			r.unchanged(func() {
				_, err := r.Create(r.ctx, r.workspace, test.in)
				if test.message != "" {
					check.Refused(t, err, test.kind, test.message)
				} else if fault.KindOf(err) != test.kind {
					t.Errorf("%s: failed with %v", name, err)
				}
			})
		}
		r.unchanged(func() {
			_, err := r.AddVersion(r.ctx, r.workspace, "taken", large, registry.Release{})
			check.Refused(t, err, fault.BadRequest, "The tool is too large: it takes 1048663 bytes, more than 1048576")
		})
	})
}

func TestNamesAreUniquePerWorkspaceAndKind(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	first := r.create("same", javascript("f", "return 1"))
	check.Must(r.Create(r.ctx, r.other, registry.CreateInput[tool.Content]{Name: "same", Content: new(javascript("f", "return 2"))}))(t)
	check.Must(r.catalog.Entities.CreateEntity(r.ctx, entity.New{WorkspaceID: r.workspace, Kind: entity.KindPrompt, Name: "same"}))(t)
	check.Must(r.catalog.Entities.SoftDelete(r.ctx, r.workspace, []int64{first.Entity.ID}))(t)
	if again := r.create("same", javascript("f", "return 3")); again.Entity.ID == first.Entity.ID {
		t.Error("the deleted tool came back")
	}
}

func TestPermissionsToWrite(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	r.create("f", javascript("f", "return 1"))
	labelled := registry.Release{Labels: []string{"prod"}}
	every := []access.Permission{access.ToolCreate, access.ToolEdit, access.ToolDelete, access.ToolDeploy, access.PromptEdit, access.WorkflowRun}
	for name, test := range map[string]struct {
		needs []access.Permission
		do    func(held ...access.Permission) error
	}{
		"create": {[]access.Permission{access.ToolCreate}, func(held ...access.Permission) error {
			_, err := r.Create(r.as(held...), r.workspace, registry.CreateInput[tool.Content]{Name: "n", Content: new(javascript("f", "1"))})
			return err
		}},
		"create and release": {[]access.Permission{access.ToolCreate, access.ToolDeploy}, func(held ...access.Permission) error {
			_, err := r.Create(r.as(held...), r.workspace, registry.CreateInput[tool.Content]{Name: "m", Content: new(javascript("f", "1")), Release: labelled})
			return err
		}},
		"version": {[]access.Permission{access.ToolEdit}, func(held ...access.Permission) error {
			_, err := r.AddVersion(r.as(held...), r.workspace, "f", javascript("f", "1"), registry.Release{})
			return err
		}},
		"version and release": {[]access.Permission{access.ToolEdit, access.ToolDeploy}, func(held ...access.Permission) error {
			_, err := r.AddVersion(r.as(held...), r.workspace, "f", javascript("f", "1"), labelled)
			return err
		}},
		"try": {[]access.Permission{access.ToolEdit}, func(held ...access.Permission) error {
			_, err := r.Try(r.as(held...), r.workspace, "f", tool.Trial{})
			return err
		}},
	} {
		for _, missing := range test.needs {
			var held []access.Permission
			for _, one := range every {
				if one != missing {
					held = append(held, one)
				}
			}
			r.unchanged(func() {
				if err := test.do(held...); !fault.Is(err, fault.Forbidden) {
					t.Errorf("%s without %s: failed with %v", name, missing, err)
				}
			})
		}
		if err := test.do(test.needs...); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
