package skill

import (
	"context"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

// SaveInput is what a new version changes. Deletes and moves come first, then
// the archive, then the files.
type SaveInput struct {
	Deletes        []string
	Moves          []Move
	Archive, Files []Content
	// Provider is "" when it stays.
	Provider      string
	CommitMessage *string
	// Label is created at, or moved to, the new version; "" for none.
	Label  string
	Author Author
}

// Save adds a version that is the latest one with the changes. Saves of one
// collection are made one after the other, so that none undoes another. On any
// fault nothing is stored: NotFound for an unknown collection, Forbidden when
// the caller may not do it, BadRequest for changes that cannot be made.
func (s *Service) Save(ctx context.Context, workspace int64, identifier string, in SaveInput) (*Record, error) {
	owner, err := s.Identify(ctx, workspace, identifier)
	if err != nil {
		return nil, err
	}
	if err := in.permitted(ctx); err != nil {
		return nil, err
	}
	if len(in.Deletes)+len(in.Moves) > MaxFiles {
		return nil, fault.BadRequestf("A version cannot delete and move more than %d paths", MaxFiles)
	}
	archive, updates, err := prepareBoth(in.Archive, in.Files)
	if err != nil {
		return nil, err
	}
	// What can be refused is refused here, while others can still write.
	prepared, err := s.changed(ctx, workspace, owner, in, archive, updates)
	if err != nil {
		return nil, err
	}
	var record *Record
	err = s.catalog.InTx(ctx, func(ctx context.Context) error {
		record, err = s.save(ctx, workspace, owner, in, prepared, func(ctx context.Context, owner entity.Entity) (edition, error) {
			return s.changed(ctx, workspace, owner, in, archive, updates)
		})
		return err
	})
	return record, err
}

func (in *SaveInput) permitted(ctx context.Context) error {
	if in.Label != "" {
		return access.Require(ctx, access.SkillEdit, access.SkillDeploy)
	}
	return access.Require(ctx, access.SkillEdit)
}

// edition is a version that is ready to be stored, and what it was made from.
type edition struct {
	draft
	// base is the number of the version before, 0 for none.
	base   int64
	before Traits
}

// changed returns the latest version with the changes made.
func (s *Service) changed(
	ctx context.Context, workspace int64, owner entity.Entity, in SaveInput, archive, updates []upload,
) (edition, error) {
	traits, err := s.store.SkillTraits(ctx, workspace, []int64{owner.ID})
	if err != nil {
		return edition{}, err
	}
	latest, err := s.selected(ctx, workspace, owner, Selector{})
	if err != nil {
		return edition{}, err
	}
	made := edition{before: traits[owner.ID]}
	all := newTree(nil, made.before.Provider)
	if latest != nil {
		made.base = latest.Number
		all = newTree(latest.Files, made.before.Provider)
	}
	if err := all.apply(in.Deletes, in.Moves, archive, updates); err != nil {
		return edition{}, err
	}
	made.draft = draft{made.before.Provider, all.list(), append(archive[:len(archive):len(archive)], updates...)}
	if in.Provider != "" {
		made.provider = in.Provider
	}
	return made, newTree(made.files, made.provider).check()
}

// save stores an edition, which is made again when another version came in
// between. It runs in a transaction.
func (s *Service) save(
	ctx context.Context, workspace int64, owner entity.Entity, in SaveInput, made edition,
	again func(ctx context.Context, owner entity.Entity) (edition, error),
) (*Record, error) {
	if err := collectionNotFound(s.catalog.LockEntity(ctx, workspace, owner.ID)); err != nil {
		return nil, err
	}
	// What it is called, and what is the latest version, is certain only now.
	owner, err := s.catalog.GetEntity(ctx, workspace, owner.ID)
	if err != nil {
		return nil, collectionNotFound(err)
	}
	if owner.LatestVersion != made.base {
		if made, err = again(ctx, owner); err != nil {
			return nil, err
		}
	}
	version, err := s.add(ctx, workspace, owner, made.draft, release{in.CommitMessage, in.Label, in.Author})
	if err != nil {
		return nil, err
	}
	traits := Traits{made.provider, made.before.CreatedBy, in.Author.UserID}
	if err := s.store.SetSkillTraits(ctx, workspace, owner.ID, traits); err != nil {
		return nil, err
	}
	return s.reread(ctx, workspace, owner.ID, version)
}

// reread returns a collection as it is now, with a version that is at hand.
func (s *Service) reread(ctx context.Context, workspace, id int64, version *Version) (*Record, error) {
	current, err := s.catalog.GetEntity(ctx, workspace, id)
	if err != nil {
		return nil, err
	}
	record := &Record{Collection: Collection{Entity: current}, Version: version}
	return record, s.complete(ctx, workspace, []*Collection{&record.Collection})
}

// Rename gives a collection the first free name that begins with the one that
// is wanted, and so another root path; files and versions stay as they are. Nil
// changes nothing. The fault is NotFound for an unknown collection, Forbidden
// when the caller may not do it and BadRequest for a name that breaks a rule.
func (s *Service) Rename(ctx context.Context, workspace int64, identifier string, name *string, author Author) (*Record, error) {
	owner, err := s.Identify(ctx, workspace, identifier)
	if err != nil {
		return nil, err
	}
	if err := access.Require(ctx, access.SkillEdit); err != nil {
		return nil, err
	}
	if name == nil {
		return s.reread(ctx, workspace, owner.ID, nil)
	}
	wanted, err := cleanName(*name)
	if err != nil {
		return nil, err
	}
	var record *Record
	err = s.catalog.InTx(ctx, func(ctx context.Context) (err error) {
		record, err = s.rename(ctx, workspace, owner.ID, wanted, author)
		return err
	})
	return record, err
}

func (s *Service) rename(ctx context.Context, workspace, id int64, name string, author Author) (*Record, error) {
	if err := collectionNotFound(s.catalog.LockEntity(ctx, workspace, id)); err != nil {
		return nil, err
	}
	_, err := s.underFreeName(ctx, workspace, name, id, func(free string) (entity.Entity, error) {
		return s.catalog.RenameEntity(ctx, workspace, id, free)
	})
	if err != nil {
		return nil, err
	}
	traits, err := s.store.SkillTraits(ctx, workspace, []int64{id})
	if err != nil {
		return nil, err
	}
	renamed := traits[id]
	renamed.UpdatedBy = author.UserID
	if err := s.store.SetSkillTraits(ctx, workspace, id, renamed); err != nil {
		return nil, err
	}
	return s.reread(ctx, workspace, id, nil)
}
