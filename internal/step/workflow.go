package step

import (
	"context"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// MaxDepth is the maximum nesting depth of workflows.
const MaxDepth = 10

// workflowCall is a workflow with its inputs.
type workflowCall struct {
	request  WorkflowRequest
	mappings []mapping
}

var workflowSpec = Spec{
	Name: "WORKFLOW", Label: "Workflow", Group: groupNesting, Icon: "workflow",
	Doc:     "Runs another workflow and returns its output.",
	Summary: "{workflow_name|workflow_id}",
	Initial: []byte(`{"workflow_name":"","input_mappings":{}}`),
	Work:    Effect,
	Fields: []Field{
		{Name: "workflow_name", Kind: FieldText, Label: "Workflow", Optional: true, Hint: "Enter the name, or the ID below."},
		{Name: "workflow_id", Kind: FieldNumber, Label: "Workflow ID", Optional: true},
		{Name: "workflow_label", Kind: FieldText, Label: "Release label", Optional: true, Hint: "Defaults to the latest version."},
		{Name: "workflow_version_number", Kind: FieldNumber, Label: "Version", Optional: true},
		mappingField,
	},
	read: readWorkflow,
}

// readWorkflow reads WORKFLOW: the final output of another workflow.
func readWorkflow(c *settings) runner {
	call := readWorkflowCall(c)
	if !call.request.names() {
		c.reportAt("workflow_id", fault.Required)
	}
	return call.run
}

func readWorkflowCall(c *settings) *workflowCall {
	call := &workflowCall{request: WorkflowRequest{
		Version: c.integer("workflow_version_number"),
		Label:   c.optionalText("workflow_label"),
	}}
	switch id, _ := c.get("workflow_id"); {
	case id.Kind() == jsontree.String && !isDigits(id.Str()):
		call.request.Name = c.text("workflow_id") // clients often send a name here
	case id.Given():
		call.request.ID = c.integer("workflow_id")
	default:
		call.request.Name = c.optionalText("workflow_name")
	}
	if call.request.Version != 0 && call.request.Label != "" {
		c.fail("'workflow_version_number' and 'workflow_label' cannot both be given")
	}
	call.mappings = c.mappings("input_mappings")
	return call
}

// names reports whether the request identifies a workflow.
func (r WorkflowRequest) names() bool { return r.ID != 0 || r.Name != "" || r.VersionID != 0 }

func (w *workflowCall) run(ctx context.Context, env *Env) (jsontree.Value, error) {
	if env.Workflows == nil {
		return jsontree.Value{}, missing("Running workflows is")
	}
	if env.Depth >= MaxDepth {
		return jsontree.Value{}, failf("workflows are nested deeper than %d levels", MaxDepth)
	}
	inputs, err := mapped(env, w.mappings)
	if err != nil {
		return inputs, err
	}
	request := w.request
	request.Inputs, request.Depth = inputs, env.Depth+1
	return env.Workflows.Run(ctx, request)
}
