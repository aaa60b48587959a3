package entities

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/envvar"
	"github.com/promptuary/promptuary/internal/fault"
)

// maxEnvVars limits the number of variables in a scope.
const maxEnvVars = 1000

const envVarColumns = `env_var.id, env_var.workspace_id, COALESCE(env_var.entity_id, 0), env_var.name,
CASE WHEN env_var.value IS NULL THEN 1 ELSE 0 END, env_var.suffix, env_var.created_at, env_var.updated_at`

// intoEnvVar returns the destinations of envVarColumns.
func intoEnvVar(v *envvar.Variable) []any {
	return []any{
		&v.ID, &v.Scope.Workspace, &v.Scope.Tool, &v.Key, &v.Hint.Empty, &v.Hint.Suffix, engine.Time(&v.CreatedAt), engine.Time(&v.UpdatedAt),
	}
}

func scanEnvVar(r engine.Row) (envvar.Variable, error) {
	var v envvar.Variable
	err := r.Scan(intoEnvVar(&v)...)
	return v, err
}

func scanSealedEnvVar(r engine.Row) (envvar.SealedVariable, error) {
	var v envvar.SealedVariable
	err := r.Scan(append(intoEnvVar(&v.Variable), &v.Sealed)...)
	return v, err
}

// envVarsOf returns the conditions that select the variables of a scope.
func envVarsOf(scope envvar.Scope) engine.Where {
	var where engine.Where
	where.Add("env_var.workspace_id = ?", scope.Workspace)
	if scope.Tool == 0 {
		where.Add("env_var.entity_id IS NULL")
	} else {
		where.Add("env_var.entity_id = ?", scope.Tool)
	}
	return where
}

// entityOf returns the value of the column entity_id for a scope.
func entityOf(scope envvar.Scope) *int64 {
	if scope.Tool == 0 {
		return nil
	}
	return &scope.Tool
}

// sealedOf returns the value of the column value: NULL, not empty, for a placeholder.
func sealedOf(value envvar.Value) any {
	if value.Sealed == nil {
		return nil
	}
	return value.Sealed
}

// CreateEnvVar adds a variable to a scope.
func (s *EnvVars) CreateEnvVar(
	ctx context.Context, scope envvar.Scope, key string, value envvar.Value,
) (envvar.Variable, error) {
	if err := engine.CheckLength("key", key, engine.MaxName); err != nil {
		return envvar.Variable{}, fmt.Errorf("create environment variable: %w", err)
	}
	created, err := engine.Change(ctx, s.db, scope.Workspace, func(ctx context.Context) (envvar.Variable, error) {
		if err := s.lockScope(ctx, scope); err != nil {
			return envvar.Variable{}, err
		}
		if err := s.checkRoom(ctx, scope); err != nil {
			return envvar.Variable{}, err
		}
		created, err := s.insertEnvVar(ctx, scope, key, value)
		if err != nil {
			return envvar.Variable{}, err
		}
		return created, s.noteEnvVar(ctx, audit.Create, created)
	})
	return engine.Wrap(created, err, "create environment variable")
}

// lockScope serialises additions to a scope, and prevents its tool from being
// deleted in the meantime.
func (s *EnvVars) lockScope(ctx context.Context, scope envvar.Scope) error {
	if scope.Tool != 0 {
		return Lock(ctx, s.db, scope.Workspace, scope.Tool)
	}
	return engine.LockWorkspace(ctx, s.db, scope.Workspace)
}

func (s *EnvVars) checkRoom(ctx context.Context, scope envvar.Scope) error {
	where := envVarsOf(scope)
	count, err := engine.QueryOne(ctx, s.db, engine.ScanInt, `
SELECT COUNT(*)
FROM env_var
WHERE `+where.SQL(), where.Args...)
	if err == nil && count >= maxEnvVars {
		return fault.BadRequestf("At most %d environment variables are allowed", maxEnvVars)
	}
	return err
}

func (s *EnvVars) noteEnvVar(ctx context.Context, action audit.Action, v envvar.Variable) error {
	more := engine.Detail{}
	if v.Scope.Tool != 0 {
		more["tool_id"] = v.Scope.Tool
	}
	return engine.Note(ctx, s.db, &v.Scope.Workspace, action, audit.Subject{Kind: audit.SubjectEnvVar, ID: v.ID, Name: v.Key}, more)
}

func (s *EnvVars) insertEnvVar(
	ctx context.Context, scope envvar.Scope, key string, value envvar.Value,
) (envvar.Variable, error) {
	created, err := engine.ExecAll(ctx, s.db, scanEnvVar, table.EnvVar.Insert(`
(workspace_id, entity_id, name, value, suffix, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $6)
ON CONFLICT DO NOTHING
RETURNING `+envVarColumns), scope.Workspace, entityOf(scope), key, sealedOf(value), value.Hint.Suffix, s.db.Now())
	if err != nil {
		return envvar.Variable{}, engine.Missing(err, "Workspace %d not found", scope.Workspace)
	}
	if len(created) == 0 {
		return envvar.Variable{}, fault.Conflictf("Environment variable %s already exists", key)
	}
	return created[0], nil
}

// GetEnvVar returns a variable by its id.
func (s *EnvVars) GetEnvVar(ctx context.Context, scope envvar.Scope, id int64) (envvar.Variable, error) {
	where := envVarsOf(scope)
	where.Add("env_var.id = ?", id)
	found, err := engine.QueryOne(ctx, s.db, scanEnvVar, `
SELECT `+envVarColumns+`
FROM env_var
WHERE `+where.SQL(), where.Args...)
	return engine.Wrap(found, envVarNotFound(err, id), "get environment variable")
}

func envVarNotFound(err error, id int64) error {
	return engine.NotFound(err, "Environment variable %d not found", id)
}

// ListEnvVars lists the variables of a scope.
func (s *EnvVars) ListEnvVars(ctx context.Context, scope envvar.Scope) ([]envvar.Variable, error) {
	where := envVarsOf(scope)
	all, err := engine.QueryAll(ctx, s.db, scanEnvVar, `
SELECT `+envVarColumns+`
FROM env_var
WHERE `+where.SQL()+`
ORDER BY env_var.id`, where.Args...)
	return engine.Wrap(all, err, "list environment variables")
}

// SetEnvVar replaces the value of a variable.
func (s *EnvVars) SetEnvVar(
	ctx context.Context, scope envvar.Scope, id int64, value envvar.Value,
) (envvar.Variable, error) {
	changed, err := engine.Change(ctx, s.db, scope.Workspace, func(ctx context.Context) (envvar.Variable, error) {
		where := envVarsOf(scope)
		where.Add("env_var.id = ?", id)
		set := "value = " + where.Arg(sealedOf(value)) + ", suffix = " + where.Arg(value.Hint.Suffix) +
			", updated_at = " + where.Arg(s.db.Now())
		changed, err := engine.ExecOne(ctx, s.db, scanEnvVar, table.EnvVar.Update(`
SET `+set+`
WHERE `+where.SQL()+`
RETURNING `+envVarColumns), where.Args...)
		if err != nil {
			return envvar.Variable{}, err
		}
		return changed, s.noteEnvVar(ctx, audit.Change, changed)
	})
	return engine.Wrap(changed, envVarNotFound(err, id), "set environment variable")
}

// DeleteEnvVar deletes a variable.
func (s *EnvVars) DeleteEnvVar(ctx context.Context, scope envvar.Scope, id int64) error {
	err := s.db.Change(ctx, scope.Workspace, func(ctx context.Context) error {
		where := envVarsOf(scope)
		where.Add("env_var.id = ?", id)
		deleted, err := engine.ExecOne(ctx, s.db, scanEnvVar, table.EnvVar.Delete(`
WHERE `+where.SQL()+`
RETURNING `+envVarColumns), where.Args...)
		if err != nil {
			return err
		}
		return s.noteEnvVar(ctx, audit.Delete, deleted)
	})
	return engine.WrapError(envVarNotFound(err, id), "delete environment variable")
}

// SealedEnvVars returns the variables of a workspace and a tool with their values.
func (s *EnvVars) SealedEnvVars(ctx context.Context, scope envvar.Scope) ([]envvar.SealedVariable, error) {
	const selected = `
SELECT ` + envVarColumns + `, env_var.value
FROM env_var
WHERE env_var.value IS NOT NULL
AND env_var.workspace_id = $1
AND env_var.entity_id `
	all, err := engine.QueryAll(ctx, s.db, scanSealedEnvVar,
		selected+`IS NULL
UNION ALL`+selected+`= $2`, scope.Workspace, scope.Tool)
	return engine.Wrap(all, err, "read environment variables")
}

// NewestSealedEnvVar returns the newest variable with a value.
func (s *EnvVars) NewestSealedEnvVar(ctx context.Context) (envvar.SealedVariable, bool, error) {
	newest, err := engine.QueryOne(ctx, s.db, scanSealedEnvVar, `
SELECT `+envVarColumns+`, env_var.value
FROM env_var
WHERE env_var.value IS NOT NULL
ORDER BY env_var.id DESC
LIMIT 1`)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return envvar.SealedVariable{}, false, nil
	case err != nil:
		return envvar.SealedVariable{}, false, fmt.Errorf("read the newest environment variable: %w", err)
	}
	return newest, true, nil
}
