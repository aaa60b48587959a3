package registry

import (
	"context"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

// Labels moves the release labels of entities of every kind between versions,
// and so decides what programs get that select by label. It needs only the
// permission to deploy.
type Labels struct{ store entity.Store }

// NewLabels returns a Labels over the store.
func NewLabels(store entity.Store) *Labels { return &Labels{store} }

// Pointer identifies a version by its number, or by its id if Number is 0.
type Pointer struct {
	Number int64
	ID     int64
}

// Point creates a label at a version, or moves it there, keeping its id. The
// fault is NotFound if the owner or version does not exist, and Forbidden if the
// caller may not deploy entities of the kind.
func (l *Labels) Point(ctx context.Context, owner entity.Owner, name string, number int64) (entity.Label, error) {
	if err := l.require(ctx, owner); err != nil {
		return entity.Label{}, err
	}
	return l.store.SetLabel(ctx, owner.Workspace, owner.ID, name, number)
}

// Delete deletes a label by its name, but not the version. The fault is
// NotFound if the owner or label does not exist, and Forbidden as for Point.
func (l *Labels) Delete(ctx context.Context, owner entity.Owner, name string) error {
	if err := l.require(ctx, owner); err != nil {
		return err
	}
	found, err := l.store.FindLabel(ctx, owner.Workspace, owner.ID, name)
	if err != nil {
		return err
	}
	return l.store.DeleteLabel(ctx, owner.Workspace, found.ID)
}

func (l *Labels) require(ctx context.Context, owner entity.Owner) error {
	if _, err := owner.Find(ctx, l.store); err != nil {
		return err
	}
	return access.RequireFor(ctx, owner.Kind, access.Deploy)
}

// Create creates a label at a version. A label with the name that already
// points there is returned unchanged; the fault is Conflict if it points at
// another version, NotFound for an unknown owner or version, and Forbidden as
// for Point.
func (l *Labels) Create(ctx context.Context, owner entity.Owner, name string, to Pointer) (label entity.Label, err error) {
	err = l.store.InTx(ctx, func(ctx context.Context) error {
		if _, err := owner.Find(ctx, l.store); err != nil {
			return err
		}
		number, err := l.permitted(ctx, owner, to)
		if err != nil {
			return err
		}
		label, err = l.store.CreateLabel(ctx, owner.Workspace, owner.ID, name, number)
		if !fault.Is(err, fault.Conflict) {
			return err
		}
		label, err = l.store.FindLabel(ctx, owner.Workspace, owner.ID, name)
		if err == nil && label.VersionNumber != number {
			err = fault.Conflictf("The label %q already points at version %d; move it instead", name, label.VersionNumber)
		}
		return err
	})
	return label, err
}

// permitted returns the number of a version of the owner. The fault is NotFound
// if the owner has no version with the id, and Forbidden as for Point.
func (l *Labels) permitted(ctx context.Context, owner entity.Owner, to Pointer) (int64, error) {
	if to.Number == 0 {
		version, err := l.store.GetVersionByID(ctx, owner.Workspace, to.ID)
		if err == nil && version.EntityID != owner.ID {
			err = fault.NotFoundf("Version not found")
		}
		if err != nil {
			return 0, err
		}
		to.Number = version.Number
	}
	return to.Number, access.RequireFor(ctx, owner.Kind, access.Deploy)
}

// MoveByID moves a label of an entity of the kind to another version. The fault
// is NotFound for an unknown label or version, and Forbidden as for Point.
func (l *Labels) MoveByID(ctx context.Context, workspace int64, kind entity.Kind, id int64, to Pointer) (label entity.Label, err error) {
	err = l.store.InTx(ctx, func(ctx context.Context) error {
		owner, err := l.owner(ctx, workspace, kind, id)
		if err != nil {
			return err
		}
		number, err := l.permitted(ctx, owner, to)
		if err != nil {
			return err
		}
		label, err = l.store.MoveLabel(ctx, workspace, id, number)
		return err
	})
	return label, err
}

// DeleteByID deletes a label of an entity of the kind, and the A/B test on it.
// The fault is NotFound for an unknown label, and Forbidden as for Point.
func (l *Labels) DeleteByID(ctx context.Context, workspace int64, kind entity.Kind, id int64) error {
	return l.store.InTx(ctx, func(ctx context.Context) error {
		if _, err := l.owner(ctx, workspace, kind, id); err != nil {
			return err
		}
		if err := access.RequireFor(ctx, kind, access.Deploy); err != nil {
			return err
		}
		return l.store.DeleteLabel(ctx, workspace, id)
	})
}

// owner returns the live entity of the kind that has the label.
func (l *Labels) owner(ctx context.Context, workspace int64, kind entity.Kind, id int64) (entity.Owner, error) {
	label, err := l.store.GetLabel(ctx, workspace, id)
	if err != nil {
		return entity.Owner{}, err
	}
	owner := entity.Owner{Workspace: workspace, Kind: kind, ID: label.EntityID}
	if _, err = owner.Find(ctx, l.store); fault.Is(err, fault.NotFound) {
		err = fault.NotFoundf("Release label not found")
	}
	return owner, err
}
