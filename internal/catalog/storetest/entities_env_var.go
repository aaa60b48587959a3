package storetest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/envvar"
	"github.com/promptuary/promptuary/internal/fault"
)

// sealed returns a value that is shown with its last four bytes.
func sealed(text string) envvar.Value {
	return envvar.Value{Sealed: []byte(text), Hint: envvar.Hint{Suffix: text[len(text)-4:]}}
}

var placeholder = envvar.Value{Hint: envvar.Hint{Empty: true}}

// scopes returns the workspace, two of its tools, and another workspace.
func (s *store) scopes() (workspace, tool, sibling, other envvar.Scope) {
	s.t.Helper()
	workspace = envvar.Scope{Workspace: s.workspace}
	tool = envvar.Scope{Workspace: s.workspace, Tool: s.create(entity.KindTool, "tool", nil).ID}
	sibling = envvar.Scope{Workspace: s.workspace, Tool: s.create(entity.KindTool, "sibling", nil).ID}
	return workspace, tool, sibling, envvar.Scope{Workspace: s.other}
}

func (s *store) envVar(scope envvar.Scope, key string, value envvar.Value) envvar.Variable {
	s.t.Helper()
	return check.Must(s.EnvVars.CreateEnvVar(s.ctx, scope, key, value))(s.t)
}

// keys returns the keys of a scope.
func (s *store) keys(scope envvar.Scope) []string {
	s.t.Helper()
	keys := []string{}
	for _, one := range check.Must(s.EnvVars.ListEnvVars(s.ctx, scope))(s.t) {
		keys = append(keys, one.Key)
	}
	return keys
}

// sealedValues returns the sealed values of a scope by scope and key.
func (s *store) sealedValues(scope envvar.Scope) map[string]string {
	s.t.Helper()
	values := map[string]string{}
	for _, one := range check.Must(s.EnvVars.SealedEnvVars(s.ctx, scope))(s.t) {
		values[fmt.Sprintf("%d/%s", one.Scope.Tool, one.Key)] = string(one.Sealed)
	}
	return values
}

var envVarCases = []testCase{
	{"create, get, list, set and delete", func(s *store) {
		workspace, tool, _, _ := s.scopes()
		for _, scope := range []envvar.Scope{workspace, tool} {
			s.equal(s.keys(scope), []string{})
			created := s.envVar(scope, "TOKEN", sealed("\x00\xffhush"))
			s.equal(created, envvar.Variable{
				ID: created.ID, Scope: scope, Key: "TOKEN", Hint: envvar.Hint{Suffix: "hush"},
				CreatedAt: created.CreatedAt, UpdatedAt: created.CreatedAt,
			})
			s.equal(time.Since(created.CreatedAt).Abs() < time.Hour, true)
			s.equal(check.Must(s.EnvVars.GetEnvVar(s.ctx, scope, created.ID))(s.t), created)
			second := s.envVar(scope, "A", placeholder)
			s.equal(second.Hint, placeholder.Hint)
			s.equal(check.Must(s.EnvVars.ListEnvVars(s.ctx, scope))(s.t), []envvar.Variable{created, second})

			set := check.Must(s.EnvVars.SetEnvVar(s.ctx, scope, second.ID, sealed("other")))(s.t)
			s.equal(set.UpdatedAt.After(second.UpdatedAt), true)
			s.equal(set.CreatedAt, second.CreatedAt)
			s.equal(set.Hint, envvar.Hint{Suffix: "ther"})
			s.equal(check.Must(s.EnvVars.GetEnvVar(s.ctx, scope, second.ID))(s.t), set)

			s.ok(s.EnvVars.DeleteEnvVar(s.ctx, scope, created.ID))
			s.fails(s.EnvVars.DeleteEnvVar(s.ctx, scope, created.ID), fault.NotFound)
			s.fails(check.Failure(s.EnvVars.GetEnvVar(s.ctx, scope, created.ID)), fault.NotFound)
			s.equal(s.keys(scope), []string{"A"})
			again := s.envVar(scope, "TOKEN", placeholder)
			s.equal(again.ID > second.ID, true)
		}
	}},
	{"a value can become a placeholder and back", func(s *store) {
		workspace, _, _, _ := s.scopes()
		created := s.envVar(workspace, "A", sealed("value"))
		s.equal(check.Must(s.EnvVars.SetEnvVar(s.ctx, workspace, created.ID, placeholder))(s.t).Hint, placeholder.Hint)
		s.equal(s.sealedValues(workspace), map[string]string{})
		s.equal(check.Must(s.EnvVars.SetEnvVar(s.ctx, workspace, created.ID, sealed("value")))(s.t).Hint, created.Hint)
		s.equal(s.sealedValues(workspace), map[string]string{"0/A": "value"})
	}},
	{"keys are unique in a scope and case-sensitive", func(s *store) {
		workspace, tool, sibling, other := s.scopes()
		for _, scope := range []envvar.Scope{workspace, tool, sibling, other} {
			s.envVar(scope, "A", placeholder)
			s.fails(check.Failure(s.EnvVars.CreateEnvVar(s.ctx, scope, "A", sealed("value"))), fault.Conflict)
			s.envVar(scope, "a", placeholder)
			s.equal(s.keys(scope), []string{"A", "a"})
			s.equal(s.sealedValues(scope), map[string]string{})
		}
	}},
	{"scopes are isolated", func(s *store) {
		workspace, tool, sibling, other := s.scopes()
		foreign := envvar.Scope{Workspace: s.other, Tool: tool.Tool}
		all := []envvar.Scope{workspace, tool, sibling, other, foreign}
		for _, owner := range []envvar.Scope{workspace, tool} {
			mine := s.envVar(owner, "MINE", sealed("value"))
			for _, scope := range all {
				if scope == owner {
					continue
				}
				s.fails(check.Failure(s.EnvVars.GetEnvVar(s.ctx, scope, mine.ID)), fault.NotFound)
				s.fails(check.Failure(s.EnvVars.SetEnvVar(s.ctx, scope, mine.ID, sealed("stolen"))), fault.NotFound)
				s.fails(s.EnvVars.DeleteEnvVar(s.ctx, scope, mine.ID), fault.NotFound)
			}
			s.equal(check.Must(s.EnvVars.GetEnvVar(s.ctx, owner, mine.ID))(s.t), mine)
		}
		for _, scope := range []envvar.Scope{sibling, other, foreign} {
			s.equal(s.keys(scope), []string{})
		}
		s.equal(s.sealedValues(other), map[string]string{})
		s.equal(s.sealedValues(foreign), map[string]string{})
		s.equal(s.sealedValues(sibling), map[string]string{"0/MINE": "value"})
		s.equal(s.sealedValues(tool), map[string]string{"0/MINE": "value", fmt.Sprintf("%d/MINE", tool.Tool): "value"})
	}},
	{"unknown scopes and invalid keys are rejected", func(s *store) {
		workspace, tool, _, _ := s.scopes()
		for _, scope := range []envvar.Scope{
			{Workspace: 999}, {Workspace: s.workspace, Tool: 999}, {Workspace: s.other, Tool: tool.Tool},
		} {
			s.fails(check.Failure(s.EnvVars.CreateEnvVar(s.ctx, scope, "A", placeholder)), fault.NotFound)
			s.equal(s.keys(scope), []string{})
		}
		for _, key := range []string{"", strings.Repeat("A", 2049), "A\x00B", "\xff"} {
			s.fails(check.Failure(s.EnvVars.CreateEnvVar(s.ctx, workspace, key, placeholder)), fault.Invalid)
		}
		s.envVar(workspace, strings.Repeat("A", 255), placeholder)
	}},
	{"variables are deleted with their tool", func(s *store) {
		workspace, tool, sibling, _ := s.scopes()
		for _, scope := range []envvar.Scope{workspace, tool, sibling} {
			s.envVar(scope, "A", sealed("value"))
		}
		check.Must(s.Entities.SoftDelete(s.ctx, s.workspace, []int64{tool.Tool}))(s.t)
		check.Must(s.Entities.RemoveEntities(s.ctx, s.workspace, []int64{sibling.Tool}))(s.t)
		for _, scope := range []envvar.Scope{tool, sibling} {
			s.equal(s.keys(scope), []string{})
			s.equal(s.sealedValues(scope), map[string]string{"0/A": "value"})
			s.fails(check.Failure(s.EnvVars.CreateEnvVar(s.ctx, scope, "A", placeholder)), fault.NotFound)
		}
		s.equal(s.keys(workspace), []string{"A"})
	}},
	{"newest value", func(s *store) {
		workspace, tool, _, other := s.scopes()
		_, found, err := s.EnvVars.NewestSealedEnvVar(s.ctx)
		s.ok(err)
		s.equal(found, false)
		s.envVar(workspace, "A", sealed("first"))
		for _, scope := range []envvar.Scope{other, tool} {
			created := s.envVar(scope, "B", sealed("later"))
			s.envVar(scope, "C", placeholder)
			newest, found, err := s.EnvVars.NewestSealedEnvVar(s.ctx)
			s.ok(err)
			s.equal(found, true)
			s.equal(newest, envvar.SealedVariable{Variable: created, Sealed: []byte("later")})
		}
	}},
	{"a scope holds at most 1,000", func(s *store) {
		workspace, tool, _, other := s.scopes()
		fill := func(scope envvar.Scope) error {
			return s.InTx(s.ctx, func(ctx context.Context) error {
				for i := range 1000 {
					if _, err := s.EnvVars.CreateEnvVar(ctx, scope, fmt.Sprintf("A%d", i), placeholder); err != nil {
						return err
					}
				}
				return nil
			})
		}
		s.ok(fill(workspace))
		s.ok(fill(tool))
		for _, scope := range []envvar.Scope{workspace, tool} {
			s.fails(check.Failure(s.EnvVars.CreateEnvVar(s.ctx, scope, "B", placeholder)), fault.BadRequest)
			first := check.Must(s.EnvVars.ListEnvVars(s.ctx, scope))(s.t)[0]
			s.ok(s.EnvVars.DeleteEnvVar(s.ctx, scope, first.ID))
			s.envVar(scope, "B", placeholder)
		}
		s.envVar(other, "B", placeholder)
	}},
	{"every change is a new revision", func(s *store) {
		workspace, _, _, _ := s.scopes()
		other := s.revision(s.other)
		seen := map[int64]bool{s.revision(s.workspace): true}
		changed := func() {
			s.t.Helper()
			revision := s.revision(s.workspace)
			s.equal(seen[revision], false)
			seen[revision] = true
		}
		created := s.envVar(workspace, "A", placeholder)
		changed()
		check.Must(s.EnvVars.SetEnvVar(s.ctx, workspace, created.ID, sealed("value")))(s.t)
		changed()
		s.ok(s.EnvVars.DeleteEnvVar(s.ctx, workspace, created.ID))
		changed()
		s.equal(s.revision(s.other), other)
	}},
	{"rolled-back changes leave nothing", func(s *store) {
		workspace, tool, _, _ := s.scopes()
		for _, scope := range []envvar.Scope{workspace, tool} {
			kept := s.envVar(scope, "KEPT", sealed("value"))
			err := s.InTx(s.ctx, func(ctx context.Context) error {
				s.ok(check.Failure(s.EnvVars.CreateEnvVar(ctx, scope, "A", placeholder)))
				s.ok(check.Failure(s.EnvVars.SetEnvVar(ctx, scope, kept.ID, sealed("other"))))
				s.fails(check.Failure(s.EnvVars.CreateEnvVar(ctx, scope, "A", placeholder)), fault.Conflict)
				s.ok(s.EnvVars.DeleteEnvVar(ctx, scope, kept.ID))
				return errOurs
			})
			s.equal(errors.Is(err, errOurs), true)
			s.equal(check.Must(s.EnvVars.ListEnvVars(s.ctx, scope))(s.t), []envvar.Variable{kept})
		}
	}},
	{"of concurrent creations of a key one succeeds", func(s *store) {
		workspace, tool, _, _ := s.scopes()
		for _, scope := range []envvar.Scope{workspace, tool} {
			s.oneWinner(check.Together(crowd, func(int) error {
				return check.Failure(s.EnvVars.CreateEnvVar(s.ctx, scope, "A", placeholder))
			}), fault.Conflict)
			s.equal(s.keys(scope), []string{"A"})
		}
	}},
	{"concurrent creations respect the limit", func(s *store) {
		workspace, _, _, _ := s.scopes()
		s.ok(s.InTx(s.ctx, func(ctx context.Context) error {
			for i := range 999 {
				if _, err := s.EnvVars.CreateEnvVar(ctx, workspace, fmt.Sprintf("A%d", i), placeholder); err != nil {
					return err
				}
			}
			return nil
		}))
		s.oneWinner(check.Together(crowd, func(i int) error {
			return check.Failure(s.EnvVars.CreateEnvVar(s.ctx, workspace, fmt.Sprintf("B%d", i), placeholder))
		}), fault.BadRequest)
	}},
	{"a tool deleted concurrently keeps no variables", func(s *store) {
		_, tool, _, _ := s.scopes()
		errs := check.Together(crowd, func(i int) error {
			if i == crowd/2 {
				return check.Failure(s.Entities.SoftDelete(s.ctx, s.workspace, []int64{tool.Tool}))
			}
			return check.Failure(s.EnvVars.CreateEnvVar(s.ctx, tool, fmt.Sprintf("A%d", i), sealed("value")))
		})
		for _, err := range errs {
			if err != nil {
				s.fails(err, fault.NotFound)
			}
		}
		s.ok(errs[crowd/2])
		s.equal(s.keys(tool), []string{})
	}},
}
