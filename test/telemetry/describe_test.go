package telemetry

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// shownSpan is what a golden file has of a span: everything but ids, times and
// what differs from run to run.
type shownSpan struct {
	Name       string           `json:"name"`
	Parent     string           `json:"parent,omitempty"`
	Kind       string           `json:"kind"`
	Status     string           `json:"status"`
	Message    string           `json:"message,omitempty"`
	Attributes json.RawMessage  `json:"attributes,omitempty"`
	Events     []string         `json:"events,omitempty"`
	Links      int              `json:"links,omitempty"`
	Index      reqlog.SpanIndex `json:"index"`
	Log        *shownLog        `json:"log,omitempty"`
}

// shownLog is what a golden file has of a log.
type shownLog struct {
	Provider     string            `json:"provider"`
	Model        string            `json:"model"`
	APIType      string            `json:"api_type,omitempty"`
	Function     string            `json:"function"`
	Usage        map[string]int64  `json:"usage,omitempty"`
	Price        string            `json:"price,omitempty"`
	Parameters   json.RawMessage   `json:"parameters,omitempty"`
	Input        json.RawMessage   `json:"input"`
	Output       json.RawMessage   `json:"output"`
	Status       string            `json:"status"`
	ErrorType    string            `json:"error_type,omitempty"`
	ErrorMessage string            `json:"error_message,omitempty"`
	Metadata     map[string]string `json:"metadata,omitempty"`
	Prompt       string            `json:"prompt,omitempty"`
}

// describe returns the spans ordered by name.
func describe(t *testing.T, c *collector) []byte {
	t.Helper()
	names := map[string]string{}
	for _, span := range c.spans {
		names[span.SpanID] = span.Name
	}
	spans := make([]shownSpan, len(c.spans))
	for i, span := range c.spans {
		spans[i] = showSpan(t, span, names)
		spans[i].Log = showLog(c.logs[i])
	}
	slices.SortFunc(spans, func(a, b shownSpan) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Parent, b.Parent), cmp.Compare(asJSON(t, a), asJSON(t, b)))
	})
	text, err := json.MarshalIndent(spans, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return append(text, '\n')
}

// asJSON orders spans that have the same name.
func asJSON(t *testing.T, s shownSpan) string {
	t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func showSpan(t *testing.T, s *reqlog.Span, names map[string]string) shownSpan {
	t.Helper()
	if s.End < s.Start || s.TraceID == "" {
		t.Errorf("span %+v", s)
	}
	shown := shownSpan{
		Name: s.Name, Parent: names[s.ParentID], Kind: s.Kind, Status: s.Status, Message: s.StatusMessage,
		Index: s.Index,
	}
	shown.Index.ExceptionText, _, _ = strings.Cut(s.Index.ExceptionText, "\n    at ") // without the stack
	var events []struct{ Name string }
	decode(t, s.Events, &events)
	for _, event := range events {
		shown.Events = append(shown.Events, event.Name)
	}
	var links []any
	decode(t, s.Links, &links)
	if shown.Links = len(links); strings.Contains(string(s.Attributes), `"otel.scope.name":"manual"`) {
		shown.Attributes = s.Attributes
	}
	return shown
}

func decode(t *testing.T, text []byte, into any) {
	t.Helper()
	if len(text) == 0 {
		return
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}

func showLog(in *reqlog.LogInput) *shownLog {
	if in == nil {
		return nil
	}
	l := in.Log
	shown := &shownLog{
		Provider: l.Provider, Model: l.Engine, APIType: l.APIType, Function: l.FunctionName, Usage: showUsage(l.Usage), Parameters: l.Parameters,
		Input: l.Input, Output: l.Output, Status: l.Status, ErrorType: l.ErrorType, ErrorMessage: l.ErrorMessage, Metadata: map[string]string{},
	}
	if l.Price.Known() {
		shown.Price = fmt.Sprintf("%v %s", l.Price.USD, l.Price.Source)
	}
	for _, m := range l.Metadata {
		shown.Metadata[m.Key] = string(m.Value)
	}
	if in.PromptGiven {
		shown.Prompt = fmt.Sprintf("%s version %d", in.Prompt.Name, in.Prompt.Version)
	}
	return shown
}

func showUsage(u provider.Usage) map[string]int64 {
	counts := map[string]int64{}
	for name, count := range map[string]provider.Count{
		"input": u.Input, "output": u.Output, "cache_read": u.CacheRead, "cache_write": u.CacheWrite, "reasoning": u.Reasoning,
	} {
		if count.Given {
			counts[name] = count.N
		}
	}
	return counts
}
