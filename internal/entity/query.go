package entity

import "time"

// Selector chooses a live entity and one of its versions.
type Selector struct {
	// ID and Name choose the entity. If both are given, the name is used only when
	// no entity of the kind has the id.
	ID   int64
	Name string
	// Label and Number choose the version, which is the latest if neither is
	// given. The label takes precedence.
	Label  string
	Number int64
}

// FoundVersion is a version with its entity.
type FoundVersion struct {
	Entity  Entity
	Version Version
	// LabelID is the label that was followed, 0 when there was none.
	LabelID int64
	// Reference is the reference that was resolved.
	Reference Reference
}

// Status selects live or deleted entities.
type Status uint8

// The statuses; the zero value selects live entities.
const (
	Live Status = iota
	Deleted
	LiveOrDeleted
)

// MaxDeleted limits how many deleted entities are found by name, so that names
// that are used again and again stay cheap.
const MaxDeleted = 10_000

// SortKey is the order of a list of entities; ties are ordered by id, in the same
// direction.
type SortKey uint8

// The sort keys. Names sort byte by byte, so "B" comes before "a".
const (
	ByCreated SortKey = iota
	ByUpdated
	ByName
	ByID
)

// FolderScope selects by folder.
type FolderScope struct {
	// ID is the folder, 0 the root.
	ID int64
	// Deep includes the contents of subfolders.
	Deep bool
}

// Page is a part of a list. A Limit of 0 means all.
type Page struct {
	Limit  int
	Offset int
}

// Query selects entities of one workspace. All conditions must hold; zero values
// do not restrict, except for Status.
type Query struct {
	WorkspaceID int64
	Kinds       []Kind
	IDs         []int64
	// Variant selects entities of exactly this variant.
	Variant *string
	// NameContains matches part of the name, ignoring case as strings.EqualFold
	// does.
	NameContains string
	// Tags selects entities that have all of these tags.
	Tags   []string
	Folder *FolderScope
	// Creator is an email address, ignoring case.
	Creator *string
	// Label selects entities that have a label of exactly this name.
	Label *string
	// The bounds are inclusive.
	CreatedAfter, CreatedBefore *time.Time
	UpdatedAfter, UpdatedBefore *time.Time
	// ExternalID selects the entity with the external id.
	ExternalID *ExternalRef
	Status     Status

	Sort SortKey
	// Ascending reverses the order, which is descending by default.
	Ascending bool
	Page      Page
}
