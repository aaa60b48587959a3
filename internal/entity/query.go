package entity

import "time"

// Selector chooses a live entity and one of its versions.
type Selector struct {
	// ID and Name choose the entity. When both are given, the name counts only
	// where the id is none of the kind's.
	ID   int64
	Name string
	// Label and Number choose the version; the label counts when both are
	// given. It is the latest when neither is.
	Label  string
	Number int64
}

// FoundVersion is a version with its entity.
type FoundVersion struct {
	Entity  Entity
	Version Version
	// LabelID is the label that was followed, 0 when there was none.
	LabelID int64
	// Reference is what was asked for.
	Reference Reference
}

// Status says which entities a query sees.
type Status uint8

// The statuses; the zero value sees live entities.
const (
	Live Status = iota
	Deleted
	LiveOrDeleted
)

// SortKey is what a list of entities is ordered by; entities that are equal
// in it are ordered by id, in the same direction.
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
	// Deep selects everything below, not only what lies directly inside.
	Deep bool
}

// Page is a part of a list. A Limit of 0 means all.
type Page struct {
	Limit  int
	Offset int
}

// Query selects entities of one workspace; all conditions must hold and the
// zero value of each does not restrict, except for Status.
type Query struct {
	WorkspaceID int64
	Kinds       []Kind
	IDs         []int64
	// Variant selects entities of exactly this variant.
	Variant *string
	// NameContains matches a part of the name in any case, in every script:
	// two letters are equal when strings.EqualFold says so.
	NameContains string
	// Tags must all be among the entity's.
	Tags   []string
	Folder *FolderScope
	// Creator is an email address, in any case.
	Creator *string
	// Label selects entities that have a label of exactly this name.
	Label *string
	// The bounds are inclusive.
	CreatedAfter, CreatedBefore *time.Time
	UpdatedAfter, UpdatedBefore *time.Time
	// ExternalID selects the entity the external id is attached to.
	ExternalID *ExternalRef
	Status     Status

	Sort SortKey
	// Ascending turns the order round, which is newest first by default.
	Ascending bool
	Page      Page
}
