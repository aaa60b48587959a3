package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/secret"
	"github.com/promptuary/promptuary/internal/step"
)

// testBox seals the secrets of all tests, and testVault the credentials of steps.
var (
	testBox   = secret.NewBox(secret.NewKey())
	testVault = step.NewVault(testBox)
)

// TestCredentialsOfNodes reads and writes a workflow with a credential as a
// client does.
func TestCredentialsOfNodes(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	node := func(url, value string) string {
		return fmt.Sprintf(`{"name":"call","node_type":"ENDPOINT","is_output_node":true,"configuration":{"url":%q,"headers":{"Authorization":%s}}}`, url, value)
	}
	whole := func(target, node string) string { return `{` + target + `,"nodes":[` + node + `]}` }
	w.post(t, http.StatusCreated, "/rest/workflows", whole(`"name":"secrets"`, node("https://x.test/a", `"Bearer planted-4711"`)))
	configuration := func() string {
		version := w.must(t, http.StatusOK, "home", http.MethodGet, "/workflows/secrets", "")
		return toJSON(t, version["nodes"].([]any)[0].(map[string]any)["configuration"])
	}
	check.Equal(t, "shown", configuration(), `{"headers":{"Authorization":"…"},"url":"https://x.test/a"}`)
	w.post(t, http.StatusCreated, "/rest/workflows", whole(`"workflow_name":"secrets"`, node("https://x.test/b", `"…"`)))
	check.Equal(t, "kept", configuration(), `{"headers":{"Authorization":"…"},"url":"https://x.test/b"}`)
	w.must(t, http.StatusCreated, "home", http.MethodPatch, "/rest/workflows/secrets", `{"nodes":{"call":{"configuration":{"headers":{"Authorization":"Bearer ${TOKEN}"}}}}}`)
	check.Equal(t, "reference", configuration(), `{"headers":{"Authorization":"Bearer ${TOKEN}"},"url":"https://x.test/b"}`)

	w.post(t, http.StatusCreated, "/rest/workflows", whole(`"workflow_name":"secrets"`, node("https://x.test/a", `"Bearer planted-4711"`)))
	for body, want := range map[string]string{
		whole(`"name":"copy"`, node("https://x.test/a", `"…"`)):                               "headers.Authorization: … stands for the stored value, but there is none. Enter the value",
		whole(`"workflow_name":"secrets"`, node("https://evil.test", `"…"`)):                  "headers.Authorization: the stored value is for another server, or was sealed with another secret key. Enter it again",
		whole(`"workflow_name":"secrets"`, node("https://x.test/a", `{"$sealed":"AQ"}`)):      "the member $sealed is reserved",
		whole(`"workflow_name":"secrets"`, node("https://x.test/a", `{"\u0024sealed":"AQ"}`)): "the member $sealed is reserved",
	} {
		answer := w.post(t, http.StatusUnprocessableEntity, "/rest/workflows", body)
		check.Equal(t, "message", answer["message"].(string), "Invalid configuration for node 'call': "+want)
	}
	patch := `{"nodes":{"call":{"configuration":{"url":"https://evil.test"}}}}`
	w.must(t, http.StatusUnprocessableEntity, "home", http.MethodPatch, "/rest/workflows/secrets", patch)
	w.must(t, http.StatusNotFound, "away", http.MethodPatch, "/rest/workflows/secrets", patch)
	w.must(t, http.StatusUnprocessableEntity, "away", http.MethodPost, "/rest/workflows", whole(`"name":"secrets"`, node("https://x.test/a", `"…"`)))
}

// TestCredentialsOfColumns does the same with a column of an evaluation.
func TestCredentialsOfColumns(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	e := w.evaluate(t)
	column := func(name, configuration string) string {
		return e.fill(fmt.Sprintf(`{"report_id":$report,"column_type":"MCP","name":%q,"configuration":%s}`, name, configuration))
	}
	shown := func(answer map[string]any) string {
		return toJSON(t, answer["report_column"].(map[string]any)["configuration"])
	}
	const plain, kept = `{"server_url":"https://x.test","tool_name":"a","auth":"planted-4711"}`, `{"auth":"…","server_url":"https://x.test","tool_name":"b"}`
	made := w.post(t, http.StatusCreated, "/report-columns", column("call", plain))
	check.Equal(t, "created", shown(made), strings.Replace(kept, `"b"`, `"a"`, 1))
	path := fmt.Sprintf("/report-columns/%.0f", made["report_column"].(map[string]any)["id"])
	patch := func(status int, who, body string) map[string]any {
		return w.must(t, status, who, http.MethodPatch, path, body)
	}
	check.Equal(t, "kept", shown(patch(http.StatusOK, "home", column("call", kept))), kept)
	check.Equal(t, "renamed", shown(patch(http.StatusOK, "home", e.fill(`{"report_id":$report,"column_type":"MCP","name":"renamed"}`))), kept)
	patch(http.StatusUnprocessableEntity, "home", column("call", `{"server_url":"https://evil.test","tool_name":"a","auth":"…"}`))
	patch(http.StatusUnprocessableEntity, "home", column("call", `{"server_url":"https://x.test","tool_name":"a","auth":{"$sealed":"AQ"}}`))
	patch(http.StatusNotFound, "away", column("call", kept))
	w.post(t, http.StatusUnprocessableEntity, "/report-columns", column("new", `{"server_url":"https://y.test","tool_name":"a","auth":"…"}`))
	answer := w.post(t, http.StatusUnprocessableEntity, "/reports", e.fill(`{"dataset_group_id":$group,"columns":[`+
		`{"column_type":"MCP","name":"call","configuration":{"server_url":"https://x.test","tool_name":"a","auth":"…"}}]}`))
	check.Equal(t, "message", answer["message"].(string), "Invalid configuration for column 'call': auth: … stands for the stored value, but there is none. Enter the value")
}
