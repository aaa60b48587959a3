package workflow_test

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/workflow"
)

func TestCreate(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	author, message, folder := "ann@x.test", "first", check.Must(r.catalog.Entities.CreateEntity(r.ctx, entity.New{WorkspaceID: r.workspace, Kind: entity.KindFolder, Name: "f"}))(t).ID
	name := "my flow/ä"
	ref := entity.ExternalRef{Source: "crm", ID: "7"}
	record, created, err := r.Create(r.ctx, r.workspace, workflow.CreateInput{
		Name: &name, FolderID: &folder, Definition: define(t, three),
		Release: registry.Release{
			CommitMessage: &message, Author: &author, Labels: []string{"prod", "beta", "prod"}, ExternalIDs: []entity.ExternalRef{ref, ref},
		},
	})
	if err != nil || !created {
		t.Fatalf("Create = %v, %v", created, err)
	}
	check.Equal(t, "number", record.Version.Number, 1)
	check.Equal(t, "labels", record.VersionLabels(), []string{"beta", "prod"})
	check.Equal(t, "external ids", len(record.ExternalIDs), 1)
	got := r.get(name, registry.Selector{})
	check.Equal(t, "definition", show(got.Content), show(define(t, three)))
	check.Equal(t, "labels of the version", got.VersionLabels(), []string{"beta", "prod"})
	check.Equal(t, "message", got.Version.CommitMessage, &message)
	check.Equal(t, "author", got.Entity.Creator, &author)
	check.Equal(t, "folder", got.Entity.FolderID, &folder)
	check.Equal(t, "pair", got.ExternalIDs[0].ExternalRef, ref)
}

func TestCreateAddsVersions(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	first := r.create("w", three, "prod")
	id, name := first.Entity.ID, "w"
	for number, in := range []workflow.CreateInput{{WorkflowID: &id}, {WorkflowName: &name}, {WorkflowID: &id, WorkflowName: &name}} {
		in.Definition = define(t, one)
		in.Release.Labels = []string{"prod"}
		in.FolderID = &id // it is ignored
		record, created, err := r.Create(r.ctx, r.workspace, in)
		if err != nil || created {
			t.Fatalf("Create = %v, %v", created, err)
		}
		check.Equal(t, "workflow", record.Entity.ID, id)
		check.Equal(t, "number", record.Version.Number, int64(number+2))
		check.Equal(t, "definition", show(record.Content), show(define(t, one)))
		check.Equal(t, "labelled", r.get("w", registry.Selector{Label: "prod"}).Version.Number, record.Version.Number)
	}
	check.Equal(t, "labels of the first", r.get("w", registry.Selector{Number: 1}).VersionLabels(), []string{})
}

func TestUntitledWorkflows(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	r.create("Untitled Workflow 3", one)
	var names []string
	for range 4 {
		record, _, err := r.Create(r.ctx, r.workspace, workflow.CreateInput{Definition: define(t, one)})
		check.Must(0, err)(t)
		names = append(names, record.Entity.Name)
	}
	check.Equal(t, "names", names, []string{"Untitled Workflow", "Untitled Workflow 2", "Untitled Workflow 4", "Untitled Workflow 5"})
}

func TestCreateRejects(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	flow, other := r.create("w", one), r.create("v", one)
	foreign := check.Must(r.catalog.Entities.CreateEntity(r.ctx, entity.New{WorkspaceID: r.other, Kind: entity.KindWorkflow, Name: "theirs"}))(t).ID
	prompt := check.Must(r.catalog.Entities.CreateEntity(r.ctx, entity.New{WorkspaceID: r.workspace, Kind: entity.KindPrompt, Name: "p"}))(t).ID
	gone := r.create("gone", one).Entity.ID
	check.Must(r.catalog.Entities.SoftDelete(r.ctx, r.workspace, []int64{gone}))(t)
	ref := entity.ExternalRef{Source: "crm", ID: "7"}
	check.Must(0, r.catalog.Entities.AttachExternalID(r.ctx, r.workspace, prompt, ref))(t)
	name := func(text string) *string { return &text }
	tests := map[string]struct {
		in      workflow.CreateInput
		kind    fault.Kind
		message string
	}{
		"a taken name":                    {workflow.CreateInput{Name: name("w")}, fault.BadRequest, "A workflow with the name 'w' already exists"},
		"a name with an id":               {workflow.CreateInput{Name: name("x"), WorkflowID: &flow.Entity.ID}, fault.BadRequest, "name is for a new workflow and excludes workflow_id and workflow_name"},
		"a name with a name":              {workflow.CreateInput{Name: name("x"), WorkflowName: name("w")}, fault.BadRequest, "name is for a new workflow and excludes workflow_id and workflow_name"},
		"an id and another name":          {workflow.CreateInput{WorkflowID: &other.Entity.ID, WorkflowName: name("w")}, fault.BadRequest, "workflow_id and workflow_name refer to different workflows"},
		"an unknown id":                   {workflow.CreateInput{WorkflowID: &[]int64{99}[0]}, fault.NotFound, "Workflow not found"},
		"an unknown name":                 {workflow.CreateInput{WorkflowName: name("x"), WorkflowID: &flow.Entity.ID}, fault.NotFound, "Workflow not found"},
		"a name in another case":          {workflow.CreateInput{WorkflowName: name("W")}, fault.NotFound, "Workflow not found"},
		"a workflow of another workspace": {workflow.CreateInput{WorkflowID: &foreign}, fault.NotFound, "Workflow not found"},
		"a deleted workflow":              {workflow.CreateInput{WorkflowID: &gone}, fault.NotFound, "Workflow not found"},
		"an entity of another kind":       {workflow.CreateInput{WorkflowID: &prompt}, fault.NotFound, "Workflow not found"},
		"an unknown folder":               {workflow.CreateInput{Name: name("x"), FolderID: &[]int64{99}[0]}, fault.NotFound, "Folder not found"},
		"an entity that is no folder":     {workflow.CreateInput{Name: name("x"), FolderID: &prompt}, fault.NotFound, "Folder not found"},
		"a foreign external id":           {workflow.CreateInput{Name: name("x"), Release: registry.Release{Labels: []string{"l"}, ExternalIDs: []entity.ExternalRef{{Source: "a", ID: "b"}, ref}}}, fault.Conflict, "External ID already mapped to another entity"},
		"one for an existing one":         {workflow.CreateInput{WorkflowID: &flow.Entity.ID, Release: registry.Release{Labels: []string{"l"}, ExternalIDs: []entity.ExternalRef{ref}}}, fault.Conflict, "External ID already mapped to another entity"},
		"an invalid definition":           {workflow.CreateInput{Name: name("x"), Definition: define(t, graph([]string{node("a", true, "b")}, nil, ""))}, fault.BadRequest, "Node 'a' depends on unknown node or input variable 'b'"},
		"a workflow that is too large":    {workflow.CreateInput{Name: name("x"), Definition: define(t, graph([]string{typed("VARIABLE", `{"k":"`+strings.Repeat("x", workflow.MaxSize)+`"}`, "a", true)}, nil, ""))}, fault.BadRequest, "The workflow is too large: it takes 4000197 bytes, more than 4000000"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if test.in.Definition.Nodes == nil {
				test.in.Definition = define(t, one)
			}
			r.unchanged(func() {
				_, _, err := r.Create(r.ctx, r.workspace, test.in)
				check.Refused(t, err, test.kind, test.message)
			})
		})
	}
}

// TestPermissions tries everything with callers with different permissions.
func TestPermissions(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	id := r.create("w", one).Entity.ID
	as := func(held ...access.Permission) context.Context {
		return access.WithCaller(r.ctx, access.Caller{Workspace: r.workspace, Permissions: access.SetOf(held...)})
	}
	create := func(ctx context.Context, in workflow.CreateInput) error {
		in.Definition = define(t, one)
		_, _, err := r.Create(ctx, r.workspace, in)
		return err
	}
	patch := func(ctx context.Context, identifier string, p workflow.Patch) error {
		_, err := r.Patch(ctx, r.workspace, identifier, p)
		return err
	}
	prod := registry.Release{Labels: []string{"prod"}}
	denied := func(t *testing.T, err error) {
		t.Helper()
		if !fault.Is(err, fault.Forbidden) {
			t.Errorf("got the error %v, want Forbidden", err)
		}
	}
	calls := map[string]struct {
		call  func(ctx context.Context) error
		needs []access.Permission
	}{
		"create": {func(ctx context.Context) error { return create(ctx, workflow.CreateInput{}) },
			[]access.Permission{access.WorkflowCreate}},
		"create and release": {func(ctx context.Context) error { return create(ctx, workflow.CreateInput{Release: prod}) },
			[]access.Permission{access.WorkflowCreate, access.WorkflowDeploy}},
		"add a version": {func(ctx context.Context) error { return create(ctx, workflow.CreateInput{WorkflowID: &id}) },
			[]access.Permission{access.WorkflowEdit}},
		"patch": {func(ctx context.Context) error { return patch(ctx, "w", workflow.Patch{}) },
			[]access.Permission{access.WorkflowEdit}},
		"patch and release": {func(ctx context.Context) error { return patch(ctx, "w", workflow.Patch{Release: prod}) },
			[]access.Permission{access.WorkflowEdit, access.WorkflowDeploy}},
	}
	for name, test := range calls {
		t.Run(name, func(t *testing.T) {
			check.Must(0, test.call(as(test.needs...)))(t)
			for i := range test.needs {
				less := append(append([]access.Permission{access.PromptEdit}, test.needs[:i]...), test.needs[i+1:]...)
				r.unchanged(func() { denied(t, test.call(as(less...))) })
			}
		})
	}
	t.Run("not found comes before forbidden", func(t *testing.T) {
		check.Refused(t, patch(as(), "unknown", workflow.Patch{}), fault.NotFound, "Workflow not found")
		check.Refused(t, patch(as(), "w", workflow.Patch{Base: 99}), fault.NotFound, "Version not found")
		check.Refused(t, create(as(), workflow.CreateInput{WorkflowID: &[]int64{99}[0]}), fault.NotFound, "Workflow not found")
	})
	t.Run("forbidden comes before bad request", func(t *testing.T) {
		denied(t, create(as(), workflow.CreateInput{WorkflowID: &id, Name: new(string)}))
		broken := workflow.Patch{Changes: change(t, `{"nodes":{"a":null}}`)}
		denied(t, patch(as(), "w", broken))
	})
}

func TestGeneratedIDs(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	r.Service = workflow.NewService(r.catalog.Entities, simpleTypes{}, counter())
	ids := func(record *workflow.Record) string {
		var all []string
		for _, n := range record.Content.Nodes {
			all = append(all, n.ID[len(n.ID)-2:])
		}
		for _, e := range record.Content.Edges {
			all = append(all, e.ID[len(e.ID)-2:])
		}
		return strings.Join(all, " ")
	}
	check.Equal(t, "ids", ids(r.create("w", three)), "01 02 03 04 05")
	check.Equal(t, "ids of a copy", ids(r.patch("w", `{}`)), "06 07 08 09 10")
	check.Equal(t, "stored ids", ids(r.get("w", registry.Selector{Number: 1})), "01 02 03 04 05")
	check.Equal(t, "stored ids of the copy", ids(r.get("w", registry.Selector{})), "06 07 08 09 10")
}

func TestRandomID(t *testing.T) {
	t.Parallel()
	uuid := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	seen := map[string]bool{}
	for range 1000 {
		id := workflow.RandomID()
		if !uuid.MatchString(id) || seen[id] {
			t.Fatalf("%q is not a UUID or is a duplicate", id)
		}
		seen[id] = true
	}
}
