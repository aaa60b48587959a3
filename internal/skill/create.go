package skill

import (
	"bytes"
	"context"
	"slices"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/entity"
)

// CreateInput is a collection to be created.
type CreateInput struct {
	Name string
	// FolderID is where it is put, nil for the root.
	FolderID *int64
	// Provider is "" when the files are to tell it.
	Provider string
	// Archive and Files are the first version; files override the archive's of
	// the same paths. There is no version when both are empty.
	Archive, Files []Content
	CommitMessage  *string
	ExternalIDs    []entity.ExternalRef
	Author         Author
}

// Create adds a collection, under the first free name that begins with the one
// that is wanted. On any fault nothing is stored: NotFound for an unknown
// folder, Forbidden when the caller may not do it, BadRequest for a name or
// files that break a rule, Conflict for an external id of another entity.
func (s *Service) Create(ctx context.Context, workspace int64, in CreateInput) (*Record, error) {
	if err := entity.CheckFolder(ctx, s.catalog, workspace, in.FolderID); err != nil {
		return nil, err
	}
	if err := access.Require(ctx, access.SkillCreate); err != nil {
		return nil, err
	}
	name, err := cleanName(in.Name)
	if err != nil {
		return nil, err
	}
	made, err := newDraft(in)
	if err != nil {
		return nil, err
	}
	var record *Record
	err = s.catalog.InTx(ctx, func(ctx context.Context) (err error) {
		record, err = s.create(ctx, workspace, name, in, made)
		return err
	})
	return record, err
}

// draft is a version that passed all checks.
type draft struct {
	provider string
	files    []File
	uploads  []upload
}

// newDraft returns the first version of a collection.
func newDraft(in CreateInput) (draft, error) {
	archive, updates, err := prepareBoth(in.Archive, in.Files)
	if err != nil {
		return draft{}, err
	}
	made := draft{provider: in.Provider, uploads: append(archive, updates...)}
	if made.provider == "" {
		paths := make([]string, len(made.uploads))
		for i, one := range made.uploads {
			paths[i] = one.path
		}
		made.provider = DetectProvider(paths)
	}
	all := newTree(nil, made.provider)
	if err := all.apply(nil, nil, archive, updates); err != nil {
		return draft{}, err
	}
	made.files = all.list()
	return made, all.check()
}

func prepareBoth(archive, files []Content) (first, second []upload, err error) {
	if first, err = prepare(archive); err != nil {
		return nil, nil, err
	}
	second, err = prepare(files)
	return first, second, err
}

// create stores a collection. It runs in a transaction.
func (s *Service) create(ctx context.Context, workspace int64, name string, in CreateInput, made draft) (*Record, error) {
	wanted := entity.New{
		WorkspaceID: workspace, Kind: entity.KindSkill, Variant: s.newID(), FolderID: in.FolderID, Creator: in.Author.Email,
	}
	owner, err := s.underFreeName(ctx, workspace, name, 0, func(free string) (entity.Entity, error) {
		wanted.Name = free
		return s.catalog.CreateEntity(ctx, wanted)
	})
	if err != nil {
		return nil, err
	}
	traits := Traits{Provider: made.provider, CreatedBy: in.Author.UserID, UpdatedBy: in.Author.UserID}
	if err := s.store.SetSkillTraits(ctx, workspace, owner.ID, traits); err != nil {
		return nil, err
	}
	for _, ref := range in.ExternalIDs {
		if err := s.catalog.AttachExternalID(ctx, workspace, owner.ID, ref); err != nil {
			return nil, err
		}
	}
	var version *Version
	if len(made.files) > 0 {
		if version, err = s.add(ctx, workspace, owner, made, release{in.CommitMessage, "", in.Author}); err != nil {
			return nil, err
		}
	}
	return s.reread(ctx, workspace, owner.ID, version)
}

// release is what comes along with a version.
type release struct {
	message *string
	label   string
	author  Author
}

// add stores a version with the files that the workspace does not have. It runs
// in a transaction.
func (s *Service) add(ctx context.Context, workspace int64, owner entity.Entity, made draft, r release) (*Version, error) {
	if err := s.addContents(ctx, workspace, made.uploads); err != nil {
		return nil, err
	}
	version := &Version{ID: s.newID(), RootPath: owner.Name, Provider: made.provider, Files: made.files, Author: r.author}
	body, err := encodeVersion(version)
	if err != nil {
		return nil, err
	}
	added, err := s.catalog.AddVersion(ctx, workspace, owner.ID, entity.NewVersion{
		Body: body, CommitMessage: r.message, Creator: r.author.Email,
	})
	if err != nil {
		return nil, err
	}
	version.Number, version.CommitMessage, version.CreatedAt = added.Number, added.CommitMessage, added.CreatedAt.UnixMicro()
	if r.label == "" {
		return version, nil
	}
	version.Label = r.label
	_, err = s.catalog.SetLabel(ctx, workspace, owner.ID, r.label, added.Number)
	return version, err
}

// addContents stores what the workspace does not have. They are stored in one
// order by all, so that two transactions never wait for each other.
func (s *Service) addContents(ctx context.Context, workspace int64, uploads []upload) error {
	hashes := make([]Hash, len(uploads))
	for i, one := range uploads {
		hashes[i] = one.file.Hash
	}
	known, err := s.store.KnownContents(ctx, workspace, hashes)
	if err != nil {
		return err
	}
	stored := make(map[Hash]bool, len(hashes))
	for _, hash := range known {
		stored[hash] = true
	}
	sorted := slices.SortedFunc(slices.Values(uploads), func(a, b upload) int { return bytes.Compare(a.file.Hash[:], b.file.Hash[:]) })
	for _, one := range sorted {
		if stored[one.file.Hash] {
			continue
		}
		content, err := one.read()
		if err != nil {
			return err
		}
		if err := s.store.AddContent(ctx, workspace, one.file.Hash, content); err != nil {
			return err
		}
		stored[one.file.Hash] = true
	}
	return nil
}
