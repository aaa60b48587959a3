package reqlog

import (
	"context"

	"github.com/promptuary/promptuary/internal/fault"
)

// PromptRef is a client's reference to a prompt version: by name, id or both,
// and by version, label or neither for the latest.
type PromptRef struct {
	Name    string
	ID      int64
	Version int64
	Label   string
}

// Prompts is the part of the prompt registry that request logs use.
type Prompts interface {
	// Resolve returns the version of the reference and the variables it uses. The
	// fault is NotFound for an unknown template, version or label, and BadRequest
	// if the name and the id refer to different templates.
	Resolve(ctx context.Context, workspace int64, ref PromptRef) (PromptLink, error)

	// IDs returns the ids of the templates with these names, including deleted
	// ones, as Names does; unknown names are omitted.
	IDs(ctx context.Context, workspace int64, names []string) (map[string][]int64, error)

	// Names returns the names of these templates, including deleted ones; unknown
	// ids are omitted.
	Names(ctx context.Context, workspace int64, ids []int64) (map[int64]string, error)
}

// KeyNames returns the names of the API keys of a workspace by id, including those
// that were revoked.
type KeyNames func(ctx context.Context, workspace int64) (map[int64]string, error)

// NoPrompts is an empty prompt registry.
type NoPrompts struct{}

// Resolve finds nothing.
func (NoPrompts) Resolve(context.Context, int64, PromptRef) (PromptLink, error) {
	return PromptLink{}, fault.NotFoundf("Prompt template not found")
}

// IDs finds nothing.
func (NoPrompts) IDs(context.Context, int64, []string) (map[string][]int64, error) { return nil, nil }

// Names finds nothing.
func (NoPrompts) Names(context.Context, int64, []int64) (map[int64]string, error) { return nil, nil }
