package rest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/promptuary/promptuary/internal/rest"
)

func openAPI(t *testing.T) map[string]any {
	t.Helper()
	text, err := newLibrary(t).OpenAPI()
	if err != nil {
		t.Fatal(err)
	}
	var document map[string]any
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	return document
}

// at returns the value at the keys of a document.
func at(document any, keys ...string) any {
	for _, key := range keys {
		object, _ := document.(map[string]any)
		document = object[key]
	}
	return document
}

func TestOpenAPIIsComplete(t *testing.T) {
	t.Parallel()
	document := openAPI(t)
	if got := at(document, "openapi"); got != "3.1.0" {
		t.Errorf("openapi = %v", got)
	}
	var ids []string
	for _, item := range at(document, "paths").(map[string]any) {
		for _, op := range item.(map[string]any) {
			ids = append(ids, at(op, "operationId").(string))
		}
	}
	var want []string
	for _, op := range books() {
		want = append(want, op.ID)
	}
	slices.Sort(ids)
	slices.Sort(want)
	if diff := cmp.Diff(want, ids); diff != "" {
		t.Errorf("operations (-want +got):\n%s", diff)
	}
	var check func(v any)
	check = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			if ref, ok := v["$ref"].(string); ok && at(document, strings.Split(strings.TrimPrefix(ref, "#/"), "/")...) == nil {
				t.Errorf("%s leads nowhere", ref)
			}
			for _, inner := range v {
				check(inner)
			}
		case []any:
			for _, inner := range v {
				check(inner)
			}
		}
	}
	check(document)
}

func TestOpenAPIMatchesChecks(t *testing.T) {
	t.Parallel()
	document := openAPI(t)
	body := []string{"components", "schemas", "CreateBookRequest", "properties"}
	tests := []struct {
		name string
		path []string
		want string
	}{
		{"rules", append(body, "title"), `{"description":"Title.","maxLength":20,"minLength":1,"type":"string"}`},
		{"pointer", append(body, "year"), `{"description":"Year of print.","maximum":2100,"minimum":1450,"type":["null","integer"]}`},
		{"items", append(body, "tags"), `{"description":"Tags.","items":{"maxLength":5,"minLength":1,"type":"string"},"maxItems":3,"type":"array"}`},
		{"map", append(body, "scores"), `{"additionalProperties":{"maximum":100,"type":"integer"},"description":"Scores by reader.","type":"object"}`},
		{"optional scalar", append(body, "blurb"), `{"description":"Null removes it.","maxLength":10,"type":["string","null"]}`},
		{"optional struct", append(body, "sequel"), `{"anyOf":[{"$ref":"#/components/schemas/Chapter"},{"type":"null"}],"description":"Null removes it."}`},
		{"pointer to struct", append(body, "cover"), `{"anyOf":[{"type":"null"},{"$ref":"#/components/schemas/Cover"}],"description":"Cover."}`},
		{"digits", append(body, "owner_id"), `{"default":1,"description":"Whose it is.","format":"int64","minimum":1,"pattern":"^[0-9]+$","type":["integer","string"]}`},
		{"any", append(body, "tree"), `{"description":"Any value."}`},
		{"raw object", append(body, "meta"), `{"additionalProperties":true,"description":"An object kept as it is.","type":"object"}`},
		{"required", []string{"components", "schemas", "CreateBookRequest", "required"}, `["title"]`},
		{"parameters", []string{"paths", "/shelves/{shelf_id}", "patch", "parameters"},
			`[{"description":"Number of the shelf.","in":"path","name":"shelf_id","required":true,"schema":{"format":"int64","minimum":1,"type":"integer"}}]`},
		{"parameters of a raw handler without input", []string{"paths", "/books/by-isbn/{source}/{number}", "put", "parameters"},
			`[{"in":"path","name":"source","required":true,"schema":{"type":"string"}},{"in":"path","name":"number","required":true,"schema":{"type":"string"}}]`},
		{"body of DELETE", []string{"paths", "/shelves", "delete", "requestBody", "required"}, `true`},
		{"body that may be empty", []string{"paths", "/books/{name}", "post", "requestBody", "required"}, `false`},
		{"other media types", []string{"paths", "/v1/upload", "post", "requestBody", "content"},
			`{"application/json":{"schema":{"type":"object"}},"application/x-protobuf":{"schema":{"format":"binary","type":"string"}}}`},
		{"example", []string{"paths", "/books", "post", "requestBody", "content", "application/json", "example"}, `{"title":"Emma"}`},
		{"security", []string{"paths", "/books", "get", "security"}, `[{"ApiKey":[]}]`},
		{"no security", []string{"paths", "/health", "get", "security"}, `null`},
		{"security scheme", []string{"components", "securitySchemes", "ApiKey"},
			`{"description":"The API key of a workspace.","in":"header","name":"X-API-KEY","type":"apiKey"}`},
		{"success", []string{"paths", "/books", "post", "responses", "207", "content", "application/json", "schema"}, `{"$ref":"#/components/schemas/BookResponse"}`},
		{"no content", []string{"paths", "/books/{id}/isbns/{source}/{number}", "delete", "responses", "204"}, `{"description":"No Content"}`},
		{"error", []string{"components", "responses", "422", "content", "application/json", "schema"}, `{"$ref":"#/components/schemas/ErrorResponse"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got bytes.Buffer
			encoder := json.NewEncoder(&got)
			encoder.SetEscapeHTML(false)
			if err := encoder.Encode(at(document, tt.path...)); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, strings.TrimSpace(got.String())); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	statuses := func(path, method string) (list []string) {
		for status := range at(document, "paths", path, method, "responses").(map[string]any) {
			list = append(list, status)
		}
		slices.Sort(list)
		return list
	}
	if diff := cmp.Diff([]string{"200", "401", "403", "422", "429", "500"}, statuses("/books", "get")); diff != "" {
		t.Errorf("statuses of a list (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"201", "207", "400", "401", "403", "409", "413", "415", "422", "500"}, statuses("/books", "post")); diff != "" {
		t.Errorf("statuses of a create (-want +got):\n%s", diff)
	}
}

func TestOpenAPIKeepsOrderOfMembers(t *testing.T) {
	t.Parallel()
	text, err := newLibrary(t).OpenAPI()
	if err != nil {
		t.Fatal(err)
	}
	_, members, _ := strings.Cut(string(text), `"CreateBookRequest":{`)
	last := 0
	for _, name := range []string{`"title":`, `"year":`, `"price":`, `"lent":`, `"copies":`, `"owner_id":`} {
		if i := strings.Index(members, name); i < last {
			t.Errorf("%s is at %d, before the member before it", name, i)
		} else {
			last = i
		}
	}
}

func TestCheckOps(t *testing.T) {
	t.Parallel()
	type none struct{}
	ok := rest.Op{Method: "GET", Path: "/a", ID: "A", Summary: "A", Tag: "T",
		Handler: rest.Handle(func(context.Context, *none) (*none, error) { return nil, nil })}
	with := func(change func(*rest.Op)) []rest.Op {
		op := ok
		change(&op)
		return []rest.Op{op}
	}
	raw := func(in any) rest.Handler {
		return rest.Raw(in, nil, func(http.ResponseWriter, *rest.Request) error { return nil })
	}
	tests := []struct {
		name string
		ops  []rest.Op
		want string
	}{
		{"fine", []rest.Op{ok}, ""},
		{"the fixture", books(), ""},
		{"output that cannot be documented", with(func(op *rest.Op) {
			op.Handler = rest.Handle(func(context.Context, *none) (*struct {
				C chan int `json:"c"`
			}, error) {
				return nil, nil
			})
		}), "type is not supported"},
		{"same id", append(with(func(op *rest.Op) { op.Path = "/b" }), ok), "the same id A"},
		{"same place", append(with(func(op *rest.Op) { op.ID = "B" }), ok), "the same GET /a"},
		{"same place under other names", []rest.Op{
			{Method: "GET", Path: "/{x}", ID: "X", Summary: "X", Tag: "T", Handler: raw(nil)},
			{Method: "GET", Path: "/{y}", ID: "Y", Summary: "Y", Tag: "T", Handler: raw(nil)}}, "the same GET /{}"},
		{"no summary", with(func(op *rest.Op) { op.Summary = "" }), "id, summary or tag is missing"},
		{"no handler", with(func(op *rest.Op) { op.Handler = rest.Handler{} }), "no handler"},
		{"unknown method", with(func(op *rest.Op) { op.Method = "get" }), `method "get"`},
		{"status", with(func(op *rest.Op) { op.Status = 404 }), "status 404 is no success"},
		{"limit without key", with(func(op *rest.Op) { op.Auth, op.Limit = rest.AuthNone, "l" }), "needs authentication"},
		{"media type for a typed handler", with(func(op *rest.Op) { op.Accept = []string{"text/csv"} }), "only a raw handler"},
		{"no slash", with(func(op *rest.Op) { op.Path = "a" }), "does not start with a slash"},
		{"two greedy", with(func(op *rest.Op) { op.Path = "/{a...}/{b...}" }), "two greedy"},
		{"half a parameter", with(func(op *rest.Op) { op.Path = "/a{b}" }), "neither a literal nor a parameter"},
		{"no name", with(func(op *rest.Op) { op.Path = "/{}" }), "no proper name"},
		{"too many parameters", with(func(op *rest.Op) { op.Path = strings.Repeat("/{a}", 7) }), "more than 6"},
		{"parameter without field", with(func(op *rest.Op) { op.Path = "/{a}" }), "the path has the parameters [a], the input []"},
		{"field without parameter", with(func(op *rest.Op) {
			op.Handler = raw(struct {
				B int `path:"b"`
			}{})
		}), "the path has the parameters [], the input [b]"},
	}
	inputs := []struct {
		name string
		in   any
		want string
	}{
		{"type that cannot be bound", struct {
			A any `json:"a"`
		}{}, "type interface {} cannot be bound"},
		{"map with other keys", struct {
			A map[int]string `json:"a"`
		}{}, "its key is not a string"},
		{"rule of another type", struct {
			A int `json:"a" minLength:"1"`
		}{}, "does not suit the type"},
		{"item rule on a scalar", struct {
			A string `json:"a" items.minLength:"1"`
		}{}, "does not suit the type"},
		{"rule on a type that checks itself", struct {
			A cover `json:"a" enum:"x"`
		}{}, "does not suit the type"},
		{"rule that nobody checks", struct {
			A []int `json:"a" uniqueItems:"true"`
		}{}, "uniqueItems is not supported"},
		{"malformed rule", struct {
			A int `json:"a" minimum:"x"`
		}{}, "tag minimum"},
		{"malformed pattern", struct {
			A string `json:"a" pattern:"("`
		}{}, "tag pattern"},
		{"default that breaks a rule", struct {
			A int `json:"a" minimum:"1" default:"0"`
		}{}, "tag default"},
		{"parameter of a type that cannot be one", struct {
			A chapter `query:"a"`
		}{}, "cannot be a parameter"},
	}
	for _, in := range inputs {
		t.Run("input: "+in.name, func(t *testing.T) {
			t.Parallel()
			if err := rest.CheckInput(in.in); err == nil || !strings.Contains(err.Error(), in.want) {
				t.Errorf("error = %v, want %q", err, in.want)
			}
		})
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			err := rest.CheckOps(tt.ops)
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("error = %v, want %q", err, tt.want)
			}
		})
	}
	if _, err := rest.New([]rest.Op{ok}, rest.Options{}); err == nil {
		t.Error("an operation with a key was accepted without an authenticator")
	}
}

func TestUndocumented(t *testing.T) {
	t.Parallel()
	want := []string{"RenderBook: name", "RenderBook: lines", "Track: event"}
	if diff := cmp.Diff(want, rest.Undocumented(books())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
