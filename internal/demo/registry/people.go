package registry

import (
	"context"
	"slices"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/envvar"
)

// The authors of the demo data.
var (
	ada = "ada@example.com"
	ben = "ben@example.com"
)

var demoMembers = []struct {
	email string
	role  access.Role
}{{ada, access.Editor}, {ben, access.Contributor}}

// researchWorkspace is the second workspace.
const researchWorkspace = "Research"

// authorOf returns the author of a version. The authors alternate.
func authorOf(version int) *string {
	if version%2 == 0 {
		return &ada
	}
	return &ben
}

func (f *Filler) addPeople(ctx context.Context) error {
	workspaces, err := f.Access.Workspaces(ctx)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(workspaces, func(w access.Workspace) bool { return w.Name == researchWorkspace }) {
		if _, err := f.Access.CreateWorkspace(ctx, researchWorkspace); err != nil {
			return err
		}
	}
	members, err := f.Access.Members(ctx, f.Workspace)
	if err != nil {
		return err
	}
	for _, person := range demoMembers {
		if slices.ContainsFunc(members, func(m access.Member) bool { return m.Email == person.email }) {
			continue
		}
		if _, err := f.Access.Invite(ctx, f.Workspace, person.email, []access.Role{person.role}); err != nil {
			return err
		}
	}
	return nil
}

// demoKey is an API key. Its secret is not printed.
type demoKey struct {
	name string
	role access.Role
	// lasts is the lifetime of the key, 0 for no limit.
	lasts   time.Duration
	revoked bool
}

var demoKeys = []demoKey{
	{name: "storefront", role: access.Logger},
	{name: "nightly evaluations", role: access.Contributor, lasts: 90 * 24 * time.Hour},
	{name: "old laptop", role: access.Editor, revoked: true},
}

func (f *Filler) addKeys(ctx context.Context) error {
	keys, err := f.Access.Keys(ctx, f.Workspace)
	if err != nil {
		return err
	}
	for _, key := range demoKeys {
		if slices.ContainsFunc(keys, func(k access.Key) bool { return k.Name == key.name }) {
			continue
		}
		if err := f.addKey(ctx, key); err != nil {
			return err
		}
	}
	return nil
}

func (f *Filler) addKey(ctx context.Context, key demoKey) error {
	input := access.NewKeyInput{Name: key.name, Roles: []access.Role{key.role}}
	if key.lasts > 0 {
		input.ExpiresAt = new(f.Now.Add(key.lasts))
	}
	made, _, err := f.Access.CreateKey(ctx, f.Workspace, input)
	if err == nil && key.revoked {
		_, err = f.Access.RevokeKey(ctx, f.Workspace, made.ID)
	}
	return err
}

var demoVariables = []struct{ key, value string }{
	{"STORE_API_URL", "https://store.example.com/api"},
	{"STORE_API_TOKEN", "not-a-real-token"},
}

func (f *Filler) addVariables(ctx context.Context) error {
	scope := envvar.Scope{Workspace: f.Workspace}
	known, err := f.EnvVars.List(ctx, scope)
	if err != nil {
		return err
	}
	for _, variable := range demoVariables {
		if slices.ContainsFunc(known, func(v envvar.Variable) bool { return v.Key == variable.key }) {
			continue
		}
		if _, err := f.EnvVars.Create(ctx, scope, variable.key, variable.value); err != nil {
			return err
		}
	}
	return nil
}
