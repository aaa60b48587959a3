package skill

import (
	"cmp"
	"context"
	"slices"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/registry"
)

// SaveInput changes the latest version into a new one. Deletes and moves are
// applied first, then the archive, then the files.
type SaveInput struct {
	Deletes        []string
	Moves          []Move
	Archive, Files []Content
	// Provider replaces that of the collection unless it is empty.
	Provider      string
	CommitMessage *string
	// Label is created at, or moved to, the new version; empty for none.
	Label  string
	Author Author
}

// Save adds a version that is the latest one with the changes. Saves of one
// collection are serialized, so that none undoes another. On any fault nothing
// is stored: NotFound for an unknown collection, Forbidden if the caller lacks
// the permission, BadRequest for changes that cannot be made.
func (s *Service) Save(ctx context.Context, workspace int64, identifier string, in SaveInput) (*Record, error) {
	owner, err := s.Identify(ctx, workspace, identifier)
	if err != nil {
		return nil, err
	}
	release := releaseOf(in.CommitMessage, in.Label, in.Author)
	if err := release.Require(ctx, entity.KindSkill, access.Edit); err != nil {
		return nil, err
	}
	if len(in.Deletes)+len(in.Moves) > MaxFiles {
		return nil, fault.BadRequestf("A version cannot delete and move more than %d paths", MaxFiles)
	}
	if in.Author, err = s.withAccount(ctx, in.Author); err != nil {
		return nil, err
	}
	archive, files, err := prepareBoth(in.Archive, in.Files)
	if err != nil {
		return nil, err
	}
	saved, err := s.registry.AddVersion(ctx, workspace, owner.ID, registry.Edit[Version]{
		Release: release,
		Apply: func(ctx context.Context, base entity.FoundVersion) (Version, error) {
			return s.changed(ctx, base, in, archive, files)
		},
		Inside: func(ctx context.Context, owner entity.Entity, version *Version) error {
			traits, err := s.traits(ctx, owner)
			if err != nil {
				return err
			}
			return s.complete(ctx, owner, traits, in.Author, version, slices.Concat(archive, files))
		},
	})
	if err != nil {
		return nil, err
	}
	return s.record(ctx, saved)
}

// changed returns a version with the changes made.
func (s *Service) changed(ctx context.Context, base entity.FoundVersion, in SaveInput, archive, files []upload) (Version, error) {
	traits, err := s.traits(ctx, base.Entity)
	if err != nil {
		return Version{}, err
	}
	var latest Version
	if base.Version.Number != 0 {
		if latest, err = decodeVersion(&base.Version); err != nil {
			return Version{}, err
		}
	}
	all := newTree(latest.Files, traits.Provider)
	err = all.apply(in.Deletes, in.Moves, archive, files)
	return Version{Provider: cmp.Or(in.Provider, traits.Provider), Files: all.list(), Author: in.Author}, err
}

func (s *Service) traits(ctx context.Context, owner entity.Entity) (Traits, error) {
	traits, err := s.store.SkillTraits(ctx, owner.WorkspaceID, []int64{owner.ID})
	return traits[owner.ID], err
}

// Rename changes the name of a collection, and so its root path, but not its
// files and versions. A nil name changes nothing. The fault is NotFound for an
// unknown collection, Forbidden if the caller lacks the permission, BadRequest
// for an invalid name and Conflict for one that is taken.
func (s *Service) Rename(ctx context.Context, workspace int64, identifier string, name *string, author Author) (*Record, error) {
	owner, err := s.Identify(ctx, workspace, identifier)
	if err != nil {
		return nil, err
	}
	if err := access.RequireFor(ctx, entity.KindSkill, access.Edit); err != nil {
		return nil, err
	}
	if name != nil {
		wanted, err := cleanName(*name)
		if err != nil {
			return nil, err
		}
		if err := s.rename(ctx, workspace, owner.ID, wanted, author); err != nil {
			return nil, err
		}
	}
	renamed, err := s.registry.GetByID(ctx, workspace, owner.ID, registry.Selector{})
	if err != nil {
		return nil, err
	}
	record, err := s.record(ctx, renamed)
	record.Version = nil // no new version
	return record, err
}

func (s *Service) rename(ctx context.Context, workspace, id int64, name string, author Author) error {
	return s.registry.Change(ctx, workspace, id, access.Edit, func(ctx context.Context, owner entity.Entity) error {
		if err := s.registry.Rename(ctx, workspace, id, name); err != nil {
			return err
		}
		author, err := s.withAccount(ctx, author)
		if err != nil {
			return err
		}
		traits, err := s.traits(ctx, owner)
		if err != nil {
			return err
		}
		traits.UpdatedBy = author.UserID
		return s.store.SetSkillTraits(ctx, workspace, id, traits)
	})
}
