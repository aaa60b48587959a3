package rest_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/rest"
)

type branchRequest struct {
	Branch *int64 `query:"branch" minimum:"1" description:"Branch of the library."`
}

func (in *branchRequest) Scope() *int64 { return in.Branch }

type branchKey struct{}

func branchOf(ctx context.Context) int64 {
	branch, _ := ctx.Value(branchKey{}).(int64)
	return branch
}

type branchResponse struct {
	Branch int64 `json:"branch" required:"true" description:"Branch that the handler sees."`
}

// branchOps has one operation for each kind of handler. All return the branch
// that they see.
func branchOps() []rest.Op {
	handlers := map[string]rest.Handler{
		"/typed": rest.Handle(func(ctx context.Context, _ *branchRequest) (*branchResponse, error) {
			return &branchResponse{branchOf(ctx)}, nil
		}),
		"/bound": rest.RawBound(branchResponse{}, func(w http.ResponseWriter, r *rest.Request, _ *branchRequest) error {
			return rest.WriteJSON(w, http.StatusOK, branchResponse{branchOf(r.Context())})
		}),
		"/raw": rest.Raw(branchRequest{}, branchResponse{}, func(w http.ResponseWriter, r *rest.Request) error {
			var in branchRequest
			if err := r.Bind(&in); err != nil {
				return err
			}
			return rest.WriteJSON(w, http.StatusOK, branchResponse{branchOf(r.Context())})
		}),
	}
	var ops []rest.Op
	for path, handler := range handlers {
		ops = append(ops, rest.Op{
			Method: http.MethodGet, Path: path, ID: path[1:], Tag: "Branches", Summary: "Show the branch", Auth: rest.AuthNone, Handler: handler,
		})
	}
	return ops
}

func enterBranch(ctx context.Context, branch int64) (context.Context, error) {
	if branch > 10 {
		return ctx, fault.NotFoundf("Branch %d not found", branch)
	}
	return context.WithValue(ctx, branchKey{}, branch), nil
}

func TestScope(t *testing.T) {
	t.Parallel()
	router, err := rest.New(branchOps(), rest.Options{Enter: enterBranch})
	check.OK(t, err)
	for _, op := range branchOps() {
		for query, want := range map[string]string{
			"": `{"branch":0}`, "?branch=7": `{"branch":7}`,
			"?branch=11": `{"success":false,"message":"Branch 11 not found","error":"not_found"}`,
		} {
			w := httptest.NewRecorder()
			router.ServeHTTP(w, httptest.NewRequest(http.MethodGet, op.Path+query, nil))
			check.Equal(t, op.Path+query, strings.TrimSpace(w.Body.String()), want)
		}
		w := httptest.NewRecorder()
		router.ServeHTTP(w, httptest.NewRequest(http.MethodGet, op.Path+"?branch=0", nil))
		check.Equal(t, "the status of an invalid branch", w.Code, http.StatusUnprocessableEntity)
	}
	text, err := router.OpenAPI()
	check.OK(t, err)
	var document struct {
		Paths map[string]map[string]struct{ Responses map[string]any }
	}
	check.OK(t, json.Unmarshal(text, &document))
	for path, methods := range document.Paths {
		if methods["get"].Responses["404"] == nil {
			t.Errorf("%s does not document that the scope may be unknown", path)
		}
	}
}

func TestScopeNeedsEnter(t *testing.T) {
	t.Parallel()
	if _, err := rest.New(branchOps(), rest.Options{}); err == nil || !strings.Contains(err.Error(), "Options.Enter") {
		t.Errorf("got %v", err)
	}
}
