package workflow_test

import (
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/workflow"
)

func TestPatchOfEarlierVersion(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	r.create("w", one)
	r.patch("w", `{"nodes":{"b":{"node_type":"VARIABLE","configuration":{}}}}`)
	r.patch("w", `{"nodes":{"c":{"node_type":"VARIABLE","configuration":{}}}}`)
	message := "from the first"
	record := check.Must(r.Patch(r.ctx, r.workspace, "w", workflow.Patch{
		Base: 1, Changes: change(t, `{"nodes":{"d":{"node_type":"VARIABLE","configuration":{}}}}`),
		Release: registry.Release{CommitMessage: &message},
	}))(t)
	check.Equal(t, "number", record.Version.Number, 4)
	check.Equal(t, "base", record.Base, 1)
	check.Equal(t, "definition", show(record.Content), "*a VARIABLE {} <- \nd VARIABLE {} <- \n{}")
	check.Equal(t, "message", record.Version.CommitMessage, &message)
	next := r.patch("w", `{}`)
	check.Equal(t, "base of the next", next.Base, 4)
	check.Equal(t, "message of the next", next.Version.CommitMessage, nil)
	check.Equal(t, "second version", show(r.get("w", registry.Selector{Number: 2}).Content), "*a VARIABLE {} <- \nb VARIABLE {} <- \n{}")
}

func TestPatchMovesLabels(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	first := r.create("w", one, "prod", "old")
	before := check.Must(r.Labels(r.ctx, r.workspace, "w"))(t)
	second := r.patch("w", `{}`, "prod")
	check.Equal(t, "labels of the new one", second.VersionLabels(), []string{"prod"})
	check.Equal(t, "labels of the first", r.get("w", registry.Selector{Number: 1}).VersionLabels(), []string{"old"})
	check.Equal(t, "labelled", r.get("w", registry.Selector{Label: "prod"}).Version.ID, second.Version.ID)
	check.Equal(t, "labels of a third", r.patch("w", `{}`).VersionLabels(), []string{})
	after := check.Must(r.Labels(r.ctx, r.workspace, "w"))(t)
	check.Equal(t, "names", []string{after[0].Name, after[1].Name}, []string{"old", "prod"})
	check.Equal(t, "ids", []int64{after[0].ID, after[1].ID}, []int64{before[0].ID, before[1].ID})
	check.Equal(t, "versions", []int64{after[0].VersionID, after[1].VersionID}, []int64{first.Version.ID, second.Version.ID})
}

// TestPatchRejects patches three, in which c depends on b and b on a and city.
func TestPatchRejects(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	r.create("w", three, "prod")
	tests := map[string]struct {
		base    int64
		patch   string
		kind    fault.Kind
		message string
	}{
		"a removed dependency":         {0, `{"nodes":{"b":null}}`, fault.BadRequest, "Node 'c' depends on unknown node or input variable 'b'"},
		"removal of an unknown node":   {0, `{"nodes":{"x":null}}`, fault.BadRequest, "Node 'x' does not exist and cannot be removed"},
		"no output node":               {0, `{"nodes":{"c":{"is_output_node":false}}}`, fault.BadRequest, "At least one node must be an output node"},
		"a cycle":                      {0, `{"nodes":{"a":{"dependencies":["b"]}}}`, fault.BadRequest, "Workflow contains a cycle: a -> b -> a"},
		"a self-dependency":            {0, `{"nodes":{"a":{"dependencies":["a"]}}}`, fault.BadRequest, "Workflow contains a cycle: a -> a"},
		"an unknown dependency":        {0, `{"nodes":{"a":{"dependencies":["x"]}}}`, fault.BadRequest, "Node 'a' depends on unknown node or input variable 'x'"},
		"a removed variable":           {0, `{"required_input_variables":{}}`, fault.BadRequest, "Node 'b' depends on unknown node or input variable 'city'"},
		"a variable named like a node": {0, `{"required_input_variables":{"city":"","a":""}}`, fault.BadRequest, "Node 'a' has the name of an input variable"},
		"a new node without a type":    {0, `{"nodes":{"x":{"configuration":{}}}}`, fault.BadRequest, "Node 'x' is new and needs node_type and configuration"},
		"an unknown type":              {0, `{"nodes":{"a":{"node_type":"TEXT"}}}`, fault.BadRequest, "Invalid node type: TEXT"},
		"a wrong configuration":        {0, `{"nodes":{"a":{"node_type":"JOIN"}}}`, fault.BadRequest, "Invalid configuration for node 'a': sources must be a list"},
		"an edge to an unknown node":   {0, `{"edges":[` + edge("a", "x") + `]}`, fault.BadRequest, "Edge a -> x: there is no node 'x'"},
		"an edge without a dependency": {0, `{"edges":[` + edge("a", "c") + `]}`, fault.BadRequest, "Edge a -> c: 'a' must be one of the dependencies of 'c'"},
		"an unknown version":           {2, `{}`, fault.NotFound, "Version not found"},
		"too large":                    {0, `{"nodes":{"a":{"configuration":{"k":"` + strings.Repeat("x", workflow.MaxSize) + `"}}}}`, fault.BadRequest, "The workflow is too large: it takes 4001013 bytes, more than 4000000"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			r.unchanged(func() {
				_, err := r.Patch(r.ctx, r.workspace, "w", workflow.Patch{
					Base: test.base, Changes: change(t, test.patch), Release: registry.Release{Labels: []string{"prod", "new"}},
				})
				check.Refused(t, err, test.kind, test.message)
			})
		})
	}
}

// TestAtomicPatches applies patches that would be invalid in steps.
func TestAtomicPatches(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	r.create("w", three)
	first := r.patch("w", `{"nodes":{"b":null,"c":{"dependencies":["a"]}}}`)
	check.Equal(t, "edges", len(first.Content.Edges), 0)
	second := check.Must(r.Patch(r.ctx, r.workspace, "w", workflow.Patch{Base: 1, Changes: change(t, `{"nodes":{"c":{"dependencies":["a"]}}}`)}))(t)
	check.Equal(t, "copied edges", len(second.Content.Edges), 2) // b -> c is kept without effect
	third := r.patch("w", `{"nodes":{"b":{"dependencies":[]}},"required_input_variables":{}}`)
	check.Equal(t, "edges copied again", len(third.Content.Edges), 2)
	check.Equal(t, "edges of the last", show(r.get("w", registry.Selector{}).Content), show(third.Content))
}

func TestIdentifiers(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	first := r.create("two words", one)
	slashed := r.create("team/flow", one)
	digits := r.create(itoa(first.Entity.ID), one)
	odd := r.create("a%2Fb", one)
	check.Must(r.catalog.Entities.CreateEntity(r.ctx, entity.New{WorkspaceID: r.workspace, Kind: entity.KindWorkflow, Name: "empty"}))(t)
	tests := map[string]struct {
		identifier string
		version    registry.Selector
		want       int64
		message    string
	}{
		"by name":                 {"two words", registry.Selector{}, first.Entity.ID, ""},
		"by id":                   {itoa(digits.Entity.ID), registry.Selector{}, digits.Entity.ID, ""},
		"the id before the name":  {itoa(first.Entity.ID), registry.Selector{}, first.Entity.ID, ""},
		"with a slash":            {"team/flow", registry.Selector{}, slashed.Entity.ID, ""},
		"escaped twice":           {"team%2Fflow", registry.Selector{Number: 1}, slashed.Entity.ID, ""},
		"with an escape":          {"a%2Fb", registry.Selector{}, odd.Entity.ID, ""},
		"a malformed escape":      {"a%2Fb%zz", registry.Selector{}, 0, "Workflow not found"},
		"an unknown name":         {"x", registry.Selector{}, 0, "Workflow not found"},
		"an unknown id":           {"999999", registry.Selector{}, 0, "Workflow not found"},
		"a number beyond all ids": {"99999999999999999999", registry.Selector{}, 0, "Workflow not found"},
		"nothing":                 {"", registry.Selector{}, 0, "Workflow not found"},
		"an unknown version":      {"two words", registry.Selector{Number: 2}, 0, "Version not found"},
		"an unknown label":        {"two words", registry.Selector{Label: "prod"}, 0, "Release label not found"},
		"without a version":       {"empty", registry.Selector{}, 0, "Version not found"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := r.Get(r.ctx, r.workspace, test.identifier, test.version)
			if test.message != "" {
				check.Refused(t, err, fault.NotFound, test.message)
				return
			}
			check.Must(0, err)(t)
			check.Equal(t, "workflow", got.Entity.ID, test.want)
		})
	}
	_, err := r.Get(r.ctx, r.other, "two words", registry.Selector{})
	check.Refused(t, err, fault.NotFound, "Workflow not found")
	_, err = r.Labels(r.ctx, r.other, "two words")
	check.Refused(t, err, fault.NotFound, "Workflow not found")
	check.Equal(t, "labels of an empty one", check.Must(r.Labels(r.ctx, r.workspace, "empty"))(t), []entity.Label{})
}

func TestList(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	r.create("b", one, "prod", "beta")
	r.patch("b", `{}`, "prod")
	r.create("a", one)
	check.Must(r.catalog.Entities.CreateEntity(r.ctx, entity.New{WorkspaceID: r.workspace, Kind: entity.KindPrompt, Name: "p"}))(t)
	gone := r.create("c", one)
	check.Must(r.catalog.Entities.SoftDelete(r.ctx, r.workspace, []int64{gone.Entity.ID}))(t)
	ref := entity.ExternalRef{Source: "crm", ID: "7"}
	check.Must(0, r.catalog.Entities.AttachExternalID(r.ctx, r.workspace, r.get("b", registry.Selector{}).Entity.ID, ref))(t)
	items, total, err := r.List(r.ctx, entity.Query{WorkspaceID: r.workspace, Sort: entity.ByName, Ascending: true})
	check.Must(0, err)(t)
	check.Equal(t, "total", total, 2)
	check.Equal(t, "names", []string{items[0].Entity.Name, items[1].Entity.Name}, []string{"a", "b"})
	check.Equal(t, "versions", items[1].Entity.LatestVersion, 2)
	check.Equal(t, "labels", [][]string{items[0].Labels, items[1].Labels}, [][]string{nil, {"beta", "prod"}})
	check.Equal(t, "pair", items[1].ExternalIDs[0].ExternalRef, ref)
	items, total, err = r.List(r.ctx, entity.Query{WorkspaceID: r.workspace, ExternalID: &ref})
	check.Must(0, err)(t)
	check.Equal(t, "found by external id", []any{len(items), total, items[0].Entity.Name}, []any{1, int64(1), "b"})
}

// TestDamagedVersions reads versions that no client could have sent: the caller
// is not at fault.
func TestDamagedVersions(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	for name, body := range map[string]string{"empty": `{}`, "another": `{"nodes":[{}],"edges":[],"required_input_variables":{}}`} {
		made := check.Must(r.catalog.Entities.CreateEntity(r.ctx, entity.New{WorkspaceID: r.workspace, Kind: entity.KindWorkflow, Name: name}))(t)
		check.Must(r.catalog.Entities.AddVersion(r.ctx, r.workspace, made.ID, entity.NewVersion{Body: []byte(body)}))(t)
		_, err := r.Get(r.ctx, r.workspace, name, registry.Selector{})
		if err == nil || fault.KindOf(err) != fault.Internal {
			t.Errorf("%s: Get = %v, want an internal error", name, err)
		}
		if _, err := r.Patch(r.ctx, r.workspace, name, workflow.Patch{}); err == nil || fault.KindOf(err) != fault.Internal {
			t.Errorf("%s: Patch = %v, want an internal error", name, err)
		}
	}
}
