package entity

import (
	"context"
	"encoding/json"
)

// Transactor runs functions in transactions.
type Transactor interface {
	// InTx runs fn in a transaction, which travels in the context passed to fn:
	// every call made with that context belongs to it, and calls made with any
	// other context do not see its changes. If fn returns an error or panics,
	// all changes are rolled back and the error or panic is passed on.
	//
	// A nested call joins the transaction. If its fn fails, only the changes of
	// that fn are rolled back, and the outer transaction can continue.
	//
	// fn runs again when the transaction loses a conflict with another one
	// (deadlock, lock, lost race), so it must have no side effects outside of
	// the store and must not use its context from several goroutines. After a
	// bounded number of attempts the fault is Unavailable with a retry delay.
	// Rows that fn has read may be changed by others until fn writes to or
	// locks the same entity.
	InTx(ctx context.Context, fn func(ctx context.Context) error) error
}

// Store keeps entities of every kind with everything attached to them. Every
// method is safe for concurrent use and joins the transaction of its context,
// if any. An entity, version or label of another workspace behaves as if it
// did not exist. Returned slices and maps belong to the caller, and are empty
// rather than nil when nothing was found. Every change adds an entry to the
// audit log in the same transaction.
//
// When the store cannot be reached or written to, every method returns a fault
// of kind Unavailable.
type Store interface {
	Transactor
	// Revision returns a number that identifies the state of a workspace's
	// entities and everything attached to them (versions, labels, external ids,
	// tags, AB tests), for caches. A caller that reads the revision first and
	// the data second may keep the data for as long as the revision stays the
	// same: after a change has returned, Revision returns a number that it has
	// never returned before that change began. With a shared database this
	// holds across processes; with SQLite it covers the changes made through
	// this store only, because one process owns a data folder, and the numbers
	// start again with the process. The revision of an unknown workspace is 0.
	//
	// Inside a transaction every call returns a new negative number, so that
	// nothing is taken from a cache or put into one.
	Revision(ctx context.Context, workspace int64) (int64, error)

	EntityStore
	FolderStore
	VersionStore
	LabelStore
	ExternalIDStore
	ABTestStore
}

// EntityStore keeps the entities themselves.
type EntityStore interface {
	Finder
	// CreateEntity adds an entity without versions. The fault is Conflict when
	// the kind requires unique names and a live entity has the name (prompts,
	// workflows, datasets, skills and tools: in the workspace; folders: in the
	// parent folder); NotFound when the folder is not a live folder of the
	// workspace or the workspace is unknown; Invalid when the kind is unknown,
	// the name is blank or too long, or the tags are invalid as for SetTags.
	CreateEntity(ctx context.Context, input New) (Entity, error)
	// EntitiesByID returns the live entities of any kind with these ids, in no
	// particular order. Unknown ids are omitted.
	EntitiesByID(ctx context.Context, workspace int64, ids []int64) ([]Entity, error)
	// EntitiesByUUID returns the live entities of the kind that have one of the
	// UUIDs, in no particular order.
	EntitiesByUUID(ctx context.Context, workspace int64, kind Kind, uuids []string) ([]Entity, error)
	// EntitiesByName returns the ids of the live entities of the kind with these
	// names, by name. Unknown names are omitted. If several entities share a
	// name, the oldest is returned.
	EntitiesByName(ctx context.Context, workspace int64, kind Kind, names []string) (map[string]int64, error)
	// DeletedByName returns the ids of deleted entities of the kind by name, newest
	// first. Unknown names are omitted, and so are the oldest of more than
	// MaxDeleted entities.
	DeletedByName(ctx context.Context, workspace int64, kind Kind, names []string) (map[string][]int64, error)
	// EntityNames returns the names of entities by id, including deleted ones.
	// Unknown ids are omitted.
	EntityNames(ctx context.Context, workspace int64, ids []int64) (map[int64]string, error)
	// ListEntities returns a page of the matching entities and the number of
	// all matching entities. A page past the end is empty. The fault is Invalid
	// when the query has more than 1,000 ids.
	ListEntities(ctx context.Context, query Query) ([]Entity, int64, error)
	// RenameEntity renames a live entity and returns it. The former name leads to
	// it (FormerNames), if the kind is redirected. Renaming an entity to its
	// current name only changes UpdatedAt. The fault is NotFound when there
	// is no such entity; Conflict and Invalid are as for CreateEntity.
	RenameEntity(ctx context.Context, workspace, id int64, name string) (Entity, error)
	// SetTags replaces the tags of a live entity and returns it. Tags keep their
	// order; duplicates are dropped. The fault is NotFound when the
	// entity does not exist, and Invalid when there are more than 1,000 tags or a tag is too
	// long.
	SetTags(ctx context.Context, workspace, id int64, tags []string) (Entity, error)
	// LockEntity prevents other transactions from changing or deleting a live
	// entity until the current transaction ends, so that anything read about
	// the entity afterwards stays true. Outside of a transaction it has no
	// effect. The fault is NotFound when the entity does not exist. It counts as a
	// change to Revision, because one is expected to follow.
	LockEntity(ctx context.Context, workspace, id int64) error
	// MoveEntities moves live entities to a folder (nil: the root), all or none,
	// and returns the number of distinct entities, including those already
	// there. The fault is NotFound when the folder or one of the entities is not
	// live in the workspace, BadRequest when a folder would contain itself, and
	// Conflict when the target already has a folder of the same name.
	MoveEntities(ctx context.Context, workspace int64, ids []int64, folder *int64) (int64, error)
	// SoftDelete hides live entities of any kind, all or none, and returns the
	// number of distinct entities. Their names and external ids become free;
	// their labels and the AB tests on those labels are deleted; their versions
	// stay readable. The contents of a deleted folder are not touched. The fault
	// is NotFound when one of the entities is not live in the workspace.
	SoftDelete(ctx context.Context, workspace int64, ids []int64) (int64, error)
	// RemoveEntities permanently deletes live entities with their versions,
	// tags, labels, AB tests and external ids, all or none, and returns the
	// number of distinct entities. Soft-deleted entities in a removed folder
	// move to the root. The fault is NotFound when one of the entities is not
	// live in the workspace, and Conflict when a folder contains a live entity
	// that is not being removed.
	RemoveEntities(ctx context.Context, workspace int64, ids []int64) (int64, error)
}

// FolderStore knows the tree of folders.
type FolderStore interface {
	// LockTree prevents other transactions from moving entities between folders
	// until the current transaction ends, so that anything read about the tree
	// afterwards stays true, except for newly created entities. Outside of a
	// transaction it has no effect.
	LockTree(ctx context.Context, workspace int64) error
	// FolderPaths returns the path from the root to each folder, by the folder's
	// id; the folder itself is the last step. Ids that are not folders of the
	// workspace are omitted.
	FolderPaths(ctx context.Context, workspace int64, folders []int64) (map[int64][]FolderStep, error)
	// FolderHeight returns the number of levels of the deepest of the folders,
	// including the folder itself; 0 when none of the ids is a folder.
	FolderHeight(ctx context.Context, workspace int64, ids []int64) (int64, error)
	// EntitiesBelow returns all live entities in the folders, at any depth, in
	// no particular order. An entity may occur more than once when the folders
	// contain each other.
	EntitiesBelow(ctx context.Context, workspace int64, folders []int64) ([]Entity, error)
	// ResolvePath returns the ids of the folders whose names, joined from the
	// root by the separator, equal the path, in no particular order. There can
	// be several because names may contain the separator.
	ResolvePath(ctx context.Context, workspace int64, path, separator string) ([]int64, error)
}

// VersionReader reads the versions of entities for lists.
type VersionReader interface {
	// EachVersion calls use with each version of a page of an entity's versions,
	// newest first, and returns the number of all its versions; 0 when the
	// entity is unknown. It holds one version in memory at a time, unless use
	// keeps it. An error of use ends the iteration and is returned. use must not
	// use the store.
	EachVersion(ctx context.Context, workspace, entity int64, page Page, use func(version *Version) error) (int64, error)
	// LabelsByVersion returns the labels that point at each version by the
	// version's id, ordered by name. Versions without labels are omitted.
	LabelsByVersion(ctx context.Context, workspace int64, versions []int64) (map[int64][]Label, error)
}

// VersionStore keeps the versions of entities. Versions of deleted entities can
// still be read unless a method says otherwise.
type VersionStore interface {
	VersionReader
	// AddVersion adds the next version to a live entity. Its number is the
	// highest number plus one, so numbers have no gaps even with concurrent
	// callers. The fault is NotFound when the entity does not exist, and Invalid
	// when the body is not JSON or a reference has an empty or too long name.
	AddVersion(ctx context.Context, workspace, entity int64, input NewVersion) (Version, error)
	// GetVersion returns a version by its number; the fault is NotFound when the
	// entity has no such version.
	GetVersion(ctx context.Context, workspace, entity, number int64) (Version, error)
	// GetVersionByID returns a version by its id, or a NotFound fault.
	GetVersionByID(ctx context.Context, workspace, id int64) (Version, error)
	// FindVersion returns the version of the live entity of the kind that the
	// selector chooses. The NotFound fault says what is missing: the entity, the
	// label or the version. If several entities share the name, the oldest that
	// has the version is chosen.
	FindVersion(ctx context.Context, workspace int64, kind Kind, selector Selector) (FoundVersion, error)
	// VersionsByName returns the versions of the kind's live entities that the
	// references name, in the order of the references and without duplicates.
	// References that name nothing are omitted. A name that an entity had before
	// names it, as for FormerNames.
	VersionsByName(ctx context.Context, workspace int64, kind Kind, references []Reference) ([]FoundVersion, error)
	// LatestVersions returns the latest version of each entity, by the entity's
	// id. Entities without versions are omitted.
	LatestVersions(ctx context.Context, workspace int64, entities []int64) (map[int64]Version, error)
	// LabelledVersions returns the version of each entity that the label points
	// at, by the entity's id. Entities without the label are omitted.
	LabelledVersions(ctx context.Context, workspace int64, entities []int64, label string) (map[int64]Version, error)
	// VisitLatestVersions calls visit with the latest version of each entity
	// that the query selects, in no particular order, holding one version in
	// memory at a time. Entities without versions are omitted; the order and
	// page of the query are ignored. An error of visit ends the iteration and is
	// returned. visit must not use the store.
	VisitLatestVersions(ctx context.Context, query Query, visit func(FoundVersion) error) error
	// OwnersOfVersions returns the live entities that the versions belong to, by
	// the version's id. Unknown ids are omitted.
	OwnersOfVersions(ctx context.Context, workspace int64, versions []int64) (map[int64]Entity, error)
	// ListReferences returns every version of a live entity that refers to the
	// name or to a former name of the entity that has it, whether or not an entity
	// has that name, ordered by entity id and
	// version number. A version occurs once for each of its references to the
	// name.
	ListReferences(ctx context.Context, workspace int64, name string) ([]ReferringVersion, error)
}

// LabelStore keeps the labels of entities.
type LabelStore interface {
	// SetLabel creates the label, or moves it to the version, keeping its id.
	// The fault is NotFound when the live entity or version does not exist, and
	// Invalid when the name is blank or too long.
	SetLabel(ctx context.Context, workspace, entity int64, name string, number int64) (Label, error)
	// CreateLabel creates a label. The fault is Conflict when the entity already
	// has a label of that name; NotFound and Invalid are as for SetLabel.
	CreateLabel(ctx context.Context, workspace, entity int64, name string, number int64) (Label, error)
	// MoveLabel moves the label with the id to another version of its entity.
	// The fault is NotFound when the label or version does not exist.
	MoveLabel(ctx context.Context, workspace, id, number int64) (Label, error)
	// GetLabel returns a label by its id, or a NotFound fault.
	GetLabel(ctx context.Context, workspace, id int64) (Label, error)
	// FindLabel returns the entity's label with exactly this name, or a NotFound
	// fault.
	FindLabel(ctx context.Context, workspace, entity int64, name string) (Label, error)
	// ListLabels returns the labels of an entity, oldest first.
	ListLabels(ctx context.Context, workspace, entity int64) ([]Label, error)
	// LabelsByEntity returns the labels of each entity by the entity's id,
	// oldest first. Entities without labels are omitted.
	LabelsByEntity(ctx context.Context, workspace int64, entities []int64) (map[int64][]Label, error)
	// DeleteLabel deletes a label and the AB test on it; the fault is NotFound
	// when the label does not exist.
	DeleteLabel(ctx context.Context, workspace, id int64) error
}

// ExternalIDStore keeps the external ids of entities. An external id belongs to
// at most one entity of a workspace.
type ExternalIDStore interface {
	// AttachExternalID attaches an external id to a live entity; if the entity
	// already has it, nothing changes. The fault is Conflict when another entity
	// of any kind has it, NotFound when the entity does not exist, and Invalid
	// when the source or the id is empty or too long.
	AttachExternalID(ctx context.Context, workspace, entity int64, ref ExternalRef) error
	// DeleteExternalID detaches an external id from an entity. The fault is
	// NotFound when the entity does not have it, even if another one does.
	DeleteExternalID(ctx context.Context, workspace, entity int64, ref ExternalRef) error
	// FindByExternalID returns the live entity of any kind with the external id,
	// or a NotFound fault.
	FindByExternalID(ctx context.Context, workspace int64, ref ExternalRef) (Entity, error)
	// ListExternalIDs returns the external ids of a live entity in the order in
	// which they were attached.
	ListExternalIDs(ctx context.Context, workspace, entity int64) ([]ExternalID, error)
	// ExternalIDsByEntity returns the external ids of each live entity by the
	// entity's id, in the order in which they were attached. Entities without
	// external ids are omitted.
	ExternalIDsByEntity(ctx context.Context, workspace int64, entities []int64) (map[int64][]ExternalID, error)
	// ExternalIDsOf returns the external ids of all entities that the query
	// selects by the entity's id, in the order in which they were attached. The
	// order and page of the query are ignored. The fault is Invalid as for
	// ListEntities.
	ExternalIDsOf(ctx context.Context, query Query) (map[int64][]ExternalID, error)
}

// ABTestStore keeps the AB tests of labels. An AB test is an entity; its
// versions are its configurations.
type ABTestStore interface {
	// CreateABTest adds an AB test to a label. The fault is Conflict when the
	// label already has one, NotFound when the label or folder does not exist, and
	// Invalid when the name is blank or too long or the configuration is not
	// JSON.
	CreateABTest(ctx context.Context, workspace int64, input NewABTest) (ABTest, error)
	// SetABTestConfig replaces the configuration of an AB test and returns the
	// test. The fault is NotFound when the test does not exist, and Invalid when
	// the configuration is not JSON.
	SetABTestConfig(ctx context.Context, workspace, id int64, config json.RawMessage, author *string) (ABTest, error)
	// GetABTest returns an AB test by its id, or a NotFound fault.
	GetABTest(ctx context.Context, workspace, id int64) (ABTest, error)
	// FindABTestByLabel returns the AB test on a label and whether there is one.
	FindABTestByLabel(ctx context.Context, workspace, label int64) (ABTest, bool, error)
	// ListABTests returns the AB tests of a prompt, or of the workspace when
	// prompt is nil, ordered by id.
	ListABTests(ctx context.Context, workspace int64, prompt *int64) ([]ABTest, error)
	// DeleteABTest deletes an AB test, so that the label means its own version
	// again. The fault is NotFound when the test does not exist.
	DeleteABTest(ctx context.Context, workspace, id int64) error
}
