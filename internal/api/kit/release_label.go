package kit

import (
	"context"
	"net/http"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/release"
	"github.com/promptuary/promptuary/internal/rest"
)

// ReleaseLabels moves the release labels of workflows, tools and skill
// collections. Prompt templates have their own, older ones.
type ReleaseLabels struct{ Service *release.Service }

// ReleaseLabelOperations are the same for each kind; only what the path names
// differs, which is part of the type of the input.
func ReleaseLabelOperations(base, id, noun, tag string, point, remove rest.Handler) []rest.Op {
	path := base + "/release-labels/{label...}"
	also := []int{http.StatusForbidden, http.StatusNotFound}
	return []rest.Op{
		{
			Method: http.MethodPut, Path: path, ID: "put" + id + "ReleaseLabel", Tag: tag, Summary: "Create or move a release label",
			Description: "Lets a label point at a version of the " + noun + ": it is created, or leaves the version that it points at. " +
				"Whoever asks by the label gets that version from then on.",
			Also: also, Handler: point,
		},
		{
			Method: http.MethodDelete, Path: path, ID: "delete" + id + "ReleaseLabel", Tag: tag, Summary: "Delete a release label",
			Description: "Takes a label from the " + noun + ". The version that it points at stays.",
			Also:        also, Handler: remove,
		},
	}
}

// LabelPath is the label in a path.
type LabelPath struct {
	Label string `path:"label" minLength:"1" maxLength:"255" description:"The label's name; slashes need not be escaped."`
}

// LabelTarget is the label in a path and the version it should point at.
type LabelTarget struct {
	LabelPath
	VersionNumber int64 `json:"version_number" required:"true" minimum:"1" description:"The version that it is to point at."`
}

// PointedLabel is the answer with the label that was created or moved.
type PointedLabel struct {
	Success bool         `json:"success" required:"true" description:"Always true."`
	Label   releaseLabel `json:"release_label" required:"true" description:"The label."`
}

type releaseLabel struct {
	versionLabel
	VersionNumber int64 `json:"version_number" required:"true" description:"The version that it points at."`
}

// Point creates or moves a label.
func (h ReleaseLabels) Point(ctx context.Context, owner entity.Owner, to LabelTarget) (*PointedLabel, error) {
	label, err := h.Service.Point(ctx, owner, to.Label, to.VersionNumber)
	if err != nil {
		return nil, err
	}
	return &PointedLabel{Success: true, Label: releaseLabel{versionLabel{ID: label.ID, Name: label.Name}, label.VersionNumber}}, nil
}

// Remove deletes a label.
func (h ReleaseLabels) Remove(ctx context.Context, owner entity.Owner, at LabelPath) (*SuccessResponse, error) {
	if err := h.Service.Delete(ctx, owner, at.Label); err != nil {
		return nil, err
	}
	return &SuccessResponse{Success: true}, nil
}
