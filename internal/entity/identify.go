package entity

import (
	"context"
	"net/url"
	"strconv"
	"strings"

	"github.com/promptuary/promptuary/internal/fault"
)

// Getter finds live entities by id.
type Getter interface {
	// GetEntity returns the live entity of any kind with the id, or a NotFound
	// fault. The caller checks the kind.
	GetEntity(ctx context.Context, workspace, id int64) (Entity, error)
}

// Finder finds live entities by id and by name.
type Finder interface {
	Getter
	// FindEntityByName returns the live entity of the kind with exactly this
	// name, or a NotFound fault. If several entities share the name, the oldest
	// is returned.
	FindEntityByName(ctx context.Context, workspace int64, kind Kind, name string) (Entity, error)
	// FormerNames returns the ids of live entities of the kind by names that they
	// had before they were renamed. Names that another live entity has now, or had
	// after that, are omitted, and so are unknown ones.
	FormerNames(ctx context.Context, workspace int64, kind Kind, names []string) (map[string]int64, error)
}

// Named returns the live entity of the kind that has the name, or else the one that
// had it before. The fault is NotFound when there is none.
func Named(ctx context.Context, from Finder, workspace int64, kind Kind, name string) (Entity, error) {
	found, err := from.FindEntityByName(ctx, workspace, kind, name)
	if !fault.Is(err, fault.NotFound) {
		return found, err
	}
	former, formerErr := from.FormerNames(ctx, workspace, kind, []string{name})
	if formerErr != nil {
		return Entity{}, formerErr
	}
	if id, renamed := former[name]; renamed {
		return from.GetEntity(ctx, workspace, id)
	}
	return found, err
}

// Identify returns the entity of the kind with an identifier from a path, which is
// an id or else a name, also a former one. Some clients escape names twice, so an unknown name is
// unescaped and tried again. The fault is NotFound when the entity does not exist.
func Identify(ctx context.Context, from Finder, workspace int64, kind Kind, identifier string) (Entity, error) {
	if id := IDOf(identifier); id != 0 {
		found, err := from.GetEntity(ctx, workspace, id)
		if !fault.Is(err, fault.NotFound) && (err != nil || found.Kind == kind) {
			return found, err
		}
	}
	found, err := Named(ctx, from, workspace, kind, identifier)
	if !fault.Is(err, fault.NotFound) || !strings.Contains(strings.ToUpper(identifier), "%2F") {
		return found, err
	}
	if unescaped, bad := url.PathUnescape(identifier); bad == nil {
		return Named(ctx, from, workspace, kind, unescaped)
	}
	return found, err
}

// Owner identifies an entity by its kind and id.
type Owner struct {
	Workspace int64
	Kind      Kind
	ID        int64
}

// Find returns the entity, or a NotFound fault.
func (o Owner) Find(ctx context.Context, from Getter) (Entity, error) {
	found, err := from.GetEntity(ctx, o.Workspace, o.ID)
	if fault.Is(err, fault.NotFound) || err == nil && found.Kind != o.Kind {
		return Entity{}, NotFound(o.Kind)
	}
	return found, err
}

// CheckFolder returns a NotFound fault unless id is a live folder or nil, the
// root.
func CheckFolder(ctx context.Context, from Getter, workspace int64, id *int64) error {
	if id == nil {
		return nil
	}
	_, err := Owner{Workspace: workspace, Kind: KindFolder, ID: *id}.Find(ctx, from)
	return err
}

// IDOf returns the id that an identifier stands for, 0 if it is a name.
func IDOf(identifier string) int64 {
	if strings.Trim(identifier, "0123456789") != "" {
		return 0
	}
	id, err := strconv.ParseInt(identifier, 10, 64)
	if err != nil {
		return 0 // larger than any id
	}
	return id
}
