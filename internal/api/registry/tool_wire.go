package registry

import (
	"context"
	"math"
	"strconv"
	"time"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/rest"
	"github.com/promptuary/promptuary/internal/tool"
)

// toolExecution is the code of a tool.
type toolExecution struct {
	Type     string `json:"type" required:"true" enum:"code" description:"Always \"code\"."`
	Language string `json:"language" required:"true" enum:"python,javascript" description:"Programming language of the code. Python runs only if the operator enabled it."`
	Code     string `json:"code" required:"true" maxLength:"1048576" description:"Body of a function whose parameter args holds the inputs."`
}

func (e *toolExecution) execution() tool.Execution {
	if e == nil {
		return tool.Execution{}
	}
	return tool.Execution{Language: e.Language, Code: e.Code}
}

// newToolVersion is what a new version and a new tool have in common.
type newToolVersion struct {
	Definition     rest.RawObject `json:"tool_definition" required:"true" description:"Definition shown to models, in the form of an OpenAI function. Any object is stored as is."`
	Execution      *toolExecution `json:"execution" description:"Code that runs the tool; without it the registry cannot run the tool."`
	ResponseSchema rest.RawObject `json:"response_schema" description:"JSON schema of the response."`
	CommitMessage  *string        `json:"commit_message" maxLength:"10000" description:"What changed in this version."`
	Labels         []string       `json:"release_labels" maxItems:"1000" items.minLength:"1" items.maxLength:"255" description:"Release labels to create at, or move to, the new version."`
}

func (in *newToolVersion) content(description *string) tool.Content {
	return tool.Content{
		Description: description, Definition: in.Definition,
		Execution: in.Execution.execution(), ResponseSchema: in.ResponseSchema,
	}
}

func (in *newToolVersion) release(ctx context.Context, attached ...kit.ExternalID) registry.Release {
	return registry.Release{
		CommitMessage: in.CommitMessage, Labels: in.Labels, ExternalIDs: kit.ExternalRefs(attached), Author: kit.Author(ctx),
	}
}

type createToolRequest struct {
	Name        string  `json:"name" required:"true" minLength:"1" maxLength:"255" description:"Name of the tool, unique in the workspace."`
	Description *string `json:"description" maxLength:"10000" description:"Purpose."`
	FolderID    *int64  `json:"folder_id" minimum:"1" description:"The id of the folder; defaults to the root."`
	newToolVersion
	ExternalIDs []kit.ExternalID `json:"external_ids" maxItems:"1000" description:"External ids to attach to the tool."`
}

type addToolVersionRequest struct {
	toolIdentifier
	newToolVersion
}

// toolVersionQuery selects a version. Its number is a string, because some
// clients send it that way.
type toolVersionQuery struct {
	toolIdentifier
	Label  *string `query:"label" minLength:"1" description:"Release label of the version."`
	Number *string `query:"version" pattern:"^[0-9]+$" description:"Version number. Defaults to the latest version if neither version nor label is given."`
}

func (in *toolVersionQuery) check(problems *fault.Problems) {
	if in.Label != nil && in.Number != nil {
		problems.Add([]any{"query", "version"}, "value_error", "version and label are mutually exclusive")
	}
}

func (in *toolVersionQuery) version() registry.Selector {
	chosen := registry.Selector{Label: kit.OrZero(in.Label)}
	if in.Number == nil {
		return chosen
	}
	number, err := strconv.ParseInt(*in.Number, 10, 64)
	if err != nil || number == 0 {
		number = math.MaxInt64 // matches no version
	}
	chosen.Number = number
	return chosen
}

type getToolQuery struct{ toolVersionQuery }

// Validate rejects a version together with a label.
func (in *getToolQuery) Validate(problems *fault.Problems) { in.check(problems) }

type tryToolRequest struct {
	toolVersionQuery
	Inputs     rest.RawObject `json:"inputs" description:"Value of args; defaults to an empty object."`
	Execution  *toolExecution `json:"execution" description:"Code to run instead of the version's."`
	Definition rest.RawObject `json:"tool_definition" description:"Definition to use instead of the version's."`
}

// Validate rejects a version together with a label.
func (in *tryToolRequest) Validate(problems *fault.Problems) { in.check(problems) }

// listToolsQuery selects tools, by default those that changed last first.
type listToolsQuery struct {
	kit.Filters
	SortBy    string `query:"sort_by" enum:"created_at,updated_at,name,id" default:"updated_at" description:"Sort key."`
	SortOrder string `query:"sort_order" enum:"asc,desc" default:"desc" description:"Sort direction."`
	kit.WorkspaceQuery
}

type toolItem struct {
	ID          int64            `json:"id" required:"true" description:"The id of the tool."`
	Name        string           `json:"name" required:"true" description:"Name."`
	Description *string          `json:"description" required:"true" description:"Purpose."`
	WorkspaceID int64            `json:"workspace_id" required:"true" description:"The id of the workspace."`
	FolderID    *int64           `json:"folder_id" required:"true" description:"The id of the folder; null at the root."`
	CreatedAt   rest.Time        `json:"created_at" required:"true" description:"When it was created."`
	UpdatedAt   rest.Time        `json:"updated_at" required:"true" description:"When it was last changed."`
	ExternalIDs []kit.ExternalID `json:"external_ids" required:"true" description:"The external ids."`
}

func wireTool(e *entity.Entity, description *string, attached []entity.ExternalID) toolItem {
	return toolItem{
		ID: e.ID, Name: e.Name, Description: description, WorkspaceID: e.WorkspaceID, FolderID: e.FolderID,
		CreatedAt: kit.Time(e.CreatedAt), UpdatedAt: kit.Time(e.UpdatedAt),
		ExternalIDs: kit.WireExternalIDs(attached),
	}
}

type toolList struct {
	Success bool       `json:"success" required:"true" description:"Always true."`
	Tools   []toolItem `json:"tool_registries" required:"true" description:"The tools."`
}

// toolVersion is one version. Some clients read its number from number,
// others from version_number.
type toolVersion struct {
	ID             int64          `json:"id" required:"true" description:"The id of the version."`
	ToolID         int64          `json:"tool_registry_id" required:"true" description:"The id of the tool."`
	Number         int64          `json:"number" required:"true" description:"Version number."`
	VersionNumber  int64          `json:"version_number" required:"true" description:"Version number."`
	Definition     rest.RawObject `json:"tool_definition" required:"true" description:"Definition shown to models."`
	Execution      *toolExecution `json:"execution" required:"true" description:"Code that runs the tool; null if there is none."`
	ResponseSchema kit.RawJSON    `json:"response_schema" required:"true" description:"JSON schema of the response; null if there is none."`
	CommitMessage  *string        `json:"commit_message" required:"true" description:"What changed in this version."`
	CreatedBy      *string        `json:"created_by" required:"true" description:"Email address of the author; null if unknown."`
	CreatedAt      rest.Time      `json:"created_at" required:"true" description:"When it was created."`
}

func wireToolVersion(r *tool.Record) toolVersion {
	v := toolVersion{
		ID: r.Version.ID, ToolID: r.Entity.ID, Number: r.Version.Number, VersionNumber: r.Version.Number,
		Definition: r.Content.Definition, ResponseSchema: r.Content.ResponseSchema,
		CommitMessage: r.Version.CommitMessage, CreatedBy: r.Version.Creator, CreatedAt: kit.Time(r.Version.CreatedAt),
	}
	if r.Content.Execution.Given() {
		v.Execution = &toolExecution{Type: "code", Language: r.Content.Execution.Language, Code: r.Content.Execution.Code}
	}
	return v
}

type createdTool struct {
	Success     bool             `json:"success" required:"true" description:"Always true."`
	Tool        toolItem         `json:"tool_registry" required:"true" description:"The tool."`
	Version     toolVersion      `json:"version" required:"true" description:"The first version."`
	ExternalIDs []kit.ExternalID `json:"external_ids" required:"true" description:"The external ids."`
}

type addedToolVersion struct {
	Success bool        `json:"success" required:"true" description:"Always true."`
	Version toolVersion `json:"version" required:"true" description:"The new version."`
}

type toolResponse struct {
	Success bool       `json:"success" required:"true" description:"Always true."`
	Tool    toolRecord `json:"tool_registry" required:"true" description:"The tool with one of its versions."`
}

type toolRecord struct {
	toolItem
	Labels     []toolLabel    `json:"labels" required:"true" description:"All release labels of the tool, by name."`
	Version    toolVersion    `json:"version" required:"true" description:"The selected version."`
	Definition rest.RawObject `json:"tool_definition" required:"true" description:"Definition of that version."`
}

type toolLabel struct {
	ID            int64  `json:"id" required:"true" description:"The id of the label."`
	Name          string `json:"name" required:"true" description:"Name."`
	VersionID     int64  `json:"tool_version_id" required:"true" description:"The id of the version that it points at."`
	VersionNumber int64  `json:"version_number" required:"true" description:"Number of that version."`
}

func wireToolRecord(r *tool.Record) toolRecord {
	return toolRecord{
		toolItem: wireTool(&r.Entity, r.Content.Description, r.ExternalIDs), Version: wireToolVersion(r),
		Definition: r.Content.Definition, Labels: kit.Each(r.Labels, func(l entity.Label) toolLabel {
			return toolLabel{ID: l.ID, Name: l.Name, VersionID: l.VersionID, VersionNumber: l.VersionNumber}
		}),
	}
}

type triedTool struct {
	Success bool        `json:"success" required:"true" description:"Always true."`
	Message string      `json:"message" required:"true" description:"Summary of the result."`
	Result  toolOutcome `json:"result" required:"true" description:"Result of the code."`
}

type toolOutcome struct {
	Status   string      `json:"status" required:"true" enum:"success,error" description:"Whether the code succeeded."`
	Result   kit.RawJSON `json:"result" required:"true" description:"Return value; null if the code failed."`
	Stdout   string      `json:"stdout" required:"true" description:"Standard output of the code."`
	Stderr   string      `json:"stderr" required:"true" description:"Standard error of the code."`
	Duration float64     `json:"duration_ms" required:"true" description:"Duration in milliseconds."`
	Error    *toolError  `json:"error" required:"true" description:"Why the code failed; null if it succeeded."`
}

type toolError struct {
	Type    string `json:"type" required:"true" description:"Class of the exception, or the limit that was exceeded."`
	Message string `json:"message" required:"true" description:"Error type."`
}

func wireOutcome(o *tool.Outcome) *triedTool {
	result := toolOutcome{
		Status: "success", Result: o.Value, Stdout: o.Stdout, Stderr: o.Stderr,
		Duration: float64(o.Duration) / float64(time.Millisecond),
	}
	if o.Failure == nil {
		return &triedTool{Success: true, Message: "Tool executed successfully", Result: result}
	}
	result.Status, result.Error = "error", &toolError{Type: o.Failure.Type, Message: o.Failure.Message}
	return &triedTool{Success: true, Message: "Tool execution failed", Result: result}
}
