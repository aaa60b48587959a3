package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const tracesPath = "/api/public/v2/traces/"

// recorded is a trace that a client recorded.
type recorded struct {
	ID       string   `json:"id"`
	Result   any      `json:"result"`
	Failures []string `json:"failures"`
}

// storedTrace is a trace as the server returns it.
type storedTrace struct {
	Spans []storedSpan `json:"spans"`
}

type storedSpan struct {
	Name     string  `json:"name"`
	SpanID   string  `json:"span_id"`
	ParentID *string `json:"parent_id"`
	Kind     string  `json:"kind"`
	Status   struct {
		Code        string  `json:"status_code"`
		Description *string `json:"description"`
	} `json:"status"`
	Attributes map[string]any `json:"attributes"`
	RequestLog *int64         `json:"request_log_id"`
}

// tracedLog is the request log of a span.
type tracedLog struct {
	Provider string  `json:"provider"`
	Model    string  `json:"model"`
	Tokens   int64   `json:"tokens"`
	Price    float64 `json:"price"`
	TraceID  string  `json:"trace_id"`
}

// checkTrace compares a stored trace with a text: a line for each span, with the
// name of its parent, its kind, its status, and its request log, in alphabetical
// order.
func checkTrace(t *testing.T, p *program, id, want string) storedTrace {
	t.Helper()
	found := mustDecode[storedTrace](t, p.get(t, tracesPath+id))
	names := map[string]string{}
	for _, span := range found.Spans {
		names[span.SpanID] = span.Name
	}
	var lines []string
	for _, span := range found.Spans {
		line := span.Name
		if span.ParentID != nil {
			line += " in " + names[*span.ParentID]
		}
		line += ", " + strings.TrimPrefix(span.Kind, "SpanKind.") + " " + strings.TrimPrefix(span.Status.Code, "StatusCode.")
		if span.Status.Description != nil {
			line += " (" + *span.Status.Description + ")"
		}
		if span.RequestLog != nil {
			log := mustDecode[tracedLog](t, p.get(t, fmt.Sprint(requestsPath, *span.RequestLog)))
			line += fmt.Sprintf(": %s %s, %d tokens, %.6f", log.Provider, log.Model, log.Tokens, log.Price)
			if log.TraceID != id {
				t.Errorf("the trace of the request log is %q, want %q", log.TraceID, id)
			}
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	if diff := cmp.Diff(strings.Split(strings.TrimSpace(want), "\n"), lines); diff != "" {
		t.Errorf("trace (-want +got):\n%s", diff)
	}
	return found
}

func TestTracesOfJavaScript(t *testing.T) {
	t.Parallel()
	p := start(t, t.TempDir(), "--otlp-grpc-addr", "127.0.0.1:0")
	got := runDriver[struct {
		Wrapped  recorded            `json:"wrapped"`
		Run      recorded            `json:"run"`
		Failed   recorded            `json:"failed"`
		Exported map[string]recorded `json:"exported"`
	}](t, nil, "traces.mjs", p.address, testKey, p.printed(t, "OTLP over gRPC is on "))

	t.Run("wrapped functions", func(t *testing.T) {
		found := checkTrace(t, p, got.Wrapped.ID, `
agent, INTERNAL OK
lookup in agent, INTERNAL OK
openai.openai.chat.completions.create in agent, INTERNAL UNSET: openai gpt-4o-mini, 28 tokens, 0.000007`)
		for _, span := range found.Spans {
			if span.Name == "agent" && (span.Attributes["customer"] != "Acme" || span.Attributes["function_output"] != `"found zqkey1"`) {
				t.Errorf("the span has the attributes %v", span.Attributes)
			}
		}
	})
	t.Run("run", func(t *testing.T) {
		found := checkTrace(t, p, got.Run.ID, "PromptLayer Run in runner, INTERNAL UNSET: openai gpt-4o, 28 tokens, 0.000116\nrunner, INTERNAL OK")
		for _, span := range found.Spans {
			if log := span.RequestLog; log != nil && float64(*log) != got.Run.Result {
				t.Errorf("the request log of the run is %d, and the client says %v", *log, got.Run.Result)
			}
		}
	})
	t.Run("failure", func(t *testing.T) {
		checkTrace(t, p, got.Failed.ID, "broken in failing, INTERNAL ERROR (zqbroken)\nfailing, INTERNAL OK")
	})
	for _, name := range []string{"protobuf", "packed", "json", "grpc", "grpcPacked", "environment"} {
		t.Run("exporter "+name, func(t *testing.T) {
			if failures := got.Exported[name].Failures; len(failures) > 0 {
				t.Errorf("the exporter failed: %v", failures)
			}
			checkTrace(t, p, got.Exported[name].ID, exportedTrace)
		})
	}
	t.Run("without a key", func(t *testing.T) {
		for name, want := range map[string]string{"stranger": "Unauthorized", "grpcStranger": "UNAUTHENTICATED: Invalid or missing API key"} {
			if failures := got.Exported[name].Failures; len(failures) != 1 || !strings.Contains(failures[0], want) {
				t.Errorf("the exporter without a key reports %q, want %q", failures, want)
			}
		}
	})
}

// printed returns what follows a text in the output of the program, up to the end
// of the line.
func (p *program) printed(t *testing.T, text string) string {
	t.Helper()
	_, rest, found := strings.Cut(p.stdout.String(), text)
	if !found {
		t.Fatalf("the program did not print %q", text)
	}
	line, _, _ := strings.Cut(rest, "\n")
	return strings.TrimSpace(line)
}

// exportedTrace is the agent that traces.mjs records with an exporter.
const exportedTrace = `
chat gpt-4o in invoke_agent helper, CLIENT UNSET: openai gpt-4o, 110 tokens, 0.000350
execute_tool lookup in invoke_agent helper, INTERNAL ERROR (no such key)
invoke_agent helper, INTERNAL UNSET`
