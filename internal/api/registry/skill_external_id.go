package registry

import (
	"context"
	"net/http"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/rest"
)

// externalIDOperations are those of all kinds, for a kind whose entities have
// no numbers for clients.
func (h skills) externalIDOperations() []rest.Op {
	const pairs = skillPath + "/{identifier}/external-ids"
	return []rest.Op{
		{
			Method: http.MethodPost, Path: pairs, ID: "skillCollectionAttachExternalID", Summary: "Attach an external id",
			Description: "Maps a pair of source and id of another system to the skill collection. Attaching it again changes nothing; a pair of another entity, of whatever kind, is refused with 409.",
			Status:      http.StatusCreated, Also: []int{http.StatusForbidden, http.StatusNotFound, http.StatusConflict}, Handler: rest.Handle(h.attach),
		},
		{
			Method: http.MethodGet, Path: pairs, ID: "skillCollectionListExternalIDs", Summary: "List external ids",
			Description: "Returns the pairs that are mapped to the skill collection, in the order in which they were attached.",
			Also:        []int{http.StatusNotFound}, Handler: rest.Handle(h.attached),
		},
		{
			Method: http.MethodDelete, Path: pairs + "/{source}/{external_id...}", ID: "skillCollectionDeleteExternalID", Summary: "Delete an external id",
			Description: "Takes a pair from the skill collection. It can be attached anywhere afterwards.",
			Also:        []int{http.StatusForbidden, http.StatusNotFound}, Handler: rest.Handle(h.detach),
		},
	}
}

type attachSkillExternalID struct {
	skillIdentifier
	kit.ExternalID
}

type deleteSkillExternalID struct {
	skillIdentifier
	Source     string `path:"source" minLength:"1" maxLength:"128" description:"The other system or namespace."`
	ExternalID string `path:"external_id" minLength:"1" maxLength:"512" description:"The id in that system; slashes need not be escaped."`
}

func (h skills) owner(ctx context.Context, identifier string) (entity.Owner, error) {
	found, err := h.service.Identify(ctx, kit.Workspace(ctx), identifier)
	return kit.OwnerOf(ctx, entity.KindSkill, found.ID), err
}

func (h skills) attach(ctx context.Context, in *attachSkillExternalID) (*kit.ExternalIDResponse, error) {
	owner, err := h.owner(ctx, in.Identifier)
	if err != nil {
		return nil, err
	}
	if err := h.externalIDs.Attach(ctx, owner, in.Ref()); err != nil {
		return nil, err
	}
	return &kit.ExternalIDResponse{Success: true, ExternalID: in.ExternalID}, nil
}

func (h skills) attached(ctx context.Context, in *skillIdentifier) (*kit.ExternalIDsResponse, error) {
	owner, err := h.owner(ctx, in.Identifier)
	if err != nil {
		return nil, err
	}
	found, err := h.externalIDs.List(ctx, owner)
	if err != nil {
		return nil, err
	}
	return &kit.ExternalIDsResponse{Success: true, ExternalIDs: kit.WireExternalIDs(found)}, nil
}

func (h skills) detach(ctx context.Context, in *deleteSkillExternalID) (*kit.SuccessResponse, error) {
	owner, err := h.owner(ctx, in.Identifier)
	if err != nil {
		return nil, err
	}
	if err := h.externalIDs.Delete(ctx, owner, entity.ExternalRef{Source: in.Source, ID: in.ExternalID}); err != nil {
		return nil, err
	}
	return &kit.SuccessResponse{Success: true}, nil
}
