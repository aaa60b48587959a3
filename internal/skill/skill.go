// Package skill is the registry of skill collections: trees of files that
// agents work with, kept in numbered versions. It reads and writes zip
// archives, applies changes to trees, releases versions by label and finds
// collections again.
package skill

import (
	"context"

	"github.com/promptuary/promptuary/internal/entity"
)

// Store keeps what only skill collections have. Its methods join the
// transaction of the context, if any.
type Store interface {
	// SetSkillTraits stores the traits of a live collection. It belongs in the
	// transaction of a change to the entity, which is what the audit log
	// records; only a changed provider gets its own entry. The fault is NotFound
	// when there is no such collection.
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
	// when there is no such workspace.
	AddContent(ctx context.Context, workspace int64, hash Hash, content []byte) error
	// ReadContent returns the bytes with the hash; the fault is NotFound when
	// the workspace does not have them. The caller owns the result.
	ReadContent(ctx context.Context, workspace int64, hash Hash) ([]byte, error)
}

// Service is the registry. It is safe for concurrent use.
type Service struct {
	catalog entity.Store
	store   Store
	newID   func() string
}

// NewService returns a registry over the stores. The ids of collections and
// versions come from newID, which makes random UUIDs outside of tests.
func NewService(catalog entity.Store, store Store, newID func() string) *Service {
	return &Service{catalog: catalog, store: store, newID: newID}
}

// Traits is what a collection has beside its entity.
type Traits struct {
	// Provider is for whom the files are laid out, "" for everybody.
	Provider string
	// CreatedBy and UpdatedBy are the accounts of people, nil where a key acted.
	CreatedBy, UpdatedBy *int64
}

// Author is who makes a change.
type Author struct {
	Email *string
	// UserID is the account, nil where a key acts.
	UserID *int64
}

// Collection is a collection without its files. Its UUID is the variant of the
// entity, and its root path is its name.
type Collection struct {
	Entity      entity.Entity
	Traits      Traits
	ExternalIDs []entity.ExternalID
}

// Version is one state of a collection's files.
type Version struct {
	ID            string
	Number        int64
	RootPath      string
	Provider      string
	Files         []File
	CommitMessage *string
	// Label is the release label that points at it, "" for none.
	Label     string
	Author    Author
	CreatedAt int64 // in microseconds
}

// Record is a collection with one of its versions, nil where it has none.
type Record struct {
	Collection
	Version *Version
}

// File is one file of a version. The path is relative to the root.
type File struct {
	Path string
	Hash Hash
	Size int64
	// Mode is the permissions as an archive brought them, 0 for the usual ones.
	Mode uint32
}

// Hash is the SHA-256 of a file's bytes.
type Hash [32]byte
