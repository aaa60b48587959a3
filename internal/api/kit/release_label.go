package kit

import (
	"context"
	"net/http"

	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/rest"
)

// EntityLabel is an input with an entity and one of its release labels.
type EntityLabel interface {
	EntityPath
	LabelName() string
}

// EntityTarget is an input with the version that a label should point at.
type EntityTarget interface {
	EntityLabel
	Target() int64
}

// ReleaseLabelOperations returns the operations that move and delete the release
// labels of one kind. Prompt templates have their own, older operations.
func ReleaseLabelOperations[Point EntityTarget, Remove EntityLabel](service *registry.Labels, routes EntityRoutes) []rest.Op {
	h := releaseLabels{service, routes}
	path := routes.Base + "/release-labels/{label...}"
	also := []int{http.StatusForbidden, http.StatusNotFound}
	return Tagged(routes.Tag, []rest.Op{
		{
			Method: http.MethodPut, Path: path, ID: "put" + routes.ID + "ReleaseLabel", Summary: "Create or move a release label",
			Description: "Points a label at a version of the " + routes.Noun + ". A new label is created; an existing one moves. " +
				"From then on, requests by the label get that version.",
			Also: also, Handler: rest.Handle(func(ctx context.Context, in *Point) (*pointedLabel, error) { return h.point(ctx, *in) }),
		},
		{
			Method: http.MethodDelete, Path: path, ID: "delete" + routes.ID + "ReleaseLabel", Summary: "Delete a release label",
			Description: "Deletes a label of the " + routes.Noun + ". The version that it points at is kept.",
			Also:        also, Handler: rest.Handle(func(ctx context.Context, in *Remove) (*SuccessResponse, error) { return h.remove(ctx, *in) }),
		},
	})
}

// releaseLabels has the handlers.
type releaseLabels struct {
	service *registry.Labels
	routes  EntityRoutes
}

func (h releaseLabels) point(ctx context.Context, in EntityTarget) (*pointedLabel, error) {
	owner, err := h.routes.owner(ctx, in)
	if err != nil {
		return nil, err
	}
	label, err := h.service.Point(ctx, owner, in.LabelName(), in.Target())
	if err != nil {
		return nil, err
	}
	return &pointedLabel{Success: true, Label: releaseLabel{versionLabel{ID: label.ID, Name: label.Name}, label.VersionNumber}}, nil
}

func (h releaseLabels) remove(ctx context.Context, in EntityLabel) (*SuccessResponse, error) {
	owner, err := h.routes.owner(ctx, in)
	if err != nil {
		return nil, err
	}
	return Succeeded(h.service.Delete(ctx, owner, in.LabelName()))
}

// LabelPath is a release label in a path.
type LabelPath struct {
	Label string `path:"label" minLength:"1" maxLength:"255" description:"Name of the label. Slashes need not be escaped."`
}

// LabelName returns the name of the label.
func (p LabelPath) LabelName() string { return p.Label }

// LabelTarget is a release label in a path and the version that it should point
// at.
type LabelTarget struct {
	LabelPath
	VersionNumber int64 `json:"version_number" required:"true" minimum:"1" description:"Number of the version to point at."`
}

// Target returns the number of the version.
func (t LabelTarget) Target() int64 { return t.VersionNumber }

type pointedLabel struct {
	Success bool         `json:"success" required:"true" description:"Always true."`
	Label   releaseLabel `json:"release_label" required:"true" description:"The label."`
}

type releaseLabel struct {
	versionLabel
	VersionNumber int64 `json:"version_number" required:"true" description:"Number of the version that it points at."`
}
