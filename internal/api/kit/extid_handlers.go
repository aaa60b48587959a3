package kit

import (
	"context"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/rest"
)

// entityPath is an input whose path names an entity by its id.
type entityPath interface{ EntityID() int64 }

// entityPair is an input that has a pair besides.
type entityPair interface {
	entityPath
	Ref() entity.ExternalRef
}

// externalIDHandlers make the handlers of one kind: all do the same, but the
// parameter of the path has another name, which is part of the type of the
// input.
type externalIDHandlers struct {
	attach, list, remove func(h externalIDs) rest.Handler
}

// ExternalIDHandlersOf returns the handlers for the input types of one kind.
func ExternalIDHandlersOf[Path entityPath, Attach, Remove entityPair]() externalIDHandlers {
	return externalIDHandlers{
		attach: func(h externalIDs) rest.Handler {
			return rest.Handle(func(ctx context.Context, in *Attach) (*ExternalIDResponse, error) { return h.attach(ctx, *in) })
		},
		list: func(h externalIDs) rest.Handler {
			return rest.Handle(func(ctx context.Context, in *Path) (*ExternalIDsResponse, error) { return h.list(ctx, *in) })
		},
		remove: func(h externalIDs) rest.Handler {
			return rest.Handle(func(ctx context.Context, in *Remove) (*SuccessResponse, error) { return h.remove(ctx, *in) })
		},
	}
}
