package logs

import (
	"context"
	"net/http"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/rest"
)

// trackOperations returns the operations that annotate logs. Each has a second
// path for client libraries. All accept the key in the body, because some clients
// send it there only.
func (h requestLogs) trackOperations() []rest.Op {
	metadata := rest.RawBound(kit.DoneResponse{}, h.trackMetadata)
	score := rest.Handle(h.trackScore)
	prompt := rest.Handle(h.trackPrompt)
	group := rest.Handle(h.trackGroup)
	ops := []rest.Op{
		post("/rest/track-metadata", "trackMetadata", "Add metadata",
			"Adds metadata to a request log. Existing keys are replaced; other keys are kept.", metadata),
		post("/rest/track-score", "trackScore", "Add a score",
			"Adds a score from 0 to 100 to a request log. A score with the same name is replaced.", score),
		post("/rest/track-prompt", "trackPrompt", "Link a prompt",
			"Links a request log to the version of the prompt template that produced it.", prompt),
		post("/rest/track-group", "trackGroup", "Add to a group",
			"Adds a request log to a group. It is removed from any other group.", group),
		post("/library-track-metadata", "libraryTrackMetadata", "Add metadata (client libraries)",
			"Same as `/rest/track-metadata`.", metadata),
		post("/library-track-score", "libraryTrackScore", "Add a score (client libraries)",
			"Same as `/rest/track-score`.", score),
		post("/library-track-prompt", "libraryTrackPrompt", "Link a prompt (client libraries)",
			"Same as `/rest/track-prompt`.", prompt),
		post("/track-group", "libraryTrackGroup", "Add to a group (client libraries)",
			"Same as `/rest/track-group`.", group),
	}
	for i := range ops {
		ops[i].Also = []int{http.StatusNotFound, http.StatusServiceUnavailable}
		ops[i].Auth = rest.AuthKeyOrBody
	}
	create := post("/create-group", "createGroup", "Create a group",
		"Creates an empty group for request logs.", rest.Handle(h.createGroup))
	create.Auth, create.EmptyBody = rest.AuthKeyOrBody, true
	return kit.WriteOnly(append(append(ops, create), h.removeOperations()...))
}

// removeOperations returns the operations that remove annotations.
func (h requestLogs) removeOperations() []rest.Op {
	return []rest.Op{{
		Method: http.MethodDelete, Path: kit.RequestsPath + "/{request_id}/metadata", ID: "removeMetadata", Tag: "Request logs", Summary: "Remove a metadata key",
		Description: "Removes a key of the metadata of a request log, if it has it. Files of the log store and earlier backups keep its value until the request log is deleted.",
		Also:        []int{http.StatusNotFound, http.StatusServiceUnavailable}, Handler: rest.Handle(h.removeMetadata),
	}, {
		Method: http.MethodDelete, Path: kit.RequestsPath + "/{request_id}/scores", ID: "removeScore", Tag: "Request logs", Summary: "Remove a score",
		Description: "Removes a score of a request log, if it has it. Files of the log store and earlier backups keep it until the request log is deleted.",
		Also:        []int{http.StatusNotFound, http.StatusServiceUnavailable}, Handler: rest.Handle(h.removeScore),
	}}
}

func (h requestLogs) trackMetadata(w http.ResponseWriter, r *rest.Request, in *trackMetadataRequest) error {
	var problems fault.Problems
	members := reqlog.DecodeMetadata(r.Body, kit.BodyLoc, &problems)
	if err := problems.Err(); err != nil {
		return err
	}
	answer, err := kit.Done("Metadata tracked successfully",
		h.service.TrackMetadata(r.Context(), kit.Workspace(r.Context()), int64(in.RequestID), members))
	if err != nil {
		return err
	}
	return rest.WriteJSON(w, http.StatusOK, answer)
}

func (h requestLogs) trackScore(ctx context.Context, in *trackScoreRequest) (*kit.DoneResponse, error) {
	score := reqlog.Score{Name: in.Name, Value: in.Score}
	return kit.Done("Score tracked successfully", h.service.TrackScore(ctx, kit.Workspace(ctx), int64(in.RequestID), score))
}

func (h requestLogs) removeMetadata(ctx context.Context, in *removeMetadataRequest) (*kit.DoneResponse, error) {
	return kit.Done("Metadata removed successfully", h.service.RemoveMetadata(ctx, kit.Workspace(ctx), in.RequestID, in.Key))
}

func (h requestLogs) removeScore(ctx context.Context, in *removeScoreRequest) (*kit.DoneResponse, error) {
	return kit.Done("Score removed successfully", h.service.RemoveScore(ctx, kit.Workspace(ctx), in.RequestID, in.Name))
}

func (h requestLogs) trackPrompt(ctx context.Context, in *trackPromptRequest) (*kit.DoneResponse, error) {
	ref := reqlog.PromptRef{Name: in.PromptName, Version: int64(in.Version), Label: in.Label}
	return kit.Done("Prompt tracked successfully", h.service.TrackPrompt(ctx, kit.Workspace(ctx), int64(in.RequestID), ref, []byte(in.Variables)))
}

func (h requestLogs) trackGroup(ctx context.Context, in *trackGroupRequest) (*kit.DoneResponse, error) {
	return kit.Done("Group tracked successfully", h.service.TrackGroup(ctx, kit.Workspace(ctx), int64(in.RequestID), int64(in.GroupID)))
}

func (h requestLogs) createGroup(ctx context.Context, _ *createGroupRequest) (*createGroupResponse, error) {
	id, err := h.service.CreateGroup(ctx, kit.Workspace(ctx))
	if err != nil {
		return nil, err
	}
	return &createGroupResponse{Success: true, ID: id}, nil
}

type trackMetadataRequest struct {
	RequestID rest.DigitInt  `json:"request_id" required:"true" minimum:"1" description:"The id of the request log."`
	Metadata  rest.RawObject `json:"metadata" required:"true" description:"Keys and values of any JSON type. Keys have at most 1,024 characters."`
}

type trackScoreRequest struct {
	RequestID rest.DigitInt `json:"request_id" required:"true" minimum:"1" description:"The id of the request log."`
	Score     int64         `json:"score" required:"true" minimum:"0" maximum:"100" description:"The score."`
	Name      string        `json:"name" description:"Name of the score; defaults to \"default\"."`
}

type removeMetadataRequest struct {
	RequestID int64  `path:"request_id" minimum:"1" description:"The id of the request log."`
	Key       string `query:"key" required:"true" maxLength:"1024" description:"The key."`
}

type removeScoreRequest struct {
	RequestID int64  `path:"request_id" minimum:"1" description:"The id of the request log."`
	Name      string `query:"name" default:"default" maxLength:"1024" description:"Name of the score."`
}

type trackPromptRequest struct {
	RequestID  rest.DigitInt  `json:"request_id" required:"true" minimum:"1" description:"The id of the request log."`
	PromptName string         `json:"prompt_name" required:"true" minLength:"1" description:"Name of the prompt template."`
	Variables  rest.RawObject `json:"prompt_input_variables" description:"Input variables that the template was rendered with."`
	Version    rest.DigitInt  `json:"version" minimum:"1" description:"Version number. Defaults to the latest version if neither version nor label is given."`
	Label      string         `json:"label" minLength:"1" maxLength:"512" description:"Release label of the version."`
}

// Validate rejects a version together with a label.
func (in *trackPromptRequest) Validate(p *fault.Problems) {
	if in.Version != 0 && in.Label != "" {
		p.Add(fault.At(kit.BodyLoc, "label"), "value_error", "version and label are mutually exclusive")
	}
}

type trackGroupRequest struct {
	RequestID rest.DigitInt `json:"request_id" required:"true" minimum:"1" description:"The id of the request log."`
	GroupID   rest.DigitInt `json:"group_id" required:"true" minimum:"1" description:"The id of the group."`
}

// createGroupRequest documents a body whose only member is the key.
type createGroupRequest struct {
	APIKey jsontree.Value `json:"api_key" description:"The API key, if it is not in the header."`
}

type createGroupResponse struct {
	Success bool  `json:"success" required:"true" description:"Always true."`
	ID      int64 `json:"id" required:"true" description:"The id of the new group."`
}
