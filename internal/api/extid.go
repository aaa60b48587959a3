package api

import (
	"cmp"
	"context"
	"net/http"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/extid"
	"github.com/promptuary/promptuary/internal/rest"
)

// externalIDs has the handlers of the external ids of one kind of entity.
type externalIDs struct {
	service *extid.Service
	kind    entity.Kind
}

// externalIDRoutes says where the external ids of a kind are reached.
type externalIDRoutes struct {
	kind entity.Kind
	// base is the path of one entity. Where names are allowed in its place, one
	// must not be taken for an id; then collection restricts it to digits.
	base, collection string
	// id begins the operations' ids; noun is how the entity is called.
	id, noun, tag string
	// handlers take the parameter of the path by its name.
	handlers externalIDHandlers
}

// externalIDOperations are the same for every kind that has external ids.
func externalIDOperations(service *extid.Service, routes externalIDRoutes) []rest.Op {
	h := externalIDs{service, routes.kind}
	collection := cmp.Or(routes.collection, routes.base) + "/external-ids"
	attach := rest.Op{
		Method: http.MethodPost, Path: collection, ID: routes.id + "AttachExternalID",
		Summary:     "Attach an external id",
		Description: "Maps a pair of source and id of another system to the " + routes.noun + ". Attaching it again changes nothing; a pair of another entity, of whatever kind, is refused with 409.",
		Status:      http.StatusCreated, Also: []int{http.StatusNotFound, http.StatusConflict},
		Handler: routes.handlers.attach(h),
	}
	list := rest.Op{
		Method: http.MethodGet, Path: collection, ID: routes.id + "ListExternalIDs",
		Summary:     "List external ids",
		Description: "Returns the pairs that are mapped to the " + routes.noun + ", in the order in which they were attached.",
		Also:        []int{http.StatusNotFound}, Handler: routes.handlers.list(h),
	}
	remove := rest.Op{
		Method: http.MethodDelete, Path: routes.base + "/external-ids/{source}/{external_id...}", ID: routes.id + "DeleteExternalID",
		Summary:     "Delete an external id",
		Description: "Takes a pair from the " + routes.noun + ". It can be attached anywhere afterwards.",
		Also:        []int{http.StatusNotFound}, Handler: routes.handlers.remove(h),
	}
	ops := []rest.Op{attach, list, remove}
	for i := range ops {
		ops[i].Tag = routes.tag
	}
	return ops
}

func (h externalIDs) owner(ctx context.Context, path entityPath) entity.Owner {
	return ownerOf(ctx, h.kind, path.entityID())
}

func ownerOf(ctx context.Context, kind entity.Kind, id int64) entity.Owner {
	return entity.Owner{Workspace: workspace(ctx), Kind: kind, ID: id}
}

func (h externalIDs) attach(ctx context.Context, in entityPair) (*externalIDResponse, error) {
	ref := in.ref()
	if err := h.service.Attach(ctx, h.owner(ctx, in), ref); err != nil {
		return nil, err
	}
	return &externalIDResponse{Success: true, ExternalID: externalID{Source: ref.Source, ExternalID: ref.ID}}, nil
}

func (h externalIDs) list(ctx context.Context, in entityPath) (*externalIDsResponse, error) {
	found, err := h.service.List(ctx, h.owner(ctx, in))
	if err != nil {
		return nil, err
	}
	return &externalIDsResponse{Success: true, ExternalIDs: wireExternalIDs(found)}, nil
}

func (h externalIDs) remove(ctx context.Context, in entityPair) (*successResponse, error) {
	if err := h.service.Delete(ctx, h.owner(ctx, in), in.ref()); err != nil {
		return nil, err
	}
	return &successResponse{Success: true}, nil
}

// externalID is a pair on the wire. It has no other members, so that a
// misspelt one is not taken for absent.
type externalID struct {
	_          struct{} `additionalProperties:"false"`
	Source     string   `json:"source" required:"true" minLength:"1" maxLength:"128" description:"The other system or namespace."`
	ExternalID string   `json:"external_id" required:"true" minLength:"1" maxLength:"512" description:"The id in that system."`
}

func (e externalID) ref() entity.ExternalRef {
	return entity.ExternalRef{Source: e.Source, ID: e.ExternalID}
}

func refsOf(pairs []externalID) []entity.ExternalRef {
	refs := make([]entity.ExternalRef, len(pairs))
	for i, pair := range pairs {
		refs[i] = pair.ref()
	}
	return refs
}

func wireExternalIDs(found []entity.ExternalID) []externalID {
	pairs := make([]externalID, len(found))
	for i, one := range found {
		pairs[i] = externalID{Source: one.Source, ExternalID: one.ID}
	}
	return pairs
}

// externalIDPath is a pair in a path.
type externalIDPath struct {
	Source     string `path:"source" minLength:"1" maxLength:"128" description:"The other system or namespace."`
	ExternalID string `path:"external_id" minLength:"1" maxLength:"512" description:"The id in that system; slashes need not be escaped."`
}

func (p externalIDPath) ref() entity.ExternalRef {
	return entity.ExternalRef{Source: p.Source, ID: p.ExternalID}
}

type externalIDResponse struct {
	Success    bool       `json:"success" required:"true" description:"Always true."`
	ExternalID externalID `json:"external_id" required:"true" description:"The pair."`
}

type externalIDsResponse struct {
	Success     bool         `json:"success" required:"true" description:"Always true."`
	ExternalIDs []externalID `json:"external_ids" required:"true" description:"The pairs."`
}

// successResponse is the answer of operations that have nothing to tell.
type successResponse struct {
	Success bool `json:"success" required:"true" description:"Always true."`
}
