// Package catalogtest is the conformance suite of the catalog: what it
// promises must hold on every engine alike.
package catalogtest

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

// Run tests the catalogs that open returns. Each test gets an empty one of
// its own, which open closes when the test ends.
func Run(t *testing.T, open func(t *testing.T) *catalog.Catalog) {
	groups := []struct {
		name  string
		cases []testCase
	}{
		{"workspace", workspaceCases},
		{"key", keyCases},
		{"account", accountCases},
		{"member", memberCases},
		{"session", sessionCases},
		{"sign-in link", linkCases},
		{"audit", auditCases},
		{"audit list", auditListCases},
		{"entity", entityCases},
		{"creator", creatorCases},
		{"list", listCases},
		{"tag and variant", tagCases},
		{"name", nameCases},
		{"tree", treeCases},
		{"delete", deleteCases},
		{"folder query", folderQueryCases},
		{"folder tree", folderTreeCases},
		{"version", versionCases},
		{"version list", versionListCases},
		{"label", labelCases},
		{"find", findCases},
		{"reference", referenceCases},
		{"AB test", abTestCases},
		{"external id", externalIDCases},
		{"environment variable", envVarCases},
		{"view", viewCases},
		{"revision", revisionCases},
		{"group", groupCases},
		{"job", jobCases},
		{"health", healthCases},
		{"run", runCases},
		{"run list", runListCases},
		{"dataset", datasetCases},
		{"dataset list", datasetListCases},
		{"draft row", draftRowCases},
		{"evaluation", evalCases},
		{"evaluation run list", reportRunListCases},
		{"skill", skillCases},
		{"sequence", sequenceCases},
		{"transaction", transactionCases},
		{"text", textCases},
		{"concurrency", concurrencyCases},
	}
	for _, group := range groups {
		for _, test := range group.cases {
			t.Run(group.name+"/"+test.name, func(t *testing.T) {
				t.Parallel()
				test.run(newStore(t, open(t)))
			})
		}
	}
}

type testCase struct {
	name string
	run  func(s *store)
}

// store is a catalog under test with two workspaces, and shortcuts that fail
// the test instead of returning an error.
type store struct {
	*catalog.Catalog
	t         *testing.T
	ctx       context.Context
	workspace int64
	other     int64
}

func newStore(t *testing.T, c *catalog.Catalog) *store {
	s := &store{Catalog: c, t: t, ctx: t.Context()}
	s.workspace = check.Must(c.Accounts.CreateWorkspace(s.ctx, "first"))(t).ID
	s.other = check.Must(c.Accounts.CreateWorkspace(s.ctx, "second"))(t).ID
	return s
}

func (s *store) ok(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatalf("unexpected error: %v", err)
	}
}

func (s *store) fails(err error, kind fault.Kind) {
	s.t.Helper()
	if !fault.Is(err, kind) {
		s.t.Fatalf("got error %v, want a fault of kind %d", err, kind)
	}
}

func (s *store) equal(got, want any) {
	s.t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		s.t.Fatalf("mismatch (-want +got):\n%s", diff)
	}
}

func (s *store) create(kind entity.Kind, name string, folder *int64) entity.Entity {
	s.t.Helper()
	input := entity.New{WorkspaceID: s.workspace, Kind: kind, Name: name, FolderID: folder}
	return check.Must(s.Entities.CreateEntity(s.ctx, input))(s.t)
}

func (s *store) prompt(name string) entity.Entity {
	s.t.Helper()
	return s.create(entity.KindPrompt, name, nil)
}

func (s *store) version(entityID int64, body string) entity.Version {
	s.t.Helper()
	return check.Must(s.Entities.AddVersion(s.ctx, s.workspace, entityID, entity.NewVersion{Body: json.RawMessage(body)}))(s.t)
}

func (s *store) get(id int64) entity.Entity {
	s.t.Helper()
	return check.Must(s.Entities.GetEntity(s.ctx, s.workspace, id))(s.t)
}

// names lists what a query finds, by name.
func (s *store) names(query entity.Query) []string {
	s.t.Helper()
	query.WorkspaceID = s.workspace
	entities, _, err := s.Entities.ListEntities(s.ctx, query)
	s.ok(err)
	names := make([]string, len(entities))
	for i, owner := range entities {
		names[i] = owner.Name
	}
	return names
}

// allOK fails the test when one of the calls failed.
func (s *store) allOK(errs []error) {
	s.t.Helper()
	s.ok(errors.Join(errs...))
}

func pointer[T any](value T) *T { return &value }
