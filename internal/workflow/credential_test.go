package workflow_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/secret"
	"github.com/promptuary/promptuary/internal/step"
	"github.com/promptuary/promptuary/internal/workflow"
)

const canary = "canary-4711-0815"

// sealing replaces the service of the suite by one with real types.
func (r *suite) sealing() *step.Vault {
	vault := step.NewVault(secret.NewBox(secret.NewKey()))
	r.Service = workflow.NewService(r.catalog.Entities, workflow.StepTypes{Vault: vault}, workflow.RandomID)
	return vault
}

// calling is a workflow whose node sends the header A.
func calling(name, url, value string) string {
	return fmt.Sprintf(`{"nodes":[{"name":%q,"node_type":"ENDPOINT","is_output_node":true,"configuration":{"url":%q,"headers":{"A":%s}}}]}`, name, url, value)
}

// header opens the header A of the first node of a version, as a run would.
func header(t *testing.T, vault *step.Vault, workspace int64, record *workflow.Record) string {
	t.Helper()
	config := record.Content.Nodes[0].Configuration
	sealed := config.Get("headers").Get("A").Get("$sealed").Str()
	if sealed == "" || bytes.Contains(record.Version.Body, []byte(canary)) {
		t.Fatalf("stored %s", record.Version.Body)
	}
	value, err := vault.Credentials(workspace, nil).Open("https://x.test:443", sealed)
	return check.Must(value, err)(t)
}

func TestCredentialsAreKeptByLaterVersions(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		vault := r.sealing()
		opened := func(record *workflow.Record) string { return header(t, vault, r.workspace, record) }
		first := r.create("w", calling("n", "https://x.test/a", `"`+canary+`"`))
		check.Equal(t, "first", opened(first), canary)
		check.Equal(t, "patched elsewhere", opened(r.patch("w", `{"nodes":{"n":{"configuration":{"timeout":3}}}}`)), canary)
		check.Equal(t, "patched with …", opened(r.patch("w", `{"nodes":{"n":{"configuration":{"headers":{"A":"…"},"url":"https://x.test/b"}}}}`)), canary)
		check.Equal(t, "renamed", opened(r.patch("w", `{"nodes":{"n":null,"m":{"node_type":"ENDPOINT","is_output_node":true,"configuration":{"url":"https://x.test/a","headers":{"A":"…"}}}}}`)), canary)
		check.Equal(t, "replaced", opened(r.patch("w", `{"nodes":{"m":{"configuration":{"headers":{"A":"new"}}}}}`)), "new")
	})
}

func TestWholeVersionsKeepCredentialsOfTheLatest(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		vault := r.sealing()
		r.create("w", calling("n", "https://x.test/a", `"`+canary+`"`))
		name := "w"
		add := func(text string) (*workflow.Record, error) {
			record, _, err := r.Create(r.ctx, r.workspace, workflow.CreateInput{WorkflowName: &name, Definition: define(t, text)})
			return record, err
		}
		check.Equal(t, "kept", header(t, vault, r.workspace, check.Must(add(calling("n", "https://x.test/b", `"…"`)))(t)), canary)
		check.Equal(t, "renamed", header(t, vault, r.workspace, check.Must(add(calling("m", "https://x.test/b", `"…"`)))(t)), canary)
		r.unchanged(func() {
			check.Refused(t, check.Failure(add(calling("m", "https://evil.test/b", `"…"`))), fault.Invalid,
				"Invalid configuration for node 'm': headers.A: the stored value is for another server, or was sealed with another secret key. Enter it again")
		})
	})
}

func TestRefusedCredentials(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		r.sealing()
		stored := r.create("w", calling("n", "https://x.test/a", `"`+canary+`"`)).Content.Nodes[0].Configuration.Get("headers").Get("A").Raw()
		name, fresh := "w", "fresh"
		const none = "headers.A: … stands for the stored value, but there is none. Enter the value"
		r.unchanged(func() {
			for text, message := range map[string]string{
				calling("n", "https://x.test", `"…"`):          none,
				calling("n", "https://x.test", string(stored)): "the member $sealed is reserved",
			} {
				create := func(in workflow.CreateInput) error {
					in.Definition = define(t, text)
					_, _, err := r.Create(r.ctx, r.workspace, in)
					return err
				}
				check.Refused(t, create(workflow.CreateInput{Name: &fresh}), fault.Invalid, "Invalid configuration for node 'n': "+message)
				if message != none {
					check.Refused(t, create(workflow.CreateInput{WorkflowName: &name}), fault.Invalid, "Invalid configuration for node 'n': "+message)
				}
			}
			patch := func(text string) error {
				return check.Failure(r.Patch(r.ctx, r.workspace, "w", workflow.Patch{Changes: change(t, text)}))
			}
			check.Refused(t, patch(`{"nodes":{"n":{"configuration":{"headers":{"A":`+string(stored)+`}}}}}`), fault.Invalid,
				"Invalid configuration for node 'n': the member $sealed is reserved")
			check.Fault(t, patch(`{"nodes":{"n":{"configuration":{"url":"https://evil.test"}}}}`), fault.Invalid)
			check.Fault(t, patch(`{"nodes":{"n":{"configuration":{"headers":{"B":"…"}}}}}`), fault.Invalid)
			check.Fault(t, patch(`{"nodes":{"n":{"configuration":{"headers":{"A":"a\nb"}}}}}`), fault.BadRequest)
			check.Fault(t, patch(`{"nodes":{"n":{"configuration":{"headers":{"A":{"b":"c"}}}}}}`), fault.BadRequest)
		})
	})
}

// TestCredentialsOfOtherWorkspaces checks that … in one workspace never stands
// for a credential of another, and that it cannot be opened there.
func TestCredentialsOfOtherWorkspaces(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		vault := r.sealing()
		first := r.create("w", calling("n", "https://x.test/a", `"`+canary+`"`))
		name := "w"
		_, _, err := r.Create(r.ctx, r.other, workflow.CreateInput{Name: &name, Definition: define(t, calling("n", "https://x.test/a", `"…"`))})
		check.Fault(t, err, fault.Invalid)
		_, _, err = r.Create(r.ctx, r.other, workflow.CreateInput{WorkflowID: &first.Entity.ID, Definition: define(t, calling("n", "https://x.test/a", `"…"`))})
		check.Fault(t, err, fault.NotFound)
		sealed := first.Content.Nodes[0].Configuration.Get("headers").Get("A").Get("$sealed").Str()
		check.Fault(t, check.Failure(vault.Credentials(r.other, nil).Open("https://x.test:443", sealed)), fault.Unavailable)
	})
}

func TestPermissionsComeBeforeCredentials(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	r.sealing()
	name := "w"
	_, _, err := r.Create(access.WithCaller(r.ctx, access.Caller{Workspace: r.workspace}), r.workspace,
		workflow.CreateInput{Name: &name, Definition: define(t, calling("n", "https://x.test/a", `"…"`))})
	check.Fault(t, err, fault.Forbidden)
}

// TestLostKey edits a workflow whose credentials cannot be opened: other nodes
// can be changed, and the credential can be entered again.
func TestLostKey(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	r.sealing()
	r.create("w", calling("n", "https://x.test/a", `"`+canary+`"`))
	vault := r.sealing()
	r.patch("w", `{"nodes":{"v":{"node_type":"VARIABLE","configuration":{"value":1}}}}`)
	check.Fault(t, check.Failure(r.Patch(r.ctx, r.workspace, "w", workflow.Patch{Changes: change(t, `{"nodes":{"n":{"configuration":{"timeout":3}}}}`)})), fault.Invalid)
	check.Equal(t, "entered again", header(t, vault, r.workspace, r.patch("w", `{"nodes":{"n":{"configuration":{"headers":{"A":"again"}}}}}`)), "again")
}

func TestSealBody(t *testing.T) {
	t.Parallel()
	vault := step.NewVault(secret.NewBox(secret.NewKey()))
	body := []byte(`{"nodes": [{"node_type":"VARIABLE","configuration":{"headers":{"A":"x"}}},` +
		` {"node_type":"ENDPOINT","configuration":{"url":"https://x.test","headers":{"A": "` + canary + `"}}}], "edges":[]}`)
	sealed, changed, err := workflow.SealBody(vault, 1, body)
	check.OK(t, err)
	check.Equal(t, "changed", changed, true)
	if bytes.Contains(sealed, []byte(canary)) || !bytes.HasPrefix(sealed, body[:100]) {
		t.Errorf("got %s", sealed)
	}
	check.Must(jsontree.Parse(sealed))(t)
	again, changed, err := workflow.SealBody(vault, 1, sealed)
	check.OK(t, err)
	check.Equal(t, "changed again", changed, false)
	check.Equal(t, "again", string(again), string(sealed))
	_, _, err = workflow.SealBody(vault, 1, []byte(`{`))
	if err == nil || strings.Contains(err.Error(), canary) {
		t.Errorf("got %v", err)
	}
}
