package kit

import (
	"cmp"
	"context"
	"net/http"
	"strings"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/rest"
)

// EntityPair is an input with an entity and an external id.
type EntityPair interface {
	EntityPath
	Ref() entity.ExternalRef
}

// ExternalIDOperations returns the operations on the external ids of one kind.
// The input types differ between kinds only in the name of the path parameter.
func ExternalIDOperations[Path EntityPath, Attach, Remove EntityPair](service *registry.ExternalIDs, routes EntityRoutes) []rest.Op {
	h := externalIDs{service, routes}
	id := strings.ToLower(routes.ID[:1]) + routes.ID[1:]
	collection := cmp.Or(routes.Collection, routes.Base) + "/external-ids"
	return Tagged(routes.Tag, []rest.Op{
		{
			Method: http.MethodPost, Path: collection, ID: id + "AttachExternalID", Summary: "Attach an external id",
			Description: "Maps an id in another system, a pair of source and id, to the " + routes.Noun + ". Attaching a pair again has no effect. " +
				"A pair that is attached to another entity of any kind is rejected with 409.",
			Status: http.StatusCreated, Also: []int{http.StatusForbidden, http.StatusNotFound, http.StatusConflict},
			Handler: rest.Handle(func(ctx context.Context, in *Attach) (*externalIDResponse, error) { return h.attach(ctx, *in) }),
		},
		{
			Method: http.MethodGet, Path: collection, ID: id + "ListExternalIDs", Summary: "List external ids",
			Description: "Returns the external ids of the " + routes.Noun + " in the order in which they were attached.",
			Also:        []int{http.StatusNotFound},
			Handler:     rest.Handle(func(ctx context.Context, in *Path) (*externalIDsResponse, error) { return h.list(ctx, *in) }),
		},
		{
			Method: http.MethodDelete, Path: routes.Base + "/external-ids/{source}/{external_id...}", ID: id + "DeleteExternalID",
			Summary:     "Delete an external id",
			Description: "Detaches an external id from the " + routes.Noun + ". It can then be attached to any other entity.",
			Also:        []int{http.StatusForbidden, http.StatusNotFound},
			Handler:     rest.Handle(func(ctx context.Context, in *Remove) (*SuccessResponse, error) { return h.remove(ctx, *in) }),
		},
	})
}

// externalIDs has the handlers.
type externalIDs struct {
	service *registry.ExternalIDs
	routes  EntityRoutes
}

func (h externalIDs) attach(ctx context.Context, in EntityPair) (*externalIDResponse, error) {
	owner, err := h.routes.owner(ctx, in)
	if err != nil {
		return nil, err
	}
	ref := in.Ref()
	if err := h.service.Attach(ctx, owner, ref); err != nil {
		return nil, err
	}
	return &externalIDResponse{Success: true, ExternalID: ExternalID{Source: ref.Source, ExternalID: ref.ID}}, nil
}

func (h externalIDs) list(ctx context.Context, in EntityPath) (*externalIDsResponse, error) {
	owner, err := h.routes.owner(ctx, in)
	if err != nil {
		return nil, err
	}
	found, err := h.service.List(ctx, owner)
	if err != nil {
		return nil, err
	}
	return &externalIDsResponse{Success: true, ExternalIDs: WireExternalIDs(found)}, nil
}

func (h externalIDs) remove(ctx context.Context, in EntityPair) (*SuccessResponse, error) {
	owner, err := h.routes.owner(ctx, in)
	if err != nil {
		return nil, err
	}
	return Succeeded(h.service.Delete(ctx, owner, in.Ref()))
}

// ExternalID is an external id on the wire.
type ExternalID struct {
	Source     string `json:"source" required:"true" minLength:"1" maxLength:"128" description:"The other system or namespace."`
	ExternalID string `json:"external_id" required:"true" minLength:"1" maxLength:"512" description:"The id in that system."`
}

// Ref returns the external id in the form of the domain.
func (e ExternalID) Ref() entity.ExternalRef {
	return entity.ExternalRef{Source: e.Source, ID: e.ExternalID}
}

// ExternalRefs returns external ids in the form of the domain.
func ExternalRefs(pairs []ExternalID) []entity.ExternalRef { return Each(pairs, ExternalID.Ref) }

// WireExternalIDs returns external ids in the form of the wire.
func WireExternalIDs(found []entity.ExternalID) []ExternalID {
	return Each(found, func(e entity.ExternalID) ExternalID { return ExternalID{Source: e.Source, ExternalID: e.ID} })
}

// ExternalIDPath is an external id in a path.
type ExternalIDPath struct {
	Source     string `path:"source" minLength:"1" maxLength:"128" description:"The other system or namespace."`
	ExternalID string `path:"external_id" minLength:"1" maxLength:"512" description:"The id in that system. Slashes need not be escaped."`
}

// Ref returns the external id in the form of the domain.
func (p ExternalIDPath) Ref() entity.ExternalRef {
	return entity.ExternalRef{Source: p.Source, ID: p.ExternalID}
}

type externalIDResponse struct {
	Success    bool       `json:"success" required:"true" description:"Always true."`
	ExternalID ExternalID `json:"external_id" required:"true" description:"The external id."`
}

type externalIDsResponse struct {
	Success     bool         `json:"success" required:"true" description:"Always true."`
	ExternalIDs []ExternalID `json:"external_ids" required:"true" description:"The external ids."`
}
