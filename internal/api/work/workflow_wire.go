package work

import (
	"reflect"

	"github.com/swaggest/jsonschema-go"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/rest"
	"github.com/promptuary/promptuary/internal/step"
	"github.com/promptuary/promptuary/internal/workflow"
)

// The parts of a definition are read by the domain. Each is documented by a
// struct with its members.

// workflowNodes are the nodes of a new version.
type workflowNodes []workflow.Node

// BindJSON reads complete nodes.
func (n *workflowNodes) BindJSON(v jsontree.Value, loc []any, problems *fault.Problems) {
	*n = workflow.ReadNodes(v, loc, problems)
}

// JSONSchema describes the nodes.
func (workflowNodes) JSONSchema() (jsonschema.Schema, error) { return schemaOf([]newWorkflowNode{}) }

// InlineJSONSchema keeps the type out of the named schemas.
func (workflowNodes) InlineJSONSchema() {}

// workflowNodeChanges are the changes of nodes in a patch.
type workflowNodeChanges []workflow.NodeChange

// BindJSON reads changes by node name.
func (c *workflowNodeChanges) BindJSON(v jsontree.Value, loc []any, problems *fault.Problems) {
	*c = workflow.ReadNodeChanges(v, loc, problems)
}

// JSONSchema describes the changes.
func (workflowNodeChanges) JSONSchema() (jsonschema.Schema, error) {
	s, err := schemaOf(map[string]workflowNodeChange{})
	s.AdditionalPropertiesEns().TypeObjectEns().AddType(jsonschema.Null) // null removes a node
	return s, err
}

// InlineJSONSchema keeps the type out of the named schemas.
func (workflowNodeChanges) InlineJSONSchema() {}

// workflowEdges are all edges of a new version; nil if none were given.
type workflowEdges []workflow.Edge

// BindJSON reads complete edges.
func (e *workflowEdges) BindJSON(v jsontree.Value, loc []any, problems *fault.Problems) {
	*e = workflow.ReadEdges(v, loc, problems)
}

// JSONSchema describes the edges.
func (workflowEdges) JSONSchema() (jsonschema.Schema, error) { return schemaOf([]newWorkflowEdge{}) }

// InlineJSONSchema keeps the type out of the named schemas.
func (workflowEdges) InlineJSONSchema() {}

// workflowVariables are all input variables of a new version; nil if none
// were given.
type workflowVariables []workflow.Variable

// BindJSON reads types by variable name.
func (s *workflowVariables) BindJSON(v jsontree.Value, loc []any, problems *fault.Problems) {
	*s = workflow.ReadVariables(v, loc, problems)
}

// JSONSchema describes the variables.
func (workflowVariables) JSONSchema() (jsonschema.Schema, error) {
	return schemaOf(map[string]string{})
}

// InlineJSONSchema keeps the type out of the named schemas.
func (workflowVariables) InlineJSONSchema() {}

// schemaOf returns the schema of a value's type. Only pointers can be null.
func schemaOf(sample any) (jsonschema.Schema, error) {
	reflector := jsonschema.Reflector{}
	return reflector.Reflect(sample, jsonschema.InlineRefs,
		jsonschema.InterceptNullability(func(params jsonschema.InterceptNullabilityParams) {
			if params.Type.Kind() != reflect.Pointer {
				params.Schema.RemoveType(jsonschema.Null)
			}
		}))
}

type newWorkflowNode struct {
	Name          string         `json:"name" required:"true" minLength:"1" maxLength:"255" description:"Name of the node, unique in the version."`
	NodeType      string         `json:"node_type" required:"true" description:"Node type, in upper case."`
	Configuration map[string]any `json:"configuration" required:"true" description:"Configuration of the node; its members depend on the type."`
	Dependencies  []string       `json:"dependencies" maxItems:"3000" description:"Names of the nodes and input variables that the node depends on."`
	IsOutput      bool           `json:"is_output_node" required:"true" description:"Whether the node's value can be the result of a run."`
	Retries       int64          `json:"retries" minimum:"0" maximum:"5" description:"How often the node runs again if it fails, after 1, 2, 4, … seconds. Only for nodes that call something or run code."`
}

type workflowNodeChange struct {
	NodeType      *string        `json:"node_type" description:"New type; required for a new node."`
	Configuration map[string]any `json:"configuration" description:"Members to merge into the configuration; required for a new node."`
	Dependencies  []string       `json:"dependencies" maxItems:"3000" description:"New dependencies, which replace all."`
	IsOutput      *bool          `json:"is_output_node" description:"Whether the node's value can be the result of a run; defaults to false for a new node."`
	Retries       *int64         `json:"retries" minimum:"0" maximum:"5" description:"How often the node runs again if it fails; defaults to 0 for a new node."`
}

type newWorkflowEdge struct {
	Source       string                   `json:"source_node_name" required:"true" minLength:"1" maxLength:"255" description:"Name of the source node, a dependency of the target."`
	Target       string                   `json:"target_node_name" required:"true" minLength:"1" maxLength:"255" description:"Name of the target node, which is skipped if the edge's condition is false."`
	IsAnd        bool                     `json:"is_and" required:"true" description:"Whether all conditions must be true (true) or any one of them (false)."`
	Conditionals []newWorkflowConditional `json:"conditionals" required:"true" minItems:"1" maxItems:"100" description:"Conditions."`
}

type newWorkflowConditional struct {
	Position int64          `json:"position" required:"true" minimum:"0" description:"Evaluation order, lowest first."`
	Operator string         `json:"operator" required:"true" enum:"=,!=,<,>,<=,>=,in,not_in,is_null,is_not_null" description:"Comparison operator."`
	Left     map[string]any `json:"left_config" required:"true" description:"Left operand: a source with the name of a node or an input variable, or a static_value."`
	Right    map[string]any `json:"right_config" required:"true" description:"Right operand, like left_config; ignored by is_null and is_not_null."`
}

type createWorkflowRequest struct {
	Name          *string           `json:"name" minLength:"1" maxLength:"255" description:"Name of a new workflow; generated if omitted."`
	WorkflowID    *int64            `json:"workflow_id" minimum:"1" description:"The id of the workflow to add a version to."`
	WorkflowName  *string           `json:"workflow_name" minLength:"1" description:"Name of the workflow, instead of its id."`
	FolderID      *int64            `json:"folder_id" minimum:"1" description:"The id of the folder for a new workflow; defaults to the root."`
	CommitMessage *string           `json:"commit_message" description:"What changed in this version."`
	Nodes         workflowNodes     `json:"nodes" required:"true" description:"All nodes; at most 2,000."`
	Variables     workflowVariables `json:"required_input_variables" description:"Types of the input variables by name; at most 1,000."`
	Edges         workflowEdges     `json:"edges" description:"All edges; at most 10,000."`
	Labels        []string          `json:"release_labels" maxItems:"1000" items.minLength:"1" items.maxLength:"255" description:"Release labels to create at, or move to, the new version."`
	ExternalIDs   []kit.ExternalID  `json:"external_ids" maxItems:"1000" description:"External ids to attach to the workflow."`
}

type workflowIdentifier struct {
	Identifier string `path:"workflow_id_or_name" description:"The workflow's id or name."`
}

type patchWorkflowRequest struct {
	workflowIdentifier
	BaseVersion   *int64              `json:"base_version" minimum:"1" description:"Number of the version to start from; defaults to the latest."`
	CommitMessage *string             `json:"commit_message" description:"What changed in this version."`
	Nodes         workflowNodeChanges `json:"nodes" description:"Nodes by name: an object adds or changes a node, null removes it. Other nodes are kept."`
	Variables     workflowVariables   `json:"required_input_variables" description:"New input variables, which replace all."`
	Edges         workflowEdges       `json:"edges" description:"New edges, which replace all. If omitted, edges are kept except those of removed nodes."`
	Labels        []string            `json:"release_labels" maxItems:"1000" items.minLength:"1" items.maxLength:"255" description:"Release labels to create at, or move to, the new version."`
}

// workflowRecord is the response with a new version.
type workflowRecord struct {
	Success       bool                  `json:"success" required:"true" description:"Always true."`
	Message       string                `json:"message" required:"true" description:"Result message."`
	WorkflowID    int64                 `json:"workflow_id" required:"true" description:"The id of the workflow."`
	WorkflowName  string                `json:"workflow_name" required:"true" description:"Name."`
	VersionID     int64                 `json:"workflow_version_id" required:"true" description:"The id of the new version."`
	VersionNumber int64                 `json:"version_number" required:"true" description:"Version number."`
	BaseVersion   *int64                `json:"base_version" required:"true" description:"Number of the version that was patched; null for other versions."`
	Labels        []string              `json:"release_labels" required:"true" description:"Release labels that point at the version."`
	Nodes         []workflowNodeSummary `json:"nodes" required:"true" description:"The nodes in order."`
	Variables     rest.RawObject        `json:"required_input_variables" required:"true" description:"Types of the input variables by name."`
	ExternalIDs   []kit.ExternalID      `json:"external_ids" required:"true" description:"All external ids of the workflow."`
}

type workflowNodeSummary struct {
	ID       string `json:"id" required:"true" description:"The id of the node in this version."`
	Name     string `json:"name" required:"true" description:"Name."`
	NodeType string `json:"node_type" required:"true" description:"Node type."`
	IsOutput bool   `json:"is_output_node" required:"true" description:"Whether the node's value can be the result of a run."`
}

func wireWorkflowRecord(r *workflow.Record, message string) *workflowRecord {
	return &workflowRecord{
		Success: true, Message: message, WorkflowID: r.Entity.ID, WorkflowName: r.Entity.Name,
		VersionID: r.Version.ID, VersionNumber: r.Version.Number, BaseVersion: kit.OrNil(r.Base), Labels: r.VersionLabels(),
		Nodes: kit.EachRef(r.Content.Nodes, func(n *workflow.Node) workflowNodeSummary {
			return workflowNodeSummary{ID: n.ID, Name: n.Name, NodeType: n.Type, IsOutput: n.IsOutput}
		}),
		Variables: workflow.EncodeVariables(r.Content.Variables), ExternalIDs: kit.WireExternalIDs(r.ExternalIDs),
	}
}

type getWorkflowQuery struct {
	workflowIdentifier
	kit.VersionQuery
}

// workflowVersion is one version of a workflow. Clients read its number from
// version or version_number, and the workflow's id from workflow_id or
// workflow.
type workflowVersion struct {
	Success       bool               `json:"success" required:"true" description:"Always true."`
	WorkflowID    int64              `json:"workflow_id" required:"true" description:"The id of the workflow."`
	WorkflowName  string             `json:"workflow_name" required:"true" description:"Name."`
	Version       int64              `json:"version" required:"true" description:"Version number."`
	VersionNumber int64              `json:"version_number" required:"true" description:"Version number."`
	VersionID     int64              `json:"workflow_version_id" required:"true" description:"The id of the version."`
	CommitMessage *string            `json:"commit_message" required:"true" description:"What changed in this version."`
	Variables     rest.RawObject     `json:"required_input_variables" required:"true" description:"Types of the input variables by name."`
	Labels        []string           `json:"release_labels" required:"true" description:"Release labels that point at the version."`
	CreatedAt     rest.Time          `json:"created_at" required:"true" description:"When the version was created."`
	Nodes         []workflowNodeItem `json:"nodes" required:"true" description:"The nodes in order."`
	Edges         []workflowEdgeItem `json:"edges" required:"true" description:"The edges."`
	ExternalIDs   []kit.ExternalID   `json:"external_ids" required:"true" description:"All external ids of the workflow."`
	Workflow      workflowHead       `json:"workflow" required:"true" description:"The workflow."`
}

type workflowHead struct {
	ID          int64  `json:"id" required:"true" description:"The id of the workflow."`
	WorkspaceID int64  `json:"workspace_id" required:"true" description:"The id of the workspace."`
	UserID      *int64 `json:"user_id" required:"true" description:"The id of the account that created it; null if unknown."`
	Name        string `json:"name" required:"true" description:"Name."`
	IsDraft     bool   `json:"is_draft" required:"true" description:"Always false."`
	IsDeleted   bool   `json:"is_deleted" required:"true" description:"Always false."`
}

type workflowNodeItem struct {
	ID            string         `json:"id" required:"true" description:"The id of the node in this version."`
	VersionID     int64          `json:"workflow_version_id" required:"true" description:"The id of the version."`
	Name          string         `json:"name" required:"true" description:"Name of the node."`
	NodeType      stepType       `json:"node_type" required:"true" description:"Node type."`
	IsOutput      bool           `json:"is_output_node" required:"true" description:"Whether the node's value can be the result of a run."`
	Configuration rest.RawObject `json:"configuration" required:"true" description:"Configuration of the node, with … in place of credentials."`
	Dependencies  []string       `json:"dependencies" required:"true" description:"Names of the nodes and input variables that the node depends on."`
	Retries       int64          `json:"retries,omitempty" description:"How often the node runs again if it fails; omitted if never."`
}

type workflowEdgeItem struct {
	ID           string                    `json:"id" required:"true" description:"The id of the edge in this version."`
	Source       string                    `json:"source_node_name" required:"true" description:"Name of the source node."`
	Target       string                    `json:"target_node_name" required:"true" description:"Name of the target node, which is skipped if the edge's condition is false."`
	IsAnd        bool                      `json:"is_and" required:"true" description:"Whether all conditions must be true (true) or any one of them (false)."`
	Conditionals []workflowConditionalItem `json:"conditionals" required:"true" description:"Conditions."`
}

type workflowConditionalItem struct {
	Position int64          `json:"position" required:"true" description:"Evaluation order, lowest first."`
	Operator string         `json:"operator" required:"true" description:"Comparison operator."`
	Left     rest.RawObject `json:"left_config" required:"true" description:"Left operand."`
	Right    rest.RawObject `json:"right_config" required:"true" description:"Right operand."`
}

func wireWorkflowVersion(r *workflow.Record) *workflowVersion {
	return &workflowVersion{
		Success: true, WorkflowID: r.Entity.ID, WorkflowName: r.Entity.Name,
		Version: r.Version.Number, VersionNumber: r.Version.Number, VersionID: r.Version.ID, CommitMessage: r.Version.CommitMessage,
		Variables: workflow.EncodeVariables(r.Content.Variables), Labels: r.VersionLabels(),
		CreatedAt:   kit.Time(r.Version.CreatedAt),
		Nodes:       wireWorkflowNodes(r.Content.Nodes, r.Version.ID),
		Edges:       kit.EachRef(r.Content.Edges, wireWorkflowEdge),
		ExternalIDs: kit.WireExternalIDs(r.ExternalIDs),
		Workflow:    workflowHead{ID: r.Entity.ID, WorkspaceID: r.Entity.WorkspaceID, UserID: r.Entity.CreatorID, Name: r.Entity.Name},
	}
}

func wireWorkflowNodes(nodes []workflow.Node, version int64) []workflowNodeItem {
	return kit.EachRef(nodes, func(n *workflow.Node) workflowNodeItem {
		return workflowNodeItem{
			ID: n.ID, VersionID: version, Name: n.Name, NodeType: stepType(n.Type), IsOutput: n.IsOutput,
			Configuration: step.Conceal(n.Type, n.Configuration), Dependencies: rest.NonNil(n.Dependencies), Retries: int64(n.Retries),
		}
	})
}

func wireWorkflowEdge(e *workflow.Edge) workflowEdgeItem {
	return workflowEdgeItem{
		ID: e.ID, Source: e.Source, Target: e.Target, IsAnd: e.IsAnd,
		Conditionals: kit.EachRef(e.Conditionals, func(c *workflow.Conditional) workflowConditionalItem {
			return workflowConditionalItem{Position: c.Position, Operator: string(c.Operator), Left: c.Left.Raw(), Right: c.Right.Raw()}
		}),
	}
}
