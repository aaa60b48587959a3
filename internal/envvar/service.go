package envvar

import (
	"context"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/secret"
)

// Service has the rules of environment variables.
type Service struct {
	entities entity.Getter
	store    Store
	box      *secret.Box
}

// NewService returns a service that seals values with the box.
func NewService(entities entity.Getter, store Store, box *secret.Box) *Service {
	return &Service{entities: entities, store: store, box: box}
}

// Create adds a variable to the scope; an empty value makes it a placeholder.
// The fault is Invalid if the key or value breaks a rule, NotFound if the
// tool does not exist, Conflict if the scope already has the key, and
// BadRequest if the scope is full.
func (s *Service) Create(ctx context.Context, scope Scope, key, value string) (Variable, error) {
	var problems fault.Problems
	checkKey(key, &problems)
	checkValue(value, 0, &problems)
	if err := problems.Err(); err != nil {
		return Variable{}, err
	}
	if err := s.check(ctx, scope); err != nil {
		return Variable{}, err
	}
	if err := require(ctx, scope); err != nil {
		return Variable{}, err
	}
	return s.store.CreateEnvVar(ctx, scope, key, s.seal(scope, key, value))
}

// require returns a Forbidden fault unless the caller may change variables.
func require(ctx context.Context, scope Scope) error {
	if scope.Tool != 0 {
		return access.RequireFor(ctx, entity.KindTool, access.Edit)
	}
	return access.Require(ctx, access.ManageEnvVars)
}

// List returns the variables of the scope, sorted by id, even if their values
// cannot be opened. The fault is NotFound if the tool does not exist.
func (s *Service) List(ctx context.Context, scope Scope) ([]Variable, error) {
	if err := s.check(ctx, scope); err != nil {
		return nil, err
	}
	return s.store.ListEnvVars(ctx, scope)
}

// Update sets the value of a variable of the scope, even if its current value
// cannot be opened. The fault is Invalid if the value is empty or too long,
// and NotFound if the tool or the variable does not exist.
func (s *Service) Update(ctx context.Context, scope Scope, id int64, value string) (Variable, error) {
	var problems fault.Problems
	checkValue(value, 1, &problems)
	if err := problems.Err(); err != nil {
		return Variable{}, err
	}
	if err := s.check(ctx, scope); err != nil {
		return Variable{}, err
	}
	// The value is sealed for the key, which never changes.
	variable, err := s.store.GetEnvVar(ctx, scope, id)
	if err != nil {
		return Variable{}, err
	}
	if err := require(ctx, scope); err != nil {
		return Variable{}, err
	}
	return s.store.SetEnvVar(ctx, scope, id, s.seal(scope, variable.Key, value))
}

// Delete deletes a variable of the scope. The fault is NotFound if the tool
// or the variable does not exist.
func (s *Service) Delete(ctx context.Context, scope Scope, id int64) error {
	if err := s.check(ctx, scope); err != nil {
		return err
	}
	if _, err := s.store.GetEnvVar(ctx, scope, id); err != nil {
		return err
	}
	if err := require(ctx, scope); err != nil {
		return err
	}
	return s.store.DeleteEnvVar(ctx, scope, id)
}

// Resolve returns the environment of a tool's code: the workspace's values by
// key, overridden by the tool's. Placeholders are left out and override
// nothing. For toolID 0 it returns only the workspace's values. The fault is
// NotFound if the tool does not exist, and Unavailable if a value cannot be
// opened.
func (s *Service) Resolve(ctx context.Context, workspace, toolID int64) (map[string]string, error) {
	scope := Scope{Workspace: workspace, Tool: toolID}
	if err := s.check(ctx, scope); err != nil {
		return nil, err
	}
	sealed, err := s.store.SealedEnvVars(ctx, scope)
	if err != nil {
		return nil, err
	}
	chosen := map[string]SealedVariable{}
	for _, one := range sealed {
		if _, known := chosen[one.Key]; !known || one.Scope.Tool != 0 {
			chosen[one.Key] = one
		}
	}
	return s.openAll(chosen)
}

func (s *Service) openAll(chosen map[string]SealedVariable) (map[string]string, error) {
	values := make(map[string]string, len(chosen))
	for key, one := range chosen {
		value, err := s.open(one)
		if err != nil {
			return nil, err
		}
		values[key] = value
	}
	return values, nil
}

// CheckKey returns an error if the newest value cannot be opened, which tells
// the operator at startup that the secret key is wrong.
func (s *Service) CheckKey(ctx context.Context) error {
	newest, found, err := s.store.NewestSealedEnvVar(ctx)
	if err == nil && found {
		_, err = s.open(newest)
	}
	return err
}

// check returns a NotFound fault if the scope's tool does not exist.
func (s *Service) check(ctx context.Context, scope Scope) error {
	if scope.Tool == 0 {
		return nil
	}
	_, err := entity.Owner{Workspace: scope.Workspace, Kind: entity.KindTool, ID: scope.Tool}.Find(ctx, s.entities)
	return err
}

// placeOf returns the place that a value is sealed for.
func placeOf(scope Scope, key string) secret.Place {
	place := secret.Place{Scope: "workspace environment variable", Workspace: scope.Workspace, Name: key}
	if scope.Tool != 0 {
		place.Scope, place.Owner = "tool environment variable", scope.Tool
	}
	return place
}

func (s *Service) seal(scope Scope, key, value string) Value {
	sealed := Value{Hint: hintOf(value)}
	if !sealed.Hint.Empty {
		sealed.Sealed = s.box.Seal([]byte(value), placeOf(scope, key))
	}
	return sealed
}

func (s *Service) open(v SealedVariable) (string, error) {
	value, err := s.box.Open(v.Sealed, placeOf(v.Scope, v.Key))
	if err != nil {
		return "", fault.Wrap(fault.Unavailable, err, "The value of the environment variable %s cannot be opened: "+
			"it was stored with a different secret key, or is damaged. Set it again", v.Key)
	}
	return string(value), nil
}
