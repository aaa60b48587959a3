package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/check"
)

// guardedTest is an A/B test on the wire.
type guardedTest struct {
	ABTest struct {
		ID      int64 `json:"id"`
		Weights []struct {
			Version int64   `json:"version_number"`
			Weight  float64 `json:"weight"`
		} `json:"weights"`
		Segments []struct {
			Weights []struct {
				Weight float64 `json:"weight"`
			} `json:"weights"`
		} `json:"segments"`
		Stopped *struct {
			Version int64  `json:"version_number"`
			Reason  string `json:"reason"`
		} `json:"stopped"`
	} `json:"ab_test"`
}

func (w *world) abTest(t *testing.T, method, path, body string) (found guardedTest) {
	t.Helper()
	got, err := w.send("root", method, "/api/public/v2/ab-tests"+path, []byte(body))
	check.OK(t, err)
	if got.status >= http.StatusBadRequest {
		t.Fatalf("%s %s is answered with %d %s", method, path, got.status, got.body)
	}
	check.OK(t, json.Unmarshal(got.body, &found))
	return found
}

// logArms logs requests of versions 1 and 2, of which half of those of version 2 fail.
func (w *world) logArms(t *testing.T) {
	t.Helper()
	var requests []string
	for i := range 200 {
		at := w.clock.Now().Add(time.Duration(i) * time.Second)
		status := ""
		if i%4 == 1 {
			status = `,"status":"ERROR","error_type":"UNKNOWN_ERROR","error_message":"down"`
		}
		requests = append(requests, fmt.Sprintf(`{"provider":"openai","model":"gpt-4o","input":{"type":"chat","messages":[]},"output":{"type":"chat","messages":[]},`+
			`"request_start_time":%q,"request_end_time":%q,"price":0.1,"prompt_name":"welcome","prompt_version_number":%d%s}`,
			at.Format(time.RFC3339), at.Add(time.Second).Format(time.RFC3339), 1+i%2, status))
	}
	got, err := w.send("root", http.MethodPost, "/log-requests", []byte(`{"requests":[`+strings.Join(requests, ",")+`]}`))
	check.OK(t, err)
	check.Equal(t, "status", got.status, http.StatusCreated)
}

// TestReleaseGuard lets the guard of an A/B test stop it, because its second version
// fails more often than agreed.
func TestReleaseGuard(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	addKey(t, w, "root", home, access.Owner)
	hook, err := w.send("root", http.MethodPost, "/api/public/v2/webhooks", []byte(`{"name":"guard","url":"https://hooks.example.com/in","events":["ab_test_stopped"]}`))
	check.OK(t, err)
	check.Equal(t, "status", hook.status, http.StatusCreated)
	const split = `"weights":[{"version_number":1,"weight":20},{"version_number":2,"weight":80}],"segments":[{"match":{"team":["a"]},"weights":[{"version_number":2,"weight":100}]}]`
	test := w.abTest(t, http.MethodPost, "", `{"name":"guarded","prompt_id":910001,"release_label":"prod",`+split+`,"guard":{"max_error_rate_increase":0.3}}`)
	path := fmt.Sprint("/", test.ABTest.ID)

	w.logArms(t)
	w.clock.Advance(time.Hour)
	var got guardedTest
	for deadline := time.Now().Add(30 * time.Second); got.ABTest.Stopped == nil; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the test was not stopped")
		}
		got = w.abTest(t, http.MethodGet, path, "")
	}
	check.Equal(t, "reason", got.ABTest.Stopped.Reason, "Version 2 fails more often than version 1 (50% against 0%).")
	check.Equal(t, "version", got.ABTest.Stopped.Version, 2)
	check.Equal(t, "weights", fmt.Sprint(got.ABTest.Weights), "[{1 100} {2 0}]")
	check.Equal(t, "weights of the segment", fmt.Sprint(got.ABTest.Segments), "[{[{100} {0}]}]")
	newest := w.entries(t, "root", "limit=1")[0]
	check.Equal(t, "audit entry", newest.ActorKind+" "+newest.Action+" "+newest.SubjectKind, "program publish ab_test")

	list, err := w.send("root", http.MethodGet, "/api/public/v2/webhook-deliveries", nil)
	check.OK(t, err)
	var sent struct{ Deliveries []struct{ ID int64 } }
	check.OK(t, json.Unmarshal(list.body, &sent))
	if len(sent.Deliveries) != 1 {
		t.Fatalf("%d notices were sent, want 1", len(sent.Deliveries))
	}
	notices, err := w.send("root", http.MethodGet, fmt.Sprint("/api/public/v2/webhook-deliveries/", sent.Deliveries[0].ID), nil)
	check.OK(t, err)
	for _, part := range []string{"ab_test_stopped", "welcome", "Version 2 fails more often than version 1"} {
		if !strings.Contains(string(notices.body), part) {
			t.Errorf("the notice is %s, without %s", notices.body, part)
		}
	}

	// The evidence stays, and a person can start it again.
	results, err := w.send("root", http.MethodGet, "/api/public/v2/ab-tests"+path+"/results", nil)
	check.OK(t, err)
	if !strings.Contains(string(results.body), got.ABTest.Stopped.Reason) {
		t.Errorf("the results of the stopped test are %s", results.body)
	}
	again := w.abTest(t, http.MethodPatch, path, `{`+split+`}`)
	check.Equal(t, "weights", fmt.Sprint(again.ABTest.Weights), "[{1 20} {2 80}]")
	check.Equal(t, "stopped", again.ABTest.Stopped == nil, true)
}
