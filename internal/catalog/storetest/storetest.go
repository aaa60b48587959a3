// Package storetest is the conformance suite of the catalog: every engine must keep
// the promises of the stores. The prefix of a file is the store it tests.
package storetest

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

// group is a group of test cases.
type group struct {
	name  string
	cases []testCase
}

var engineGroups = []group{
	{"transaction", transactionCases},
	{"revision", revisionCases},
	{"text", textCases},
	{"concurrency", concurrencyCases},
	{"health", healthCases},
}

var accountsGroups = []group{
	{"workspace", workspaceCases},
	{"key", keyCases},
	{"role", roleCases},
	{"user", userCases},
	{"member", memberCases},
	{"session", sessionCases},
	{"sign-in link", linkCases},
	{"audit", auditCases},
	{"audit list", auditListCases},
}

var entitiesGroups = []group{
	{"entity", entityCases},
	{"creator", creatorCases},
	{"list", listCases},
	{"tag and variant", tagCases},
	{"lookup", lookupCases},
	{"move", moveCases},
	{"delete", deleteCases},
	{"folder", folderCases},
	{"version", versionCases},
	{"version list", versionListCases},
	{"label", labelCases},
	{"find", findCases},
	{"reference", referenceCases},
	{"AB test", abTestCases},
	{"external id", externalIDCases},
	{"environment variable", envVarCases},
	{"skill", skillCases},
}

var datasetsGroups = []group{
	{"dataset", datasetCases},
	{"dataset list", datasetListCases},
	{"draft row", draftRowCases},
}

var evaluationsGroups = []group{
	{"evaluation", blueprintCases},
	{"run", reportRunCases},
	{"run list", reportRunListCases},
	{"row", reportRowCases},
	{"person cell", personCellCases},
}

var runsGroups = []group{
	{"run", runCases},
	{"run list", runListCases},
	{"job", jobCases},
	{"load", loadCases},
}

// requestsGroups test the small stores of what the catalog knows about request logs.
var requestsGroups = []group{
	{"group", groupCases},
	{"sequence", sequenceCases},
	{"view", viewCases},
	{"price", priceCases},
	{"re-pricing", repricingCases},
	{"import", importCases},
	{"redaction", redactionCases},
	{"deletion", deletionCases},
}

var webhooksGroups = []group{
	{"webhook", webhookCases},
}

var alertsGroups = []group{
	{"alert", alertCases},
}

var exportsGroups = []group{
	{"saved export", savedExportCases},
	{"note", exportCases},
}

var installationGroups = []group{
	{"id", installationCases},
	{"backup", backupCases},
	{"server", serverCases},
}

var upgradeGroups = []group{
	{"text", upgradeCases},
}

// Run tests the catalogs that open returns. Each test gets an empty catalog of
// its own, which open closes when the test ends.
func Run(t *testing.T, open func(t *testing.T) *catalog.Catalog) {
	stores := []struct {
		name   string
		groups []group
	}{
		{"engine", engineGroups},
		{"accounts", accountsGroups},
		{"entities", entitiesGroups},
		{"datasets", datasetsGroups},
		{"evaluations", evaluationsGroups},
		{"runs", runsGroups},
		{"requests", requestsGroups},
		{"webhooks", webhooksGroups},
		{"alerts", alertsGroups},
		{"exports", exportsGroups},
		{"installation", installationGroups},
		{"upgrade", upgradeGroups},
	}
	for _, store := range stores {
		for _, group := range store.groups {
			for _, test := range group.cases {
				t.Run(store.name+"/"+group.name+"/"+test.name, func(t *testing.T) {
					t.Parallel()
					test.run(newStore(t, open(t)))
				})
			}
		}
	}
}

type testCase struct {
	name string
	run  func(s *store)
}

// store is a catalog under test with two workspaces, and helpers that fail the
// test instead of returning an error.
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

// latest returns the latest version of an entity, the zero value when there is
// none.
func (s *store) latest(workspace, entityID int64) entity.Version {
	s.t.Helper()
	return check.Must(s.Entities.LatestVersions(s.ctx, workspace, []int64{entityID}))(s.t)[entityID]
}

// labelledVersion returns the version of an entity that a label points at, the
// zero value when there is none.
func (s *store) labelledVersion(workspace, entityID int64, label string) entity.Version {
	s.t.Helper()
	return check.Must(s.Entities.LabelledVersions(s.ctx, workspace, []int64{entityID}, label))(s.t)[entityID]
}

func (s *store) get(id int64) entity.Entity {
	s.t.Helper()
	return check.Must(s.Entities.GetEntity(s.ctx, s.workspace, id))(s.t)
}

// names returns the names of the entities that a query finds.
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

// allOK fails the test if one of the calls failed.
func (s *store) allOK(errs []error) {
	s.t.Helper()
	s.ok(errors.Join(errs...))
}

func pointer[T any](value T) *T { return &value }
