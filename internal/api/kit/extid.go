package kit

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

// ExternalIDRoutes says where the external ids of a kind are reached.
type ExternalIDRoutes struct {
	Kind entity.Kind
	// base is the path of one entity. Where names are allowed in its place, one
	// must not be taken for an id; then collection restricts it to digits.
	Base, Collection string
	// id begins the operations' ids; noun is how the entity is called.
	ID, Noun, Tag string
	// handlers take the parameter of the path by its name.
	Handlers externalIDHandlers
}

// ExternalIDOperations are the same for every kind that has external ids.
func ExternalIDOperations(service *extid.Service, routes ExternalIDRoutes) []rest.Op {
	h := externalIDs{service, routes.Kind}
	collection := cmp.Or(routes.Collection, routes.Base) + "/external-ids"
	attach := rest.Op{
		Method: http.MethodPost, Path: collection, ID: routes.ID + "AttachExternalID",
		Summary:     "Attach an external id",
		Description: "Maps a pair of source and id of another system to the " + routes.Noun + ". Attaching it again changes nothing; a pair of another entity, of whatever kind, is refused with 409.",
		Status:      http.StatusCreated, Also: []int{http.StatusNotFound, http.StatusConflict},
		Handler: routes.Handlers.attach(h),
	}
	list := rest.Op{
		Method: http.MethodGet, Path: collection, ID: routes.ID + "ListExternalIDs",
		Summary:     "List external ids",
		Description: "Returns the pairs that are mapped to the " + routes.Noun + ", in the order in which they were attached.",
		Also:        []int{http.StatusNotFound}, Handler: routes.Handlers.list(h),
	}
	remove := rest.Op{
		Method: http.MethodDelete, Path: routes.Base + "/external-ids/{source}/{external_id...}", ID: routes.ID + "DeleteExternalID",
		Summary:     "Delete an external id",
		Description: "Takes a pair from the " + routes.Noun + ". It can be attached anywhere afterwards.",
		Also:        []int{http.StatusNotFound}, Handler: routes.Handlers.remove(h),
	}
	ops := []rest.Op{attach, list, remove}
	for i := range ops {
		ops[i].Tag = routes.Tag
	}
	return ops
}

func (h externalIDs) owner(ctx context.Context, path entityPath) entity.Owner {
	return OwnerOf(ctx, h.kind, path.EntityID())
}

func (h externalIDs) attach(ctx context.Context, in entityPair) (*ExternalIDResponse, error) {
	ref := in.Ref()
	if err := h.service.Attach(ctx, h.owner(ctx, in), ref); err != nil {
		return nil, err
	}
	return &ExternalIDResponse{Success: true, ExternalID: ExternalID{Source: ref.Source, ExternalID: ref.ID}}, nil
}

func (h externalIDs) list(ctx context.Context, in entityPath) (*ExternalIDsResponse, error) {
	found, err := h.service.List(ctx, h.owner(ctx, in))
	if err != nil {
		return nil, err
	}
	return &ExternalIDsResponse{Success: true, ExternalIDs: WireExternalIDs(found)}, nil
}

func (h externalIDs) remove(ctx context.Context, in entityPair) (*SuccessResponse, error) {
	if err := h.service.Delete(ctx, h.owner(ctx, in), in.Ref()); err != nil {
		return nil, err
	}
	return &SuccessResponse{Success: true}, nil
}

// ExternalID is a pair on the wire. It has no other members, so that a
// misspelt one is not taken for absent.
type ExternalID struct {
	_          struct{} `additionalProperties:"false"`
	Source     string   `json:"source" required:"true" minLength:"1" maxLength:"128" description:"The other system or namespace."`
	ExternalID string   `json:"external_id" required:"true" minLength:"1" maxLength:"512" description:"The id in that system."`
}

// Ref returns the pair as the domain takes it.
func (e ExternalID) Ref() entity.ExternalRef {
	return entity.ExternalRef{Source: e.Source, ID: e.ExternalID}
}

// ExternalRefs returns pairs as the domain takes them.
func ExternalRefs(pairs []ExternalID) []entity.ExternalRef {
	refs := make([]entity.ExternalRef, len(pairs))
	for i, pair := range pairs {
		refs[i] = pair.Ref()
	}
	return refs
}

// WireExternalIDs returns external ids as they are written.
func WireExternalIDs(found []entity.ExternalID) []ExternalID {
	pairs := make([]ExternalID, len(found))
	for i, one := range found {
		pairs[i] = ExternalID{Source: one.Source, ExternalID: one.ID}
	}
	return pairs
}

// ExternalIDPath is a pair in a path.
type ExternalIDPath struct {
	Source     string `path:"source" minLength:"1" maxLength:"128" description:"The other system or namespace."`
	ExternalID string `path:"external_id" minLength:"1" maxLength:"512" description:"The id in that system; slashes need not be escaped."`
}

// Ref returns the pair as the domain takes it.
func (p ExternalIDPath) Ref() entity.ExternalRef {
	return entity.ExternalRef{Source: p.Source, ID: p.ExternalID}
}

// ExternalIDResponse is the answer with one pair.
type ExternalIDResponse struct {
	Success    bool       `json:"success" required:"true" description:"Always true."`
	ExternalID ExternalID `json:"external_id" required:"true" description:"The pair."`
}

// ExternalIDsResponse is the answer with all pairs of an entity.
type ExternalIDsResponse struct {
	Success     bool         `json:"success" required:"true" description:"Always true."`
	ExternalIDs []ExternalID `json:"external_ids" required:"true" description:"The pairs."`
}
