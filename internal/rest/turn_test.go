package rest_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/rest"
)

// TestLargeBodiesTakeTurns checks who has to wait for a turn, and when the turn
// ends: before the handler runs, unless the operation computes.
func TestLargeBodiesTakeTurns(t *testing.T) {
	t.Parallel()
	large := `{"text":"` + strings.Repeat("x", 70<<10) + `"}`
	tests := []struct {
		name, body string
		computes   bool
		want       string
		accept     []string
	}{
		{"small", `{"text":"x"}`, false, "handle", nil},
		{"large", large, false, "take end handle", nil},
		{"large, computing", large, true, "take handle end", nil},
		{"large, computing, not JSON", large, true, "take handle end", []string{"application/x-protobuf"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var events []string
			note := func(event string) { events = append(events, event) }
			type input struct {
				Text string `json:"text" description:"Any text."`
			}
			op := rest.Op{
				Method: http.MethodPost, Path: "/texts", ID: "text", Summary: "Text", Tag: "Texts", Auth: rest.AuthNone, Computes: test.computes,
				Accept: test.accept,
				Handler: rest.Raw(input{}, nil, func(w http.ResponseWriter, _ *rest.Request) error {
					note("handle")
					w.WriteHeader(http.StatusNoContent)
					return nil
				}),
			}
			router, err := rest.New([]rest.Op{op}, rest.Options{Share: func(context.Context) (func(), error) {
				note("take")
				ended := false
				return func() {
					if !ended {
						note("end")
					}
					ended = true
				}, nil
			}})
			if err != nil {
				t.Fatal(err)
			}
			call(router, test.body, test.accept...)
			if got := strings.Join(events, " "); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestRefusedTurn has a queue without room.
func TestRefusedTurn(t *testing.T) {
	t.Parallel()
	op := rest.Op{
		Method: http.MethodPost, Path: "/texts", ID: "text", Summary: "Text", Tag: "Texts", Auth: rest.AuthNone,
		Handler: rest.Raw(struct {
			Text string `json:"text" description:"Any text."`
		}{}, nil, func(http.ResponseWriter, *rest.Request) error {
			t.Error("the handler was called")
			return nil
		}),
	}
	router, err := rest.New([]rest.Op{op}, rest.Options{Share: func(context.Context) (func(), error) {
		return nil, fault.New(fault.RateLimited, "full")
	}})
	if err != nil {
		t.Fatal(err)
	}
	if status := call(router, `{"text":"`+strings.Repeat("x", 70<<10)+`"}`); status != http.StatusTooManyRequests {
		t.Errorf("status %d, want 429", status)
	}
}

func call(router http.Handler, body string, mediaType ...string) int {
	answer := httptest.NewRecorder()
	request := httptest.NewRequest(http.MethodPost, "/texts", strings.NewReader(body))
	request.Header.Set("Content-Type", append(mediaType, "application/json")[0])
	router.ServeHTTP(answer, request)
	return answer.Code
}
