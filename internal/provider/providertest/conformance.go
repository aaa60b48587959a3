package providertest

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// RoundTrips checks that decoding arguments into the type of a client library
// and encoding them again changes nothing.
func RoundTrips(t *testing.T, payload any, params any) {
	t.Helper()
	text, err := json.Marshal(payload)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, params); err != nil {
		t.Fatalf("the client cannot read %s: %v", text, err)
	}
	sent, err := json.Marshal(params)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(payload, Decode(t, sent)); diff != "" {
		t.Errorf("(-payload +sent by the client):\n%s", diff)
	}
}

// cut removes the value at a path of keys and indexes from a payload.
func cut(t *testing.T, payload any, path string) any {
	t.Helper()
	step, rest, deeper := strings.Cut(path, ".")
	switch parent := payload.(type) {
	case map[string]any:
		if deeper {
			return cut(t, parent[step], rest)
		}
		found := parent[step]
		delete(parent, step)
		return found
	case []any:
		if i, err := strconv.Atoi(step); err == nil && deeper && i < len(parent) {
			return cut(t, parent[i], rest)
		}
	}
	t.Fatalf("no %s in %v", path, payload)
	return nil
}

// Apart is a part of a payload that a client library decodes wrongly in place,
// because it cannot distinguish the alternatives, with the correct type.
type Apart struct {
	Path   string
	Params any
}

// EachRoundTrips is like RoundTrips for the parts and the rest.
func EachRoundTrips(t *testing.T, payload any, params any, parts []Apart) {
	t.Helper()
	for _, part := range parts {
		RoundTrips(t, cut(t, payload, part.Path), part.Params)
	}
	RoundTrips(t, payload, params)
}

// Record starts a server that records the body of a request.
func Record(t *testing.T, answer string) (address string, body func() map[string]any) {
	t.Helper()
	bodies := make(chan []byte, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		bodies <- got
		w.Header().Set("Content-Type", "application/json")
		if _, err := io.WriteString(w, answer); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL, func() map[string]any { return Decode(t, <-bodies).(map[string]any) }
}
