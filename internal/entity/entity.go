// Package entity defines what all kinds of managed things have in common. Each of
// them is an entity with numbered versions, labels that point at versions, and
// external ids, so code for entities works for every kind.
package entity

import (
	"encoding/json"
	"time"
)

// Entity is one managed thing of any kind: a prompt, a folder, a tool.
type Entity struct {
	ID          int64
	WorkspaceID int64
	Kind        Kind
	// Variant distinguishes entities of one kind, such as snippets from other
	// prompts. It is empty for most entities and never changes.
	Variant string
	// UUID is what clients know a skill collection by. It is empty for other kinds
	// and never changes.
	UUID string
	Name string
	// FolderID is nil at the root.
	FolderID *int64
	// Tags are in the order in which they were given, without duplicates; never
	// nil.
	Tags []string
	// Creator is the email address of the creator, nil if unknown.
	Creator *string
	// CreatorID is the user who had the address at that time, nil if none had.
	CreatorID *int64
	// LatestVersion is the highest version number, 0 when there is no version.
	LatestVersion int64
	CreatedAt     time.Time
	// UpdatedAt changes with the name, the folder, the tags and each new version.
	UpdatedAt time.Time
	DeletedAt *time.Time
}

// New is an entity to create.
type New struct {
	WorkspaceID int64
	Kind        Kind
	Variant     string
	UUID        string
	Name        string
	FolderID    *int64
	Tags        []string
	Creator     *string
}

// Version is one numbered state of an entity; it never changes.
type Version struct {
	ID            int64
	EntityID      int64
	Number        int64
	Body          json.RawMessage
	CommitMessage *string
	Creator       *string
	// CreatorID is the user who had the creator's address at that time, nil if
	// none had.
	CreatorID *int64
	CreatedAt time.Time
}

// NewVersion is a version to add.
type NewVersion struct {
	Body          json.RawMessage
	CommitMessage *string
	Creator       *string
	// References are the references of the version; duplicates are ignored.
	References []Reference
}

// Reference refers to a version by the name of its entity: the version that the
// label points at, else the one with the number, else the latest.
type Reference struct {
	Name string
	// Number is 0 and Label is empty if not specified.
	Number int64
	Label  string
}

// ReferringVersion is a version with one of its references.
type ReferringVersion struct {
	EntityID      int64
	EntityName    string
	VersionID     int64
	VersionNumber int64
	Reference     Reference
}

// Label is a name that points at one version of an entity.
type Label struct {
	ID            int64
	EntityID      int64
	Name          string
	VersionID     int64
	VersionNumber int64
	CreatedAt     time.Time
}

// ExternalRef is an external id within a workspace.
type ExternalRef struct {
	Source string
	ID     string
}

// ExternalID is the id of an entity in another system.
type ExternalID struct {
	ExternalRef
	EntityID  int64
	CreatedAt time.Time
}

// FolderStep is a folder in a path from the root.
type FolderStep struct {
	ID   int64
	Name string
}

// ABTest makes a label of a prompt stand for several of its versions. It is an
// entity whose versions are its configurations.
type ABTest struct {
	Entity    Entity
	PromptID  int64
	LabelID   int64
	LabelName string
	// Config is the latest configuration.
	Config json.RawMessage
}

// NewABTest is an A/B test to create.
type NewABTest struct {
	Name     string
	FolderID *int64
	Creator  *string
	LabelID  int64
	Config   json.RawMessage
}
