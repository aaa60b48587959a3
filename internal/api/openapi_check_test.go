package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
)

// document is the OpenAPI document that responses are checked against: the
// operation and the status must be documented, every required key must be
// present, every type must match, and undocumented keys are not allowed.
type document struct{ root map[string]any }

// sharedDocument is built once: it is the same in every world, and building it takes
// longer than most tests.
var sharedDocument struct {
	sync.Once
	document
	err error
}

func newDocument(t *testing.T, w *world) *document {
	t.Helper()
	s := &sharedDocument
	s.Do(func() {
		var text []byte
		if text, s.err = w.router.OpenAPI(); s.err == nil {
			s.err = json.Unmarshal(text, &s.root)
		}
	})
	check.OK(t, s.err)
	return &s.document
}

// at follows keys into the document and resolves references.
func (d *document) at(from any, keys ...string) any {
	for _, key := range keys {
		object, _ := d.resolve(from).(map[string]any)
		from = object[key]
	}
	return d.resolve(from)
}

func (d *document) resolve(v any) any {
	object, _ := v.(map[string]any)
	ref, ok := object["$ref"].(string)
	if !ok {
		return v
	}
	return d.at(d.root, strings.Split(strings.TrimPrefix(ref, "#/"), "/")...)
}

// operation returns the description of an operation, nil if there is none.
func (d *document) operation(method, path string) any {
	op := findOperation(method, path)
	if op == nil {
		return nil
	}
	return d.at(d.root, "paths", documented(op.Path), strings.ToLower(method))
}

// checkAnswer compares a response with the document.
func (d *document) checkAnswer(t *testing.T, method, path string, got reply) {
	t.Helper()
	if header := got.header.Get("Content-Type"); header != "application/json" && got.status != http.StatusNoContent {
		t.Errorf("%s %s has the content type %q", method, path, header)
	}
	if got.header.Get("X-Request-Id") == "" {
		t.Errorf("%s %s has no request id", method, path)
	}
	if got.status == http.StatusNoContent {
		if listed := d.at(d.operation(method, path), "responses", "204"); listed == nil || len(got.body) > 0 {
			t.Errorf("%s %s answers 204 with %q, which the document lists as %v", method, path, got.body, listed)
		}
		return
	}
	var value any
	decoder := json.NewDecoder(bytes.NewReader(got.body))
	decoder.UseNumber() // numbers are returned as sent, however large
	if err := decoder.Decode(&value); err != nil {
		t.Fatalf("%s %s answers with no JSON: %v", method, path, err)
	}
	if got.status >= http.StatusBadRequest {
		checkErrorShape(t, got.status, got.body)
	}
	operation := d.operation(method, path)
	if operation == nil {
		if got.status != http.StatusNotFound && got.status != http.StatusMethodNotAllowed {
			t.Errorf("%s %s answers %d but is not in the document", method, path, got.status)
		}
		return
	}
	response := d.at(operation, "responses", strconv.Itoa(got.status))
	if response == nil {
		t.Errorf("%s %s answers %d, which the document does not list", method, path, got.status)
		return
	}
	for _, problem := range d.problems(d.at(response, "content", "application/json", "schema"), value, "answer") {
		t.Errorf("%s %s, status %d: %s", method, path, got.status, problem)
	}
}

// problems returns where a value differs from its schema.
func (d *document) problems(schema, value any, where string) []string {
	rules, ok := d.resolve(schema).(map[string]any)
	if !ok {
		return []string{where + " has no schema"}
	}
	if choices, ok := rules["anyOf"].([]any); ok {
		var all []string
		for _, choice := range choices {
			found := d.problems(choice, value, where)
			if len(found) == 0 {
				return nil
			}
			all = append(all, found...)
		}
		return all
	}
	if types := typeNames(rules["type"]); types != nil && !slices.ContainsFunc(types, func(name string) bool { return isOfType(value, name) }) {
		return []string{fmt.Sprintf("%s is %T, not %v", where, value, types)}
	}
	if allowed, ok := rules["enum"].([]any); ok && !slices.Contains(allowed, value) {
		return []string{fmt.Sprintf("%s is %v, not one of %v", where, value, allowed)}
	}
	switch value := value.(type) {
	case map[string]any:
		return d.objectProblems(rules, value, where)
	case []any:
		var found []string
		for i, element := range value {
			if items, ok := rules["items"]; ok {
				found = append(found, d.problems(items, element, fmt.Sprintf("%s[%d]", where, i))...)
			}
		}
		return found
	}
	return nil
}

func (d *document) objectProblems(rules, value map[string]any, where string) []string {
	var found []string
	for _, key := range typeNames(rules["required"]) {
		if _, ok := value[key]; !ok {
			found = append(found, where+" lacks "+key)
		}
	}
	properties, _ := rules["properties"].(map[string]any)
	for key, member := range value {
		inner := where + "." + key
		switch extra := rules["additionalProperties"].(type) {
		case map[string]any:
			found = append(found, d.problems(extra, member, inner)...)
			continue
		case bool:
			if extra {
				continue
			}
		}
		if schema, ok := properties[key]; ok {
			found = append(found, d.problems(schema, member, inner)...)
		} else if len(rules) > 0 {
			found = append(found, inner+" is not in the document")
		}
	}
	return found
}

// typeNames reads a string or a list of strings.
func typeNames(v any) []string {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		names := make([]string, len(v))
		for i := range v {
			names[i] = v[i].(string)
		}
		return names
	}
	return nil
}

func isOfType(value any, name string) bool {
	switch value := value.(type) {
	case nil:
		return name == "null"
	case bool:
		return name == "boolean"
	case string:
		return name == "string"
	case json.Number:
		_, err := value.Int64()
		return name == "number" || name == "integer" && err == nil
	case []any:
		return name == "array"
	default:
		return name == "object"
	}
}

// errorCodes has the code of every error status.
var errorCodes = map[int]string{
	400: "bad_request", 401: "unauthorized", 403: "forbidden", 404: "not_found", 405: "method_not_allowed",
	409: "conflict", 413: "payload_too_large", 415: "unsupported_media_type", 422: "validation_error",
	429: "rate_limited", 500: "internal_error", 502: "bad_gateway", 503: "unavailable",
}

// errorBody is the shape of all errors.
type errorBody struct {
	Success *bool  `json:"success"`
	Message string `json:"message"`
	Error   string `json:"error"`
	Detail  []struct {
		Loc  []any  `json:"loc"`
		Msg  string `json:"msg"`
		Type string `json:"type"`
	} `json:"detail"`
}

// checkErrorShape checks what holds for every error.
func checkErrorShape(t *testing.T, status int, text []byte) {
	t.Helper()
	var body errorBody
	if err := json.Unmarshal(text, &body); err != nil {
		t.Errorf("the error %s has another shape: %v", clip(string(text)), err)
		return
	}
	if body.Success == nil || *body.Success || body.Message == "" || body.Error != errorCodes[status] && body.Error != body.Message {
		t.Errorf("status %d has the body %s", status, clip(string(text)))
	}
	if (status == http.StatusUnprocessableEntity) != (len(body.Detail) > 0) {
		t.Errorf("status %d has %d details: %s", status, len(body.Detail), clip(string(text)))
	}
	for _, detail := range body.Detail {
		source, _ := slices.Concat(detail.Loc, []any{nil})[0].(string)
		if !slices.Contains([]string{"body", "query", "path"}, source) || detail.Msg == "" || detail.Type == "" {
			t.Errorf("a detail lacks something: %s", clip(string(text)))
		}
	}
}
