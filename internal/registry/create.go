package registry

import (
	"context"
	"slices"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

// Inside runs in the transaction of a change, before the version is stored. The
// owner is locked. It can store data that belongs to the version and complete
// the content, which is nil if there is no version.
type Inside[C any] func(ctx context.Context, owner entity.Entity, content *C) error

// CreateInput is an entity to be created with its first version.
type CreateInput[C any] struct {
	Name string
	// Numbered, if not nil, replaces Name: the entity gets the first free one of
	// the names Numbered(1), Numbered(2), ….
	Numbered func(n int) string
	// UUID is what clients know a skill collection by.
	UUID string
	// FolderID is nil for the root.
	FolderID *int64
	// Content is nil for an entity without a version.
	Content *C
	Release Release
	Inside  Inside[C]
}

// Create adds an entity with its first version. On any fault nothing is stored:
// NotFound for an unknown folder, Forbidden if the caller lacks the permission,
// faults of the kind for invalid content and for a duplicate name, Conflict for
// an external id of another entity.
func (r *Registry[C]) Create(ctx context.Context, workspace int64, in CreateInput[C]) (*Record[C], error) {
	if err := entity.CheckFolder(ctx, r.store, workspace, in.FolderID); err != nil {
		return nil, err
	}
	if err := in.Release.Require(ctx, r.kind.Kind, access.Create); err != nil {
		return nil, err
	}
	prepared, err := r.prepare(in.Content, false, in.Release)
	if err != nil {
		return nil, err
	}
	prepared.inside = in.Inside
	wanted := entity.New{
		WorkspaceID: workspace, Kind: r.kind.Kind, UUID: in.UUID, Name: in.Name,
		FolderID: in.FolderID, Creator: in.Release.Author,
	}
	var record *Record[C]
	err = r.store.InTx(ctx, func(ctx context.Context) error {
		owner, err := r.create(ctx, wanted, in.Numbered)
		if err == nil {
			record, err = r.add(ctx, owner, prepared)
		}
		return err
	})
	return record, err
}

// create adds an entity without a version.
func (r *Registry[C]) create(ctx context.Context, wanted entity.New, numbered func(n int) string) (entity.Entity, error) {
	if numbered != nil {
		return r.underFreeName(ctx, wanted.WorkspaceID, numbered, func(name string) (entity.Entity, error) {
			wanted.Name = name
			return r.store.CreateEntity(ctx, wanted)
		})
	}
	made, err := r.store.CreateEntity(ctx, wanted)
	return made, r.nameTaken(err, wanted.Name)
}

// draft is a version that passed all checks outside of the transaction. Only
// prepare creates one.
type draft[C any] struct {
	// content is nil if there is no version.
	content *C
	body    []byte
	release Release
	inside  Inside[C]
}

// prepare checks content and returns it ready to be stored. It runs outside of
// the transaction, so that other writers do not wait for a version that is
// rejected.
func (r *Registry[C]) prepare(content *C, edited bool, release Release) (draft[C], error) {
	prepared := draft[C]{release: release}
	if err := release.check(); err != nil || content == nil {
		return prepared, err
	}
	if err := r.kind.Check(*content, edited); err != nil {
		return prepared, err
	}
	normal := *content
	if r.kind.Normalize != nil {
		normal = r.kind.Normalize(normal)
	}
	prepared.content = &normal
	return prepared, r.encode(&prepared)
}

// encode sets the body of a draft.
func (r *Registry[C]) encode(d *draft[C]) (err error) {
	if d.body, err = r.kind.Encode(*d.content); err != nil {
		return err
	}
	if r.kind.MaxSize > 0 && len(d.body) > r.kind.MaxSize {
		traits, _ := entity.TraitsOf(r.kind.Kind)
		return fault.BadRequestf("The %s is too large: it takes %d bytes, more than %d", traits.Noun, len(d.body), r.kind.MaxSize)
	}
	return nil
}

// add stores a draft with its release. It runs in a transaction.
func (r *Registry[C]) add(ctx context.Context, owner entity.Entity, d draft[C]) (*Record[C], error) {
	if d.inside != nil {
		if err := r.complement(ctx, owner, &d); err != nil {
			return nil, err
		}
	}
	record := &Record[C]{}
	if d.content != nil {
		version, err := r.addVersion(ctx, owner, d)
		if err != nil {
			return nil, err
		}
		record.Version, record.Content = version, *d.content
	}
	for _, ref := range d.release.ExternalIDs {
		if err := r.store.AttachExternalID(ctx, owner.WorkspaceID, owner.ID, ref); err != nil {
			return nil, err
		}
	}
	if r.kind.CheckStored != nil && d.content != nil {
		if err := r.kind.CheckStored(ctx, owner.WorkspaceID, record.Version, record.Content); err != nil {
			return nil, err
		}
	}
	var err error
	if record.Entity, err = r.store.GetEntity(ctx, owner.WorkspaceID, owner.ID); err != nil {
		return nil, err
	}
	return record, r.complete(ctx, record)
}

// complement runs the hook of a draft and encodes the completed content.
func (r *Registry[C]) complement(ctx context.Context, owner entity.Entity, d *draft[C]) error {
	if d.content == nil {
		return d.inside(ctx, owner, nil)
	}
	content := *d.content // the transaction may run again
	d.content = &content
	if err := d.inside(ctx, owner, d.content); err != nil {
		return err
	}
	return r.encode(d)
}

// addVersion stores a version with its labels.
func (r *Registry[C]) addVersion(ctx context.Context, owner entity.Entity, d draft[C]) (entity.Version, error) {
	input := entity.NewVersion{Body: d.body, CommitMessage: d.release.CommitMessage, Creator: d.release.Author}
	if r.kind.References != nil {
		input.References = r.kind.References(*d.content)
	}
	if input.CommitMessage == nil && owner.LatestVersion == 0 && r.kind.FirstMessage != "" {
		input.CommitMessage = &r.kind.FirstMessage
	}
	version, err := r.store.AddVersion(ctx, owner.WorkspaceID, owner.ID, input)
	if err != nil {
		return version, err
	}
	for i, label := range d.release.Labels {
		if slices.Contains(d.release.Labels[:i], label) {
			continue
		}
		if _, err := r.store.SetLabel(ctx, owner.WorkspaceID, owner.ID, label, version.Number); err != nil {
			return version, err
		}
	}
	return version, nil
}
