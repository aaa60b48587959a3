package reqlog

import (
	"context"

	"github.com/promptuary/promptuary/internal/fault"
)

// PromptRef is how a client names a prompt version: by name, id or both, and
// by version, label or neither for the newest.
type PromptRef struct {
	Name    string
	ID      int64
	Version int64
	Label   string
}

// Prompts is what request logs need to know about prompt templates.
type Prompts interface {
	// Resolve finds the version that ref names and the variables it mentions;
	// Variables of the result is left empty. A template, version or label
	// that does not exist is a NotFound fault; a name and an id that denote
	// different templates are a BadRequest fault.
	Resolve(ctx context.Context, workspace int64, ref PromptRef) (PromptLink, error)

	// IDs returns the ids of the live templates with these names; unknown
	// names are left out.
	IDs(ctx context.Context, workspace int64, names []string) (map[string]int64, error)

	// Names returns the names of these templates, also of deleted ones;
	// unknown ids are left out.
	Names(ctx context.Context, workspace int64, ids []int64) (map[int64]string, error)
}

// Groups is what request logs need to know about groups of requests.
type Groups interface {
	// CreateGroup returns the id of a new group of the workspace.
	CreateGroup(ctx context.Context, workspace int64) (int64, error)
	// GroupExists reports whether the workspace has the group.
	GroupExists(ctx context.Context, workspace, id int64) (bool, error)
}

// Sequence hands out request ids.
type Sequence interface {
	// ReserveIDs returns the first of n consecutive ids that nobody else gets.
	ReserveIDs(ctx context.Context, sequence string, n int64) (first int64, err error)
}

// NoPrompts is a registry without a single template.
type NoPrompts struct{}

// Resolve finds nothing.
func (NoPrompts) Resolve(context.Context, int64, PromptRef) (PromptLink, error) {
	return PromptLink{}, fault.NotFoundf("Prompt template not found")
}

// IDs finds nothing.
func (NoPrompts) IDs(context.Context, int64, []string) (map[string]int64, error) { return nil, nil }

// Names finds nothing.
func (NoPrompts) Names(context.Context, int64, []int64) (map[int64]string, error) { return nil, nil }
