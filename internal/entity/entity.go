// Package entity holds the types of what the registry manages. Every managed
// thing of any kind is an entity with numbered versions, labels that point at
// versions, and external ids; what is written for entities works for all kinds.
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
	// Variant tells apart what the kind alone does not, such as snippets from
	// other prompts; it is empty for most and never changes.
	Variant string
	Name    string
	// FolderID is nil at the root.
	FolderID *int64
	// Tags are in the order in which they were given, each once; never nil.
	Tags []string
	// Creator is the email address of who created it, where that is known.
	Creator *string
	// CreatorID is the account that had the address then, nil where none had.
	CreatorID *int64
	// LatestVersion is the highest version number, 0 when there is no version.
	LatestVersion int64
	CreatedAt     time.Time
	// UpdatedAt changes with the name, the folder, the tags and each new version.
	UpdatedAt time.Time
	DeletedAt *time.Time
}

// New is an entity to be created.
type New struct {
	WorkspaceID int64
	Kind        Kind
	Variant     string
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
	// CreatorID is the account that had the creator's address then, nil where
	// none had.
	CreatorID *int64
	CreatedAt time.Time
}

// NewVersion is a version to be added.
type NewVersion struct {
	Body          json.RawMessage
	CommitMessage *string
	Creator       *string
	// References are what the version refers to by name; equal ones count once.
	References []Reference
}

// Reference names a version of an entity by the entity's name: the version
// the label points at, else the one with the number, else the latest.
type Reference struct {
	Name string
	// Number is 0 and Label empty when the reference does not pin it.
	Number int64
	Label  string
}

// ReferringVersion is a version that refers to something.
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

// ExternalID is a name that another system gave an entity.
type ExternalID struct {
	ExternalRef
	EntityID  int64
	CreatedAt time.Time
}

// FolderStep is one folder on the way from the root.
type FolderStep struct {
	ID   int64
	Name string
}

// ABTest lets one label of a prompt stand for several of its versions. It is
// an entity, whose versions are the configurations it has had.
type ABTest struct {
	Entity    Entity
	PromptID  int64
	LabelID   int64
	LabelName string
	// Config is the latest configuration.
	Config json.RawMessage
}

// NewABTest is an AB test to be created.
type NewABTest struct {
	Name     string
	FolderID *int64
	Creator  *string
	LabelID  int64
	Config   json.RawMessage
}
