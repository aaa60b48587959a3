package api_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/api"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/rest"
)

func TestOperationsAreValid(t *testing.T) {
	t.Parallel()
	ops := api.Operations(api.Services{})
	check.OK(t, rest.CheckOps(ops))
	if list := rest.Undocumented(ops); len(list) > 0 {
		t.Errorf("inputs without a description: %v", list)
	}
	for _, op := range ops {
		if op.Description == "" || op.Description == op.Summary {
			t.Errorf("%s says nothing beyond its summary", op.ID)
		}
	}
}

// TestDocumentListsEveryOperation compares the document with the operations.
func TestDocumentListsEveryOperation(t *testing.T) {
	t.Parallel()
	document := newDocument(t, newWorld(t, settings{}))
	var listed, known []string
	for path, item := range document.root["paths"].(map[string]any) {
		for method, operation := range item.(map[string]any) {
			listed = append(listed, strings.ToUpper(method)+" "+path+" "+operation.(map[string]any)["operationId"].(string))
		}
	}
	for _, op := range api.Operations(api.Services{}) {
		known = append(known, op.Method+" "+documented(op.Path)+" "+op.ID)
	}
	slices.Sort(listed)
	slices.Sort(known)
	if diff := cmp.Diff(known, listed); diff != "" {
		t.Errorf("operations (-table +document):\n%s", diff)
	}
}

// TestDocumentDescribesEverything looks for parts without a description.
func TestDocumentDescribesEverything(t *testing.T) {
	t.Parallel()
	document := newDocument(t, newWorld(t, settings{}))
	for name, schema := range document.at(document.root, "components", "schemas").(map[string]any) {
		properties, _ := document.at(schema, "properties").(map[string]any)
		for key, property := range properties {
			// A reference may have its own description.
			if text, _ := property.(map[string]any)["description"].(string); text == "" {
				t.Errorf("%s.%s has no description: %v", name, key, property)
			}
		}
	}
	for path, item := range document.root["paths"].(map[string]any) {
		for method, operation := range item.(map[string]any) {
			parameters, _ := document.at(operation, "parameters").([]any)
			for _, parameter := range parameters {
				if text, _ := document.at(parameter, "description").(string); text == "" {
					t.Errorf("%s %s has a parameter without a description: %v", method, path, parameter)
				}
			}
		}
	}
}

// TestEveryOperationHasCases requires for every operation an exchange in
// testdata that succeeds, one without a key, and one that is rejected for
// another reason.
func TestEveryOperationHasCases(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/cases/*.http")
	check.OK(t, err)
	seen := map[string]map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		check.OK(t, err)
		for _, x := range parseScript(t, string(text)).exchanges {
			if op := findOperation(x.method, x.path); op != nil {
				if seen[op.ID] == nil {
					seen[op.ID] = map[string]bool{}
				}
				seen[op.ID][outcome(x.status)] = true
			}
		}
	}
	for _, op := range api.Operations(api.Services{}) {
		for _, wanted := range []string{"succeeds", "has no key", "is refused"} {
			if !seen[op.ID][wanted] && (wanted != "is refused" || !takesNothing[op.ID]) && (wanted != "succeeds" || !needsSecret[op.ID]) {
				t.Errorf("%s %s: no case %s", op.Method, op.Path, wanted)
			}
		}
	}
}

// takesNothing has the operations that can fail only because of the key.
var takesNothing = map[string]bool{"listWorkspaceEnvVars": true, "listWorkspaces": true, "listRoles": true, "getSession": true, "signOut": true, "listViews": true, "listDashboards": true, "listProviders": true, "listUnpricedModels": true, "getRedaction": true, "getRetention": true, "listWebhooks": true, "listAlerts": true, "listExports": true}

// needsSecret has the operations whose success requires a secret or is not
// JSON; they have separate tests.
var needsSecret = map[string]bool{"signIn": true, "setPassword": true, "exportAuditEntries": true, "exportRequests": true, "exportEvaluation": true, "exportDataset": true, "exportTraces": true, "runPlayground": true, "getImportReport": true}

func outcome(status int) string {
	switch {
	case status < 400:
		return "succeeds"
	case status == 401:
		return "has no key"
	default:
		return "is refused"
	}
}
