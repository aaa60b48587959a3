package api_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/api"
	"github.com/promptuary/promptuary/internal/check"
)

// needsOthers has the operations without parameters whose examples name
// something that must exist, or need a secret or a provider.
var needsOthers = map[string]bool{
	"signIn": true, "setPassword": true, "createServerImport": true, "createABTest": true, "addRequestLogToDatasetDraft": true, "addTraceToDatasetDraft": true,
	"createDatasetDraft": true, "changeDatasetDraftRows": true, "createDatasetVersionFromFile": true, "createDatasetVersionFromFilterParams": true,
	"saveDatasetDraft": true, "createDeletion": true, "moveFolderEntities": true, "deleteFolderEntities": true, "runPlayground": true,
	"libraryTrackMetadata": true, "libraryTrackPrompt": true, "libraryTrackScore": true, "libraryTrackGroup": true, "createReportColumn": true,
	"createReport": true, "trackGroup": true, "trackMetadata": true, "trackPrompt": true, "trackScore": true,
}

// insideAnyObject reports whether a problem is only that a member of a member is
// not documented: objects such as metadata take any members.
func insideAnyObject(problem string) bool {
	return strings.HasSuffix(problem, " is not in the document") && strings.Count(problem, ".") > 1
}

// TestExamples checks that every body in the document has an example that suits
// its schema, and that those that need nothing else succeed in an empty workspace.
func TestExamples(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	document := newDocument(t, w)
	examples := api.Examples()
	for _, op := range api.Operations(api.Services{}) {
		content, _ := document.at(document.root, "paths", documented(op.Path), strings.ToLower(op.Method), "requestBody", "content", "application/json").(map[string]any)
		example, ok := examples[op.ID]
		delete(examples, op.ID)
		if ok != (content != nil) {
			t.Errorf("%s: has a JSON body: %v, has an example: %v", op.ID, content != nil, ok)
		}
		if !ok || content == nil {
			continue
		}
		var value any
		decoder := json.NewDecoder(bytes.NewReader(example))
		decoder.UseNumber()
		check.OK(t, decoder.Decode(&value))
		problems := slices.DeleteFunc(document.problems(content["schema"], value, op.ID), insideAnyObject)
		if len(problems) > 0 {
			t.Errorf("the example breaks its schema: %v", problems)
		}
		if strings.Contains(op.Path, "{") || needsOthers[op.ID] {
			continue
		}
		got, err := w.send("owner", op.Method, op.Path, example)
		check.OK(t, err)
		if got.status >= http.StatusBadRequest {
			t.Errorf("%s answers %d: %s", op.ID, got.status, clip(string(got.body)))
		}
	}
	if len(examples) > 0 {
		t.Errorf("examples of unknown operations: %v", examples)
	}
}
