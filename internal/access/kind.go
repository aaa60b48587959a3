package access

import (
	"context"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

// Action is something that can be done to entities of every kind. A kind has a
// permission for each of its actions: PROMPT_CREATE, PROMPT_EDIT and so on.
type Action string

// The actions. Deploy moves release labels.
const (
	Create Action = "CREATE"
	Edit   Action = "EDIT"
	Delete Action = "DELETE"
	Deploy Action = "DEPLOY"
)

var permissionsByName = func() map[string]Permission {
	byName := make(map[string]Permission, permissionCount)
	for p := range Permission(permissionCount) {
		byName[p.String()] = p
	}
	return byName
}()

// For returns the permission for an action on entities of a kind, and whether
// there is one.
func For(kind entity.Kind, action Action) (Permission, bool) {
	traits, _ := entity.TraitsOf(kind)
	p, known := permissionsByName[traits.Permissions+"_"+string(action)]
	return p, known && (traits.Labelled || action != Deploy)
}

// RequireFor returns a Forbidden fault unless the caller of ctx may do all of
// the actions to entities of the kind. Folders contain all kinds, so a
// permission for any kind is enough.
func RequireFor(ctx context.Context, kind entity.Kind, actions ...Action) error {
	var needed []Permission
	for _, action := range actions {
		if kind == entity.KindFolder {
			return RequireForAny(ctx, action)
		}
		p, known := For(kind, action)
		if !known {
			return fault.New(fault.Forbidden, "Not supported for this type")
		}
		needed = append(needed, p)
	}
	return Require(ctx, needed...)
}

// RequireForAny returns a Forbidden fault unless the caller of ctx may do the
// action to entities of at least one kind.
func RequireForAny(ctx context.Context, action Action) error {
	needed := forAnyKind(action)
	if CallerOf(ctx).Permissions&needed != 0 {
		return nil
	}
	return forbidden(needed, " or ")
}

// forAnyKind returns the permissions of all kinds for an action.
func forAnyKind(action Action) Permissions {
	var set Permissions
	for _, traits := range entity.Kinds() {
		if p, known := For(traits.Kind, action); known {
			set |= SetOf(p)
		}
	}
	return set
}

// RequireEach returns a Forbidden fault unless the caller of ctx may do the
// action to entities of all of the kinds.
func RequireEach(ctx context.Context, action Action, kinds ...entity.Kind) error {
	for _, kind := range kinds {
		if err := RequireFor(ctx, kind, action); err != nil {
			return err
		}
	}
	return nil
}
