package audit_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/catalog/pgtest"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

func open(t *testing.T, dsn string) (*catalog.Catalog, int64) {
	t.Helper()
	c := catalogtest.Open(t, dsn)
	workspace, err := c.Accounts.CreateWorkspace(t.Context(), "home")
	if err != nil {
		t.Fatal(err)
	}
	return c, workspace.ID
}

func as(ctx context.Context, roles ...access.Role) context.Context {
	var held access.Permissions
	for _, role := range roles {
		held |= role.Permissions()
	}
	return access.WithCaller(ctx, access.Caller{KeyID: 1, Permissions: held})
}

func TestReadPermissions(t *testing.T) {
	t.Parallel()
	c, workspace := open(t, catalogtest.SQLite(t))
	service := audit.NewService(c.Accounts)
	for name, test := range map[string]struct {
		role          access.Role
		own, everyone bool
	}{
		"editor":        {access.Editor, false, false},
		"developer":     {access.Developer, false, false},
		"administrator": {access.Administrator, true, false},
		"owner":         {access.Owner, true, true},
	} {
		for id, want := range map[*int64]bool{&workspace: test.own, nil: test.everyone} {
			query := audit.Query{WorkspaceID: id, Limit: 10}
			entries, err := service.List(as(t.Context(), test.role), query)
			if want != (err == nil && len(entries) == 1) || !want && !fault.Is(err, fault.Forbidden) {
				t.Errorf("%s: list: %d entries, %v", name, len(entries), err)
			}
			seen := 0
			err = service.Export(as(t.Context(), test.role), query, func(audit.Entry) error { seen++; return nil })
			if want != (err == nil && seen == 1) || !want && (seen > 0 || !fault.Is(err, fault.Forbidden)) {
				t.Errorf("%s: export: %d entries, %v", name, seen, err)
			}
		}
	}
}

// TestExport checks that the pages of an export have no gaps and end with the
// entries that existed at the start.
func TestExport(t *testing.T) {
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) {
		c, workspace := open(t, dsn)
		create := func(ctx context.Context, name string) error {
			_, err := c.Entities.CreateEntity(ctx, entity.New{WorkspaceID: workspace, Kind: entity.KindPrompt, Name: name})
			return err
		}
		// Two full pages and a partial one.
		want := []string{}
		for _, upTo := range []int{0, 1, 499, 500, 501, 1000, 1203} {
			err := c.InTx(t.Context(), func(ctx context.Context) error {
				for i := len(want); i < upTo; i++ {
					if err := create(ctx, fmt.Sprintf("p%04d", i)); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			for i := len(want); i < upTo; i++ {
				want = append(want, fmt.Sprintf("p%04d", i))
			}
			got := []string{}
			query := audit.Query{WorkspaceID: &workspace, SubjectKind: "prompt", Action: audit.Create, Limit: 3}
			err = audit.NewService(c.Accounts).Export(access.AsSystem(t.Context()), query, func(e audit.Entry) error {
				got = append(got, e.Subject.Name)
				return nil
			})
			slices.Reverse(got)
			if diff := cmp.Diff(want, got); err != nil || diff != "" {
				t.Fatalf("of %d entries: %v (-want +got):\n%s", upTo, err, diff)
			}
		}

		added := 0
		query := audit.Query{WorkspaceID: &workspace, Action: audit.Create, SubjectKind: "prompt"}
		err := audit.NewService(c.Accounts).Export(access.AsSystem(t.Context()), query, func(e audit.Entry) error {
			if e.Subject.Name == "meanwhile" {
				t.Error("an entry that was added meanwhile is exported")
			}
			if added++; added == 10 {
				return create(t.Context(), "meanwhile")
			}
			return nil
		})
		if err != nil || added != 1203 {
			t.Errorf("%d entries, %v", added, err)
		}
	})
}

func TestExportStopsAtError(t *testing.T) {
	t.Parallel()
	c, workspace := open(t, catalogtest.SQLite(t))
	if _, err := c.Accounts.RequireRoles(t.Context(), workspace, true); err != nil {
		t.Fatal(err)
	}
	gone, seen := errors.New("the reader has gone"), 0
	err := audit.NewService(c.Accounts).Export(access.AsSystem(t.Context()), audit.Query{WorkspaceID: &workspace}, func(audit.Entry) error {
		seen++
		return gone
	})
	if !errors.Is(err, gone) || seen != 1 {
		t.Errorf("%v after %d entries", err, seen)
	}
	ctx, cancel := context.WithCancel(access.AsSystem(t.Context()))
	cancel()
	if err := audit.NewService(c.Accounts).Export(ctx, audit.Query{WorkspaceID: &workspace}, func(audit.Entry) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestActorOf(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		caller access.Caller
		want   audit.Actor
	}{
		"person":           {access.Caller{UserID: 3, Email: "ann@example.com"}, audit.Actor{Kind: audit.ByUser, ID: new(int64(3)), Name: "ann@example.com"}},
		"key":              {access.Caller{KeyID: 4, Name: "laptop", Email: "ann@example.com"}, audit.Actor{Kind: audit.ByKey, ID: new(int64(4)), Name: "laptop"}},
		"key without name": {access.Caller{KeyID: 4}, audit.Actor{Kind: audit.ByKey, ID: new(int64(4))}},
		"command":          {access.CommandLine(), audit.Actor{Kind: audit.ByCommand, Name: "command line"}},
		"empty caller":     {access.Caller{}, audit.Actor{Kind: audit.ByProgram, Name: "promptuary"}},
	} {
		if diff := cmp.Diff(test.want, audit.ActorOf(access.WithCaller(t.Context(), test.caller))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if diff := cmp.Diff(audit.Actor{Kind: audit.ByProgram, Name: "promptuary"}, audit.ActorOf(access.AsSystem(t.Context()))); diff != "" {
		t.Error(diff)
	}
}
