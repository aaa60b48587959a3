package data

import (
	"context"
	"net/http"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/deletion"
	"github.com/promptuary/promptuary/internal/rest"
)

const (
	deletionBase  = "/api/public/v2/deletions"
	deletionOne   = deletionBase + "/{deletion_id}"
	retentionBase = "/api/public/v2/retention"
	deletionTag   = "Deletion"
)

// deletions has the handlers of deletions and retention.
type deletions struct{ service *deletion.Service }

func (h deletions) operations() []rest.Op {
	return kit.Tagged(deletionTag, []rest.Op{
		{
			Method: http.MethodPost, Path: deletionBase + "/preview", ID: "previewDeletion", Summary: "Preview a deletion",
			Description: "Counts the request logs that a deletion would delete, or of which it would delete a part, without deleting anything. Requires the permission MANAGE_DATA.",
			Handler:     rest.Handle(h.preview), Limit: kit.LimitSearch,
			Also: []int{http.StatusBadRequest, http.StatusServiceUnavailable},
		},
		{
			Method: http.MethodPost, Path: deletionBase, ID: "createDeletion", Summary: "Delete request logs",
			Description: "Starts to delete request logs, or only their texts, a metadata key or a score, and returns immediately: of those that a query selects, those " +
				"with the given ids, or those of a user. Traces go with request logs and texts. What is deleted cannot be brought back. Requires the permission MANAGE_DATA.",
			Handler: rest.Handle(h.create), Status: http.StatusCreated,
			Also: []int{http.StatusBadRequest, http.StatusConflict, http.StatusServiceUnavailable},
		},
		{
			Method: http.MethodGet, Path: deletionBase, ID: "listDeletions", Summary: "List deletions", Handler: rest.Handle(h.list),
			Description: "Returns the deletions of the workspace, the newest first. Requires the permission MANAGE_DATA.",
		},
		{
			Method: http.MethodGet, Path: deletionOne, ID: "getDeletion", Summary: "Get a deletion", Handler: rest.Handle(h.get),
			Description: "Returns a deletion with its progress. Once it has ended, this is the certificate of what was deleted. Requires the permission MANAGE_DATA.",
			Also:        []int{http.StatusNotFound},
		},
		{
			Method: http.MethodPost, Path: deletionOne + "/cancel", ID: "cancelDeletion", Summary: "Cancel a deletion", Handler: rest.Handle(h.cancel),
			Description: "Ends a deletion that is running; has no effect on others. Request logs that it has deleted stay deleted. Requires the permission MANAGE_DATA.",
			Status:      http.StatusAccepted, Also: []int{http.StatusNotFound},
		},
		{
			Method: http.MethodGet, Path: retentionBase, ID: "getRetention", Summary: "Get the retention rules", Handler: rest.Handle(h.retention),
			Description: "Returns how long the workspace keeps request logs.",
		},
		{
			Method: http.MethodPut, Path: retentionBase, ID: "setRetention", Summary: "Set the retention rules", Handler: rest.Handle(h.setRetention),
			Description: "Replaces how long the workspace keeps request logs, counted from their start. The rules are followed ten minutes later for the first time, and " +
				"then once a day. Requires the permission MANAGE_DATA.",
		},
		{
			Method: http.MethodPost, Path: retentionBase + "/preview", ID: "previewRetention", Summary: "Preview retention rules", Handler: rest.Handle(h.previewRetention),
			Description: "Counts the request logs that rules would delete now, without deleting anything. Requires the permission MANAGE_DATA.", Limit: kit.LimitSearch,
			Also: []int{http.StatusServiceUnavailable},
		},
	})
}

func (in *deletionRequest) input() deletion.Input {
	return deletion.Input{
		Query: in.Text(), IDs: in.RequestIDs, User: kit.OrZero(in.UserID), All: in.All, TextsOnly: in.TextsOnly,
		MetadataKey: kit.OrZero(in.MetadataKey), ScoreName: kit.OrZero(in.ScoreName), WithTraces: in.WithTraces,
	}
}

func (h deletions) preview(ctx context.Context, in *deletionRequest) (*deletionPreview, error) {
	found, err := kit.Bounded(ctx, func(ctx context.Context) (deletion.Preview, error) {
		return h.service.Preview(ctx, kit.Workspace(ctx), in.input())
	})
	if err != nil {
		return nil, err
	}
	return &deletionPreview{Success: true, Logs: found.Logs, Traces: found.Traces}, nil
}

func (h deletions) create(ctx context.Context, in *createDeletionRequest) (*deletionResponse, error) {
	return answerDeletion(kit.Bounded(ctx, func(ctx context.Context) (deletion.Deletion, error) {
		input := in.input()
		input.Expected = in.Expected
		return h.service.Start(ctx, kit.Workspace(ctx), input, kit.Author(ctx))
	}))
}

func (h deletions) list(ctx context.Context, in *kit.Paging) (*kit.Page[deletionItem], error) {
	page := in.Slice()
	found, total, err := h.service.List(ctx, kit.Workspace(ctx), page.Offset, page.Limit)
	if err != nil {
		return nil, err
	}
	return kit.NewPage(*in, total, found, func(d *deletion.Deletion) deletionItem {
		item, itemErr := wireDeletion(d)
		if itemErr != nil {
			err = itemErr
		}
		return item
	}), err
}

func (h deletions) get(ctx context.Context, in *deletionPath) (*deletionResponse, error) {
	return answerDeletion(h.service.Get(ctx, kit.Workspace(ctx), in.ID))
}

func (h deletions) cancel(ctx context.Context, in *deletionPath) (*deletionResponse, error) {
	return answerDeletion(h.service.Cancel(ctx, kit.Workspace(ctx), in.ID))
}

func (h deletions) retention(ctx context.Context, _ *struct{}) (*retentionResponse, error) {
	return answerRetention(h.service.Retention(ctx, kit.Workspace(ctx)))
}

func (h deletions) setRetention(ctx context.Context, in *retentionRules) (*retentionResponse, error) {
	return answerRetention(h.service.SetRetention(ctx, kit.Workspace(ctx), in.rules(), kit.Author(ctx)))
}

func (h deletions) previewRetention(ctx context.Context, in *retentionRules) (*retentionPreview, error) {
	found, err := kit.Bounded(ctx, func(ctx context.Context) (deletion.RetentionPreview, error) {
		return h.service.PreviewRetention(ctx, kit.Workspace(ctx), in.rules())
	})
	if err != nil {
		return nil, err
	}
	return &retentionPreview{Success: true, Rules: found.Rules, Rest: found.Rest, Texts: found.Texts}, nil
}
