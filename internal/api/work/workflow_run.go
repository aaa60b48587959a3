package work

import (
	"context"
	"net/http"
	"strconv"

	"github.com/swaggest/jsonschema-go"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/rest"
	"github.com/promptuary/promptuary/internal/workflow/run"
)

// workflowRuns has the handlers of workflow runs. Clients show only the error
// code of these operations, so it repeats the message.
type workflowRuns struct{ service *run.Service }

func (h workflowRuns) operations() []rest.Op {
	return kit.Tagged(workflowTag, []rest.Op{
		{
			Method: http.MethodPost, Path: "/workflows/{workflow_id_or_name...}/run", ID: "runWorkflow", Summary: "Run a workflow",
			Description: "Starts a run and returns its id immediately. Use the id to get the result, wait for it on a channel, " +
				"or have it sent to a callback_url, in which case the status is 202. Missing and unused input variables only cause a warning.",
			Status: http.StatusCreated, Also: []int{http.StatusAccepted, http.StatusBadRequest, http.StatusForbidden, http.StatusNotFound},
			ErrorText: true, EmptyBody: true, Handler: rest.Handle(h.start),
		},
		{
			Method: http.MethodPost, Path: "/workflows/{workflow_id_or_name...}/dry-run", ID: "dryRunWorkflow", Summary: "Run edits of a version",
			Description: "Starts a run of a definition without making a version of it, and returns its id immediately. The definition is checked like that of a new version; " +
				"… keeps the credential that the base version has there. Nodes run as in any other run: a step with an effect has it. " +
				"The run is listed as a dry run, sends no webhooks, and its requests have the source playground. Needs the permission to edit workflows as well.",
			Status: http.StatusCreated, Also: []int{http.StatusForbidden, http.StatusNotFound}, Handler: rest.Handle(h.dryRun),
		},
		{
			Method: http.MethodGet, Path: "/workflow-version-execution-results", ID: "getWorkflowExecutionResults", Summary: "Get the result of a run",
			Description: "Returns the output of a completed run, which is any JSON value. While the run is in progress (202), if it produced no output, " +
				"or with return_all_outputs, returns an object with the status of each node instead.",
			Also: []int{http.StatusAccepted, http.StatusNotFound}, ErrorText: true, Handler: rest.RawBound(runOutput{}, h.result),
		},
		{
			Method: http.MethodPost, Path: "/api/public/v2/workflow-executions/{execution_id}/cancel", ID: "cancelWorkflowExecution", Summary: "Cancel a run",
			Description: "Cancels a run: running nodes are interrupted and fail, the others are skipped. Has no effect on a run that has ended.",
			Status:      http.StatusAccepted, Also: []int{http.StatusForbidden, http.StatusNotFound}, ErrorText: true, Handler: rest.Handle(h.cancel),
		},
		{
			Method: http.MethodGet, Path: "/api/public/v2/workflow-executions/{execution_id}", ID: "getWorkflowExecution", Summary: "Get a run",
			Description: "Returns a run with the nodes and edges that it runs, which for a dry run are not those of a version. Credentials are shown as ….",
			Also:        []int{http.StatusNotFound}, Handler: rest.Handle(h.get),
		},
		{
			Method: http.MethodGet, Path: "/workflows/{workflow_id_or_name...}/executions", ID: "listWorkflowExecutions",
			Summary: "List runs",
			Description: "Returns a page of the runs of all versions of a workflow, newest first, without dry runs unless dry_runs asks for them. A run that has ended has the status CANCELLED " +
				"if it was cancelled before all nodes were done, SUCCESS if it produced an output, and otherwise FAILED.",
			Also: []int{http.StatusNotFound}, Handler: rest.Handle(h.list),
		},
	})
}

type runWorkflowRequest struct {
	Identifier  string         `path:"workflow_id_or_name" description:"The workflow's name or id."`
	Label       *string        `json:"workflow_label_name" minLength:"1" maxLength:"255" description:"Release label of the version to run."`
	Version     *looseInt      `json:"workflow_version_number" description:"Number of the version to run. Defaults to the latest version if neither number nor label is given."`
	Inputs      jsontree.Value `json:"input_variables" description:"Input variables: an object with values of any type."`
	Metadata    stringMembers  `json:"metadata" description:"Strings by name, attached to everything that the run logs."`
	AllOutputs  bool           `json:"return_all_outputs" description:"Whether the callback and the channel receive the outputs of all nodes."`
	CallbackURL *string        `json:"callback_url" maxLength:"2048" description:"URL to send the result to, with POST, when the run ends."`
	Channel     *string        `json:"channel_name_suffix" maxLength:"255" description:"Suffix of the name of the channel that the client waits on."`
}

// Validate checks what the tags cannot express.
func (in *runWorkflowRequest) Validate(problems *fault.Problems) {
	checkInputs(in.Inputs, problems)
	if in.Label != nil && in.Version != nil {
		problems.Add(fault.At(kit.BodyLoc, "workflow_label_name"), "value_error", "Either workflow_label_name or workflow_version_number can be given, not both")
	}
	if in.CallbackURL != nil {
		if wrong := run.CheckCallback(*in.CallbackURL); wrong != "" {
			problems.Add(fault.At(kit.BodyLoc, "callback_url"), "value_error", "%s", wrong)
		}
	}
}

// checkInputs reports input variables that are not an object.
func checkInputs(inputs jsontree.Value, problems *fault.Problems) {
	if inputs.Given() && inputs.Kind() != jsontree.Object {
		problems.Report(fault.At(kit.BodyLoc, "input_variables"), fault.ObjectType)
	}
}

type runWorkflowResponse struct {
	Success   bool    `json:"success" required:"true" description:"Always true."`
	Message   string  `json:"message" required:"true" description:"Result message."`
	Warning   *string `json:"warning" required:"true" description:"Missing and unused input variables; null if there are none."`
	RunID     int64   `json:"workflow_version_execution_id" required:"true" description:"The id of the run."`
	TraceID   string  `json:"trace_id" required:"true" description:"The id of the trace that the run writes."`
	hasCaller bool
}

// HTTPStatus implements rest.StatusCoder: it is 202 for runs with a callback.
func (r *runWorkflowResponse) HTTPStatus() int {
	if r.hasCaller {
		return http.StatusAccepted
	}
	return http.StatusCreated
}

func (h workflowRuns) start(ctx context.Context, in *runWorkflowRequest) (*runWorkflowResponse, error) {
	request := run.Request{
		Version: registry.Selector{Label: kit.OrZero(in.Label), Number: int64(kit.OrZero(in.Version))}, Inputs: in.Inputs, Metadata: in.Metadata.object,
		AllOutputs: in.AllOutputs, CallbackURL: kit.OrZero(in.CallbackURL), Channel: kit.OrZero(in.Channel),
	}
	started, err := h.service.Start(ctx, kit.Workspace(ctx), in.Identifier, request)
	if err != nil {
		return nil, err
	}
	answer := &runWorkflowResponse{Success: true, Message: "Workflow execution created successfully", RunID: started.RunID, TraceID: started.TraceID, Warning: kit.OrNil(started.Warning)}
	if in.CallbackURL != nil {
		answer.Message, answer.hasCaller = "Workflow execution accepted", true
	}
	return answer, nil
}

type runResultQuery struct {
	RunID      int64   `query:"workflow_version_execution_id" required:"true" minimum:"1" description:"The id of the run."`
	AllOutputs bool    `query:"return_all_outputs" description:"Whether to return all nodes instead of the output."`
	NodeName   *string `query:"workflow_node_name" description:"Return only the node with this name."`
	NodeID     *string `query:"workflow_node_id" description:"Return only the node with this id."`
}

// runOutput documents a response that is any JSON value.
type runOutput struct{}

// JSONSchema allows all types.
func (runOutput) JSONSchema() (jsonschema.Schema, error) {
	s := jsonschema.Schema{}
	for _, kind := range []jsonschema.SimpleType{
		jsonschema.Object, jsonschema.Array, jsonschema.String, jsonschema.Number, jsonschema.Boolean, jsonschema.Null,
	} {
		s.AddType(kind)
	}
	s.WithDescription("The output, or an object with the status of each node.")
	s.WithAdditionalProperties(jsonschema.SchemaOrBool{TypeBoolean: new(true)})
	return s, nil
}

func (h workflowRuns) result(w http.ResponseWriter, r *rest.Request, in *runResultQuery) error {
	result, err := h.service.Result(r.Context(), kit.Workspace(r.Context()), in.RunID, in.NodeName, in.NodeID)
	if err != nil {
		return err
	}
	status := http.StatusOK
	if !result.Ended {
		status = http.StatusAccepted
	}
	rest.WriteBytes(w, status, result.Body(in.AllOutputs || in.NodeName != nil || in.NodeID != nil))
	return nil
}

type executionPath struct {
	RunID int64 `path:"execution_id" minimum:"1" description:"The id of the run."`
}

func (h workflowRuns) cancel(ctx context.Context, in *executionPath) (*kit.DoneResponse, error) {
	found, err := h.service.Cancel(ctx, kit.Workspace(ctx), in.RunID)
	if err != nil {
		return nil, err
	}
	if found.EndedAt != nil {
		return kit.Done("The run has already ended", nil)
	}
	return kit.Done("The run is being cancelled", nil)
}

// looseInt is a positive integer that some clients send as a string.
type looseInt int64

// BindJSON reads an integer or a string of digits.
func (n *looseInt) BindJSON(v jsontree.Value, loc []any, problems *fault.Problems) {
	number, ok := v.Int()
	if v.Kind() == jsontree.String {
		parsed, err := strconv.ParseInt(v.Str(), 10, 64)
		number, ok = parsed, err == nil
	}
	switch {
	case !ok:
		problems.Report(loc, fault.IntText)
	case number < 1:
		problems.Report(loc, fault.Minimum(1))
	default:
		*n = looseInt(number)
	}
}

// JSONSchema implements jsonschema.Exposer.
func (looseInt) JSONSchema() (jsonschema.Schema, error) {
	return kit.NumberOrText()
}

// InlineJSONSchema keeps the type out of the named schemas.
func (looseInt) InlineJSONSchema() {}

// stringMembers is an object whose members are strings.
type stringMembers struct{ object jsontree.Value }

// BindJSON reads such an object.
func (m *stringMembers) BindJSON(v jsontree.Value, loc []any, problems *fault.Problems) {
	if v.Kind() != jsontree.Object {
		problems.Report(loc, fault.ObjectType)
		return
	}
	for name, member := range v.Members() {
		if member.Kind() != jsontree.String {
			problems.Report(fault.At(loc, name), fault.StringType)
		}
	}
	m.object = v
}

// JSONSchema implements jsonschema.Exposer.
func (stringMembers) JSONSchema() (jsonschema.Schema, error) {
	s, text := jsonschema.Schema{}, jsonschema.SchemaOrBool{}
	s.AddType(jsonschema.Object)
	text.TypeObjectEns().AddType(jsonschema.String)
	s.WithAdditionalProperties(text)
	return s, nil
}

// InlineJSONSchema keeps the type out of the named schemas.
func (stringMembers) InlineJSONSchema() {}
