package app_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/check"
)

// wireSpan is a span of a trace as clients read it.
type wireSpan struct {
	Name     string
	SpanID   string  `json:"span_id"`
	ParentID *string `json:"parent_id"`
	LogID    *int64  `json:"request_log_id"`
	Status   struct {
		Code string `json:"status_code"`
	}
	Attributes map[string]any
}

// trace returns the spans of a trace by name once its root has ended, which is
// called root.
func (p *program) trace(id string) map[string]wireSpan {
	p.t.Helper()
	spans := map[string]wireSpan{}
	check.Eventually(p.t, "the trace ends", func() bool {
		if p.find("traces", id)["total"] == 0.0 {
			return false
		}
		var got struct{ Spans []wireSpan }
		check.OK(p.t, json.NewDecoder(p.send(http.MethodGet, "/api/public/v2/traces/"+id, "")).Decode(&got))
		for _, span := range got.Spans {
			if span.ParentID == nil {
				span.Name = "root"
			}
			spans[span.Name] = span
		}
		return spans["root"].Status.Code == "StatusCode.OK"
	})
	return spans
}

// find searches for what belongs to a trace.
func (p *program) find(what, trace string) map[string]any {
	p.t.Helper()
	return p.object(http.MethodPost, "/api/public/v2/"+what+"/search", fmt.Sprintf(`{"filter_group":{"filters":[{"field":"trace_id","operator":"is","value":%q}]}}`, trace))
}

// echoModel answers every question with yes.
func echoModel(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"id":"1","model":"mistral-small-latest","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"yes"}}],`+
			`"usage":{"prompt_tokens":1000,"completion_tokens":500,"total_tokens":1500}}`)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

const promptNode = `"configuration":{"inline_template":` + trial + `}`

// TestTracesOfRuns runs a workflow with another one in it, and an evaluation with
// that workflow in a column.
func TestTracesOfRuns(t *testing.T) {
	t.Parallel()
	p := startProgram(t, t.TempDir())
	defer p.end()
	p.configure(echoModel(t))
	p.object(http.MethodPost, "/rest/workflows", `{"name":"inner","required_input_variables":{"v":"string"},"nodes":[
		{"name":"ask","node_type":"PROMPT_TEMPLATE",`+promptNode+`,"is_output_node":true}]}`)
	p.object(http.MethodPost, "/rest/workflows", `{"name":"outer","required_input_variables":{"v":"string"},"nodes":[
		{"name":"first","node_type":"PROMPT_TEMPLATE",`+promptNode+`,"dependencies":["v"],"is_output_node":false},
		{"name":"nested","node_type":"WORKFLOW","configuration":{"workflow_name":"inner","input_mappings":{"v":"first"}},"is_output_node":true}]}`)
	started := p.object(http.MethodPost, "/workflows/outer/run", `{"input_variables":{"v":"x"},"metadata":{"user_id":"ann"}}`)
	p.checkTrace(started, map[string]string{
		"first: prompt_template": "root", "nested: workflow": "root", "Workflow Run": "nested: workflow", "ask: prompt_template": "Workflow Run",
	}, "first: prompt_template", "ask: prompt_template")
	p.checkSource(started, "workflow")
	listed := p.object(http.MethodGet, "/workflows/outer/executions", "")["items"].([]any)[0].(map[string]any)
	check.Equal(t, "trace in the list", listed["trace_id"], started["trace_id"])

	evaluated := p.evaluate(`{"name":"asked","column_type":"PROMPT_TEMPLATE",` + promptNode + `},
		{"name":"called","column_type":"WORKFLOW","configuration":{"workflow_name":"inner","input_mappings":{"v":"asked"}}},
		{"name":"short","column_type":"COUNT","configuration":{"source":"called","type":"chars"}}`)
	p.checkTrace(evaluated, map[string]string{
		"Row 1": "root", "asked: prompt_template": "Row 1", "called: workflow": "Row 1", "Workflow Run": "called: workflow", "ask: prompt_template": "Workflow Run",
	}, "asked: prompt_template", "ask: prompt_template")
	p.checkSource(evaluated, "evaluation")
	report := p.object(http.MethodGet, fmt.Sprintf("/reports/%v", evaluated["report_id"]), "")["report"].(map[string]any)
	check.Equal(t, "trace of the report", report["trace_id"], evaluated["trace_id"])
}

// checkSource checks the source of both requests of a run, which have no key: a job
// has made them.
func (p *program) checkSource(run map[string]any, want string) {
	p.t.Helper()
	items := p.find("requests", run["trace_id"].(string))["items"].([]any)
	check.Equal(p.t, "requests", len(items), 2)
	for _, item := range items {
		log := item.(map[string]any)
		check.Equal(p.t, "source and key", []any{log["source"], log["api_key_id"]}, []any{want, nil})
	}
}

// evaluate runs an evaluation of one row.
func (p *program) evaluate(columns string) map[string]any {
	p.t.Helper()
	group := p.object(http.MethodPost, "/api/public/v2/dataset-groups", `{"name":"d"}`)["dataset_group"].(map[string]any)["id"]
	p.object(http.MethodPost, "/api/public/v2/dataset-versions/draft-rows", fmt.Sprintf(`{"dataset_group_id":%v,"add_columns":["v"],"add":[{"v":"x"}]}`, group))
	p.object(http.MethodPost, "/api/public/v2/dataset-versions/save-draft", fmt.Sprintf(`{"dataset_group_id":%v}`, group))
	report := p.object(http.MethodPost, "/reports", fmt.Sprintf(`{"name":"e","dataset_group_id":%v,"columns":[%s]}`, group, columns))["report_id"]
	return p.object(http.MethodPost, fmt.Sprintf("/reports/%v/run", report), `{"name":"r"}`)
}

// checkTrace checks the trace of a run of two model calls: what is below what,
// and that costs and tokens are those of the requests.
func (p *program) checkTrace(run map[string]any, parents map[string]string, asked ...string) {
	p.t.Helper()
	id := run["trace_id"].(string)
	spans := p.trace(id)
	for name, parent := range parents {
		if own := spans[name].ParentID; own == nil || *own != spans[parent].SpanID {
			p.t.Errorf("%s is not below %s: %+v", name, parent, spans)
		}
	}
	for _, name := range asked {
		if spans[name].LogID == nil {
			p.t.Errorf("%s has no request", name)
		}
	}
	requests := p.find("requests", id)
	check.Equal(p.t, "requests", requests["total"].(float64), 2)
	cost := 0.0
	for _, one := range requests["items"].([]any) {
		cost += one.(map[string]any)["price"].(float64)
		check.Equal(p.t, "trace of the request", one.(map[string]any)["trace_id"].(string), id)
	}
	trace := p.find("traces", id)["items"].([]any)[0].(map[string]any)
	check.Equal(p.t, "cost and tokens", []any{trace["cost"], trace["total_tokens"], trace["models"]}, []any{cost, 3000.0, []any{"mistral-small-latest"}})
}

// TestRequestsOfRunsAreCountedOnce compares the analytics of requests and traces.
func TestRequestsOfRunsAreCountedOnce(t *testing.T) {
	t.Parallel()
	p := startProgram(t, t.TempDir())
	defer p.end()
	p.configure(echoModel(t))
	p.object(http.MethodPost, "/rest/workflows", `{"name":"w","nodes":[{"name":"ask","node_type":"PROMPT_TEMPLATE",`+promptNode+`,"is_output_node":true}]}`)
	for range 3 {
		p.trace(p.object(http.MethodPost, "/workflows/w/run", `{}`)["trace_id"].(string))
	}
	sum := func(path, field string) float64 {
		var answer struct {
			CustomCharts []struct{ Data []struct{ Value float64 } }
		}
		body := `{"customCharts":[{"id":"a","chartType":"bar","metric":"sum","metricField":"` + field + `"}]}`
		check.OK(t, json.NewDecoder(p.send(http.MethodPost, path, body)).Decode(&answer))
		return answer.CustomCharts[0].Data[0].Value
	}
	check.Equal(t, "tokens of traces", sum("/api/public/v2/traces/analytics/custom-analytics", "trace_total_tokens"), 4500)
	check.Equal(t, "tokens of spans", sum("/api/public/v2/traces/analytics/custom-analytics", "span_tokens"), 4500)
	check.Equal(t, "tokens of requests", sum("/api/public/v2/requests/analytics/custom-analytics", "output_tokens"), 1500)
	p.object(http.MethodPost, "/log-request", `{"provider":"openai","model":"m","request_start_time":"`+time.Now().UTC().Format(time.RFC3339)+`","request_end_time":"`+time.Now().UTC().Format(time.RFC3339)+`",
		"input":{"type":"chat","messages":[]},"output":{"type":"chat","messages":[]}}`)
	stats := p.object(http.MethodPost, "/api/public/v2/requests/analytics", `{}`)["stats"].([]any)[0].(map[string]any)
	check.Equal(t, "requests and how many of them have a trace", []any{stats["requests"], stats["traceShare"]}, []any{4.0, 0.75})
}
