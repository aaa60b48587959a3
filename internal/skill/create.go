package skill

import (
	"bytes"
	"context"
	"slices"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/registry"
)

// CreateInput is a collection to be created.
type CreateInput struct {
	Name string
	// FolderID is nil for the root.
	FolderID *int64
	// Provider is detected from the files if it is empty.
	Provider string
	// Archive and Files are the first version; files override those of the
	// archive. There is no version if both are empty.
	Archive, Files []Content
	CommitMessage  *string
	// Label is created at the first version; empty for none.
	Label       string
	ExternalIDs []entity.ExternalRef
	Author      Author
}

// release returns the release of the first version.
func (in *CreateInput) release() registry.Release {
	release := releaseOf(in.CommitMessage, in.Label, in.Author)
	release.ExternalIDs = in.ExternalIDs
	return release
}

// releaseOf returns the release of a version, whose label is empty for none.
func releaseOf(message *string, label string, author Author) registry.Release {
	release := registry.Release{CommitMessage: message, Author: author.Email}
	if label != "" {
		release.Labels = []string{label}
	}
	return release
}

// Create adds a collection under the first free name that starts with the given
// one. On any fault nothing is stored: NotFound for an unknown folder,
// Forbidden if the caller lacks the permission, BadRequest for an invalid name
// or file and for a label without files, Conflict for an external id of another
// entity.
func (s *Service) Create(ctx context.Context, workspace int64, in CreateInput) (*Record, error) {
	if err := entity.CheckFolder(ctx, s.catalog, workspace, in.FolderID); err != nil {
		return nil, err
	}
	if err := access.RequireFor(ctx, entity.KindSkill, access.Create); err != nil {
		return nil, err
	}
	name, err := cleanName(in.Name)
	if err != nil {
		return nil, err
	}
	if in.Author, err = s.withAccount(ctx, in.Author); err != nil {
		return nil, err
	}
	first, uploads, err := firstVersion(in)
	if err != nil {
		return nil, err
	}
	wanted := registry.CreateInput[Version]{
		Numbered: numbered(name), UUID: s.newID(), FolderID: in.FolderID,
		Release: in.release(),
		Inside: func(ctx context.Context, owner entity.Entity, version *Version) error {
			traits := Traits{Provider: first.Provider, CreatedBy: in.Author.UserID}
			return s.complete(ctx, owner, traits, in.Author, version, uploads)
		},
	}
	if len(first.Files) > 0 {
		wanted.Content = &first
	}
	made, err := s.registry.Create(ctx, workspace, wanted)
	if err != nil {
		return nil, err
	}
	return s.record(ctx, made)
}

// firstVersion returns the first version of a collection and the files to store
// for it.
func firstVersion(in CreateInput) (first Version, uploads []upload, err error) {
	archive, files, err := prepareBoth(in.Archive, in.Files)
	if err != nil {
		return first, nil, err
	}
	uploads = slices.Concat(archive, files)
	first = Version{Provider: in.Provider, Author: in.Author}
	if first.Provider == "" {
		paths := make([]string, len(uploads))
		for i, one := range uploads {
			paths[i] = one.path
		}
		first.Provider = DetectProvider(paths)
	}
	all := newTree(nil, first.Provider)
	err = all.apply(nil, nil, archive, files)
	first.Files = all.list()
	if err == nil && in.Label != "" && len(first.Files) == 0 {
		err = fault.BadRequestf("A release label requires files: without files there is no version")
	}
	return first, uploads, err
}

func prepareBoth(archive, files []Content) (first, second []upload, err error) {
	if first, err = prepare(archive); err != nil {
		return nil, nil, err
	}
	second, err = prepare(files)
	return first, second, err
}

// complete stores what belongs to a version besides the version itself, and
// sets the fields that depend on the owner. It runs in the transaction of the
// version, which is nil if there is none.
func (s *Service) complete(
	ctx context.Context, owner entity.Entity, traits Traits, author Author, version *Version, uploads []upload,
) error {
	traits.UpdatedBy = author.UserID
	if version != nil {
		version.ID, version.RootPath, traits.Provider = s.newID(), owner.Name, version.Provider
	}
	if err := s.store.SetSkillTraits(ctx, owner.WorkspaceID, owner.ID, traits); err != nil {
		return err
	}
	return s.addContents(ctx, owner.WorkspaceID, uploads)
}

// addContents stores the files that the workspace does not have yet. All
// callers store them in the same order, so that transactions never deadlock.
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
