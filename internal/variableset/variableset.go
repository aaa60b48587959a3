// Package variableset is the registry of input variable sets: named sets of
// values for the variables of prompt templates, so that a team tries its
// templates with the same examples.
package variableset

import (
	"context"
	"encoding/json"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/registry"
)

// Service is the registry. It is safe for concurrent use.
type Service struct {
	*registry.Registry[json.RawMessage]
	store entity.Store
}

// Set is an input variable set in one of its versions. Its content is an object
// of values by name.
type Set = registry.Record[json.RawMessage]

// NewService returns a registry over the store.
func NewService(store entity.Store) *Service {
	return &Service{store: store, Registry: registry.New(store, registry.Kind[json.RawMessage]{
		Kind: entity.KindVariableSet, Check: checkVariables,
		Encode: func(variables json.RawMessage) ([]byte, error) { return variables, nil },
		Decode: func(version *entity.Version) (json.RawMessage, error) { return version.Body, nil },
	})}
}

func checkVariables(variables json.RawMessage, _ bool) error {
	if parsed, err := jsontree.Parse(variables); err != nil || parsed.Kind() != jsontree.Object {
		return fault.New(fault.Invalid, "variables must be an object")
	}
	return nil
}

// Patch is a change of a set; nil members change nothing.
type Patch struct {
	Name *string
	// Variables become a new version.
	Variables json.RawMessage
	Author    *string
}

// Update changes a set. The fault is NotFound if the set does not exist, and
// Forbidden if the caller may not do it.
func (s *Service) Update(ctx context.Context, workspace, id int64, patch Patch) (updated *Set, err error) {
	err = s.Change(ctx, workspace, id, access.Edit, func(ctx context.Context, _ entity.Entity) error {
		if patch.Name != nil {
			if _, err := s.store.RenameEntity(ctx, workspace, id, *patch.Name); err != nil {
				return err
			}
		}
		if patch.Variables != nil {
			_, err := s.AddVersion(ctx, workspace, id, registry.Edit[json.RawMessage]{
				Apply: registry.Constant(patch.Variables), Release: registry.Release{Author: patch.Author},
			})
			if err != nil {
				return err
			}
		}
		updated, err = s.GetByID(ctx, workspace, id, registry.Selector{})
		return err
	})
	return updated, err
}
