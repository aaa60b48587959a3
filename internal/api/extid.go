package api

import (
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
	// base is the path of one entity; its parameter is entity_id. A name in
	// its place must not be taken for an id where names are allowed there, so
	// that collection may restrict it to digits.
	base, collection string
	// id begins the operations' ids; noun is how the entity is called.
	id, noun, tag string
}

// externalIDOperations are the same for every kind that has external ids.
func externalIDOperations(service *extid.Service, routes externalIDRoutes) []rest.Op {
	h := externalIDs{service, routes.kind}
	attach := rest.Op{
		Method: http.MethodPost, Path: routes.collection + "/external-ids", ID: routes.id + "AttachExternalID",
		Summary:     "Attach an external id",
		Description: "Maps a pair of source and id of another system to the " + routes.noun + ". Attaching it again changes nothing; a pair of another entity, of whatever kind, is refused with 409.",
		Status:      http.StatusCreated, Also: []int{http.StatusNotFound, http.StatusConflict},
		Handler: rest.Handle(h.attach),
	}
	list := rest.Op{
		Method: http.MethodGet, Path: routes.collection + "/external-ids", ID: routes.id + "ListExternalIDs",
		Summary:     "List external ids",
		Description: "Returns the pairs that are mapped to the " + routes.noun + ", in the order in which they were attached.",
		Also:        []int{http.StatusNotFound}, Handler: rest.Handle(h.list),
	}
	remove := rest.Op{
		Method: http.MethodDelete, Path: routes.base + "/external-ids/{source}/{external_id...}", ID: routes.id + "DeleteExternalID",
		Summary:     "Delete an external id",
		Description: "Takes a pair from the " + routes.noun + ". It can be attached anywhere afterwards.",
		Also:        []int{http.StatusNotFound}, Handler: rest.Handle(h.remove),
	}
	ops := []rest.Op{attach, list, remove}
	for i := range ops {
		ops[i].Tag = routes.tag
	}
	return ops
}

func (h externalIDs) owner(ctx context.Context, id int64) extid.Owner {
	return extid.Owner{Workspace: workspace(ctx), Kind: h.kind, ID: id}
}

func (h externalIDs) attach(ctx context.Context, in *attachExternalID) (*externalIDResponse, error) {
	if err := h.service.Attach(ctx, h.owner(ctx, in.EntityID), in.ref()); err != nil {
		return nil, err
	}
	return &externalIDResponse{Success: true, ExternalID: in.externalID}, nil
}

func (h externalIDs) list(ctx context.Context, in *listExternalIDs) (*externalIDsResponse, error) {
	found, err := h.service.List(ctx, h.owner(ctx, in.EntityID))
	if err != nil {
		return nil, err
	}
	return &externalIDsResponse{Success: true, ExternalIDs: wireExternalIDs(found)}, nil
}

func (h externalIDs) remove(ctx context.Context, in *deleteExternalID) (*successResponse, error) {
	ref := entity.ExternalRef{Source: in.Source, ID: in.ExternalID}
	if err := h.service.Delete(ctx, h.owner(ctx, in.EntityID), ref); err != nil {
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

type attachExternalID struct {
	EntityID int64 `path:"entity_id" minimum:"1" description:"The entity."`
	externalID
}

type listExternalIDs struct {
	EntityID int64 `path:"entity_id" minimum:"1" description:"The entity."`
}

type deleteExternalID struct {
	EntityID   int64  `path:"entity_id" minimum:"1" description:"The entity."`
	Source     string `path:"source" minLength:"1" maxLength:"128" description:"The other system or namespace."`
	ExternalID string `path:"external_id" minLength:"1" maxLength:"512" description:"The id in that system; slashes need not be escaped."`
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
