// Package skill is the registry of skill collections: trees of files for
// agents. It reads and writes zip archives and applies changes to trees.
package skill

import (
	"context"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/registry"
)

// Store stores what only skill collections have. Its methods join the
// transaction of the context, if any.
type Store interface {
	// SetSkillTraits stores the traits of a live collection. It belongs in the
	// transaction of a change to the entity, which is what the audit log
	// records; only a changed provider gets its own entry. The fault is NotFound
	// when the collection does not exist.
	SetSkillTraits(ctx context.Context, workspace, entity int64, traits Traits) error
	// SkillTraits returns the traits of collections by the ids of their
	// entities. Collections without traits are omitted.
	SkillTraits(ctx context.Context, workspace int64, entities []int64) (map[int64]Traits, error)
	// KnownContents returns those of the hashes whose contents the workspace
	// has, in no particular order.
	KnownContents(ctx context.Context, workspace int64, hashes []Hash) ([]Hash, error)
	// AddContent stores bytes under their hash; if the workspace already has
	// them, nothing changes. It belongs in the transaction of the version that
	// refers to them, which is what the audit log records. The fault is NotFound
	// when the workspace does not exist.
	AddContent(ctx context.Context, workspace int64, hash Hash, content []byte) error
	// AccountID returns the id of the account with an email address, nil if
	// there is none.
	AccountID(ctx context.Context, email string) (*int64, error)
	// ReadContent returns the bytes with the hash; the fault is NotFound when
	// the workspace does not have them. The caller owns the result.
	ReadContent(ctx context.Context, workspace int64, hash Hash) ([]byte, error)
}

// Service is the registry. It is safe for concurrent use.
type Service struct {
	registry *registry.Registry[Version]
	catalog  entity.Store
	store    Store
	newID    func() string
}

// NewService returns a registry over the stores. The ids of collections and
// versions come from newID, which returns random UUIDs outside of tests.
func NewService(catalog entity.Store, store Store, newID func() string) *Service {
	return &Service{catalog: catalog, store: store, newID: newID, registry: registry.New(catalog, registry.Kind[Version]{
		Kind: entity.KindSkill, Encode: encodeVersion, Decode: decodeVersion, MayBeEmpty: true,
		Check: func(v Version, _ bool) error { return newTree(v.Files, v.Provider).check() },
	})}
}

// Traits are the fields that only collections have.
type Traits struct {
	// Provider is the agent that the files are laid out for, empty for any.
	Provider string
	// CreatedBy and UpdatedBy are accounts, nil for keys whose owner has none.
	CreatedBy, UpdatedBy *int64
}

// Author is the author of a change.
type Author struct {
	Email *string
	// UserID is the account. If it is nil, the service looks it up by the email
	// address, which is that of a key's owner.
	UserID *int64
}

// withAccount returns the author with the account that has their email address.
func (s *Service) withAccount(ctx context.Context, author Author) (Author, error) {
	if author.UserID != nil || author.Email == nil {
		return author, nil
	}
	id, err := s.store.AccountID(ctx, *author.Email)
	author.UserID = id
	return author, err
}

// Collection is a collection without its files. Its UUID is the variant of the
// entity, and its root path is its name.
type Collection struct {
	Entity      entity.Entity
	Traits      Traits
	ExternalIDs []entity.ExternalID
}

// Version is one version of the files of a collection.
type Version struct {
	ID            string
	Number        int64
	RootPath      string
	Provider      string
	Files         []File
	CommitMessage *string
	// Label is the newest release label that points at it, empty for none.
	Label     string
	Author    Author
	CreatedAt int64 // in microseconds
}

// Record is a collection with one of its versions, nil if it has none.
type Record struct {
	Collection
	Version *Version
}

// File is one file of a version. The path is relative to the root.
type File struct {
	Path string
	Hash Hash
	Size int64
	// Mode is the file mode from an archive, 0 for the default.
	Mode uint32
}

// Hash is the SHA-256 of a file's bytes.
type Hash [32]byte
