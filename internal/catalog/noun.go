package catalog

import "github.com/promptuary/promptuary/internal/entity"

// The nouns are those of package entity, which the domains share and where
// they are explained; here they have names for who talks to the catalog itself.
type (
	// Kind says what an entity is.
	Kind = entity.Kind
	// Entity is one managed thing of any kind.
	Entity = entity.Entity
	// NewEntity is what CreateEntity needs to know.
	NewEntity = entity.New
	// Version is one numbered state of an entity.
	Version = entity.Version
	// NewVersion is what AddVersion needs to know.
	NewVersion = entity.NewVersion
	// Reference names a version by the name of its entity.
	Reference = entity.Reference
	// ReferringVersion is a version that refers to something.
	ReferringVersion = entity.ReferringVersion
	// Label is a name that points at one version of an entity.
	Label = entity.Label
	// ExternalRef is an external id within a workspace.
	ExternalRef = entity.ExternalRef
	// ExternalID is a name that another system gave an entity.
	ExternalID = entity.ExternalID
	// FolderStep is one folder on the way from the root.
	FolderStep = entity.FolderStep
	// ABTest lets a label stand for several versions.
	ABTest = entity.ABTest
	// NewABTest is what CreateABTest needs to know.
	NewABTest = entity.NewABTest
	// Selector chooses an entity and one of its versions.
	Selector = entity.Selector
	// FoundVersion is a version with its entity.
	FoundVersion = entity.FoundVersion
	// EntityQuery selects entities of one workspace.
	EntityQuery = entity.Query
	// Status says which entities a query sees.
	Status = entity.Status
	// FolderScope selects by folder.
	FolderScope = entity.FolderScope
	// SortKey is what a list of entities is ordered by.
	SortKey = entity.SortKey
	// Page is a part of a list.
	Page = entity.Page
)

// The kinds of entity.
const (
	KindFolder      = entity.KindFolder
	KindPrompt      = entity.KindPrompt
	KindWorkflow    = entity.KindWorkflow
	KindDataset     = entity.KindDataset
	KindReport      = entity.KindReport
	KindABTest      = entity.KindABTest
	KindVariableSet = entity.KindVariableSet
	KindSkill       = entity.KindSkill
	KindTool        = entity.KindTool
)

// The statuses; the zero value sees live entities.
const (
	Live          = entity.Live
	Deleted       = entity.Deleted
	LiveOrDeleted = entity.LiveOrDeleted
)

// The sort keys.
const (
	ByCreated = entity.ByCreated
	ByUpdated = entity.ByUpdated
	ByName    = entity.ByName
	ByID      = entity.ByID
)

var _ entity.Store = (*Catalog)(nil)
