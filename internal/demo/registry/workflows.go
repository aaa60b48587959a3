package registry

import (
	"context"
	"fmt"
	"strconv"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/workflow"
	"github.com/promptuary/promptuary/internal/workflow/run"
)

// demoWorkflow is a workflow. data/workflows/NAME/1.json is its first version,
// n.json the patch for version n.
type demoWorkflow struct {
	name, folder string
	versions     []workflowVersion
}

type workflowVersion struct {
	commit string
	labels []string
}

// routing is a workflow that needs no model.
const routing = "ticket-routing"

var demoWorkflows = []demoWorkflow{
	{
		name: routing, folder: support,
		versions: []workflowVersion{
			{"Refunds up to a limit need nobody", []string{"dev"}},
			{"Tell how urgent it is", []string{"staging"}},
			{"A higher limit for refunds", []string{"prod"}},
		},
	},
	{
		name: "reply-draft", folder: replies,
		versions: []workflowVersion{
			{"Draft a reply and look for promises", nil},
			{"A model checks the tone", []string{"prod"}},
		},
	},
	{
		name: "order-numbers", folder: tools,
		versions: []workflowVersion{{"Find the order numbers of a text", []string{"prod"}}},
	},
}

func (f *Filler) addWorkflows(ctx context.Context) error {
	for i := range demoWorkflows {
		if err := f.addWorkflow(ctx, &demoWorkflows[i]); err != nil {
			return err
		}
	}
	return nil
}

func (f *Filler) addWorkflow(ctx context.Context, w *demoWorkflow) error {
	_, have, err := f.Workflows.ListVersions(ctx, f.Workspace, w.name, entity.Page{Limit: 1})
	if fault.Is(err, fault.NotFound) {
		have, err = 1, f.createWorkflow(ctx, w)
	}
	for i := int(have); i < len(w.versions) && err == nil; i++ {
		err = f.patchWorkflow(ctx, w, i)
	}
	return err
}

func (f *Filler) createWorkflow(ctx context.Context, w *demoWorkflow) error {
	tree, err := w.read(0)
	if err != nil {
		return err
	}
	var problems fault.Problems
	definition := workflow.Definition{
		Nodes:     workflow.ReadNodes(tree.Get("nodes"), fault.In("nodes"), &problems),
		Edges:     workflow.ReadEdges(tree.Get("edges"), fault.In("edges"), &problems),
		Variables: workflow.ReadVariables(tree.Get("required_input_variables"), fault.In("required_input_variables"), &problems),
	}
	if err := problems.Err(); err != nil {
		return fmt.Errorf("workflow %s: %w", w.name, err)
	}
	_, _, err = f.Workflows.Create(ctx, f.Workspace, workflow.CreateInput{
		Name: &w.name, FolderID: f.FolderID(w.folder), Definition: definition, Release: w.release(0),
	})
	return err
}

func (f *Filler) patchWorkflow(ctx context.Context, w *demoWorkflow, version int) error {
	tree, err := w.read(version)
	if err != nil {
		return err
	}
	var problems fault.Problems
	patch := workflow.Patch{Release: w.release(version)}
	patch.Changes.Nodes = workflow.ReadNodeChanges(tree.Get("nodes"), fault.In("nodes"), &problems)
	if err := problems.Err(); err != nil {
		return fmt.Errorf("workflow %s: %w", w.name, err)
	}
	_, err = f.Workflows.Patch(ctx, f.Workspace, w.name, patch)
	return err
}

func (w *demoWorkflow) read(version int) (jsontree.Value, error) {
	text, err := data.ReadFile("data/workflows/" + w.name + "/" + strconv.Itoa(version+1) + ".json")
	if err != nil {
		return jsontree.Value{}, err
	}
	return jsontree.Parse(text)
}

func (w *demoWorkflow) release(version int) registry.Release {
	v := &w.versions[version]
	return registry.Release{CommitMessage: &v.commit, Labels: v.labels, Author: authorOf(version)}
}

// routingInputs are the inputs for the runs of routing, one for each of two
// branches.
var routingInputs = []string{
	`{"subject":"Charged twice","body":"Please give me my money back for #10442.","amount":39.9,"plan":"pro"}`,
	`{"subject":"How do I add a colleague?","body":"We are three people now.","amount":0,"plan":"free"}`,
}

func (f *Filler) addRuns(ctx context.Context) error {
	_, have, err := f.Runs.List(ctx, f.Workspace, routing, run.ListQuery{Page: entity.Page{Limit: 1}})
	for i := int(have); i < len(routingInputs) && err == nil; i++ {
		err = f.runRouting(ctx, routingInputs[i])
	}
	return err
}

func (f *Filler) runRouting(ctx context.Context, inputs string) error {
	tree, err := jsontree.Parse([]byte(inputs))
	if err != nil {
		return err
	}
	started, err := f.Runs.Start(ctx, f.Workspace, routing, run.Request{Version: registry.Selector{Label: "prod"}, Inputs: tree})
	if err != nil {
		return err
	}
	return waitFor(ctx, func() (bool, error) {
		result, err := f.Runs.Result(ctx, f.Workspace, started.RunID, nil, nil)
		return err == nil && result.Ended, err
	})
}
