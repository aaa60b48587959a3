package dataset_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/dataset"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
)

// spans stores spans, each a second after the one before.
func (s *shelf) spans(spans ...*reqlog.Span) {
	s.t.Helper()
	s.called(make([]string, len(spans)), spans...)
}

// called stores spans with the answers of their request logs, "" for none.
func (s *shelf) called(answers []string, spans ...*reqlog.Span) {
	s.t.Helper()
	in := requests.SpanInput{Spans: spans, Logs: make([]*reqlog.LogInput, len(spans))}
	for i, span := range spans {
		span.Start = reqlog.Micros(1_773_568_800_000_000 + i*1_000_000)
		span.End, span.LogSpanID = span.Start, span.SpanID
		if answers[i] == "" {
			continue
		}
		body := fmt.Sprintf(`{"provider":"openai","model":"gpt","input":{"type":"chat","messages":[]},
"output":{"type":"chat","messages":[{"role":"assistant","content":[{"type":"text","text":%q}]}]}}`, answers[i])
		var problems fault.Problems
		in.Logs[i] = reqlog.DecodeSpanLog(check.Must(jsontree.Parse([]byte(body)))(s.t), nil, span.Start, span.End, &problems)
		check.OK(s.t, problems.Err())
	}
	check.Must(s.logs.LogSpans(s.ctx, s.workspace, in))(s.t)
}

// addTrace adds a trace and returns the rows of the draft.
func (s *shelf) addTrace(group int64, in dataset.TraceInput) (dataset.Dataset, []string) {
	s.t.Helper()
	draft, _, err := s.AddTrace(s.ctx, s.workspace, group, in)
	check.OK(s.t, err)
	return draft, s.rows(draft)
}

func TestAddTrace(t *testing.T) {
	onEachEngine(t, func(t *testing.T, s *shelf) {
		s.called([]string{"", "Sunny", "", "Cloudy"},
			&reqlog.Span{TraceID: "t", SpanID: "root", Name: "agent", ParentID: "elsewhere", Attributes: []byte(`{"function_input": "[1]", "n": 1}`)},
			&reqlog.Span{TraceID: "t", SpanID: "a", Name: "chat", ParentID: "root"},
			&reqlog.Span{TraceID: "t", SpanID: "b", Name: "chat", ParentID: "root"},
			&reqlog.Span{TraceID: "t", SpanID: "c", Name: "input", ParentID: "b"})
		group := s.group("g")
		saved := check.Must(s.imported(group, "a.csv", "input\nOslo\n"))(t)

		draft, rows := s.addTrace(group, dataset.TraceInput{TraceID: "t"})
		equal(t, draft.Columns, []string{"input", "output", "agent", "chat", "chat_2"})
		chat := `{"input":{"type":"chat","messages":[]},"output":"Sunny","attributes":{}}`
		equal(t, rows, []string{
			`"Oslo" null null null null`,
			`[1] null {"input":[1],"output":null,"attributes":{"function_input":"[1]","n":1}} ` + chat + ` {"input":null,"output":null,"attributes":{}}`,
		})
		equal(t, check.Must(s.Get(s.ctx, s.workspace, saved.ID))(t).RowCount, int64(1))

		draft, rows = s.addTrace(group, dataset.TraceInput{TraceID: "t", SpanID: "b"})
		equal(t, draft.Columns[5:], []string{"input_2"})
		equal(t, strings.Contains(rows[2], "Cloudy"), true)
		draft, _ = s.addTrace(group, dataset.TraceInput{TraceID: "t", Calls: true})
		equal(t, s.column(draft, "response")[3:], []string{`"Sunny"`, `"Cloudy"`})
		draft, _ = s.addTrace(group, dataset.TraceInput{TraceID: "t", SpanID: "b", Calls: true})
		equal(t, s.column(draft, "response")[5:], []string{`"Cloudy"`})
	})
}

func TestAddTraceFaults(t *testing.T) {
	t.Parallel()
	s := onSQLite(t)
	s.spans(&reqlog.Span{TraceID: "t", SpanID: "a", Name: "a", ParentID: "b"}, &reqlog.Span{TraceID: "t", SpanID: "b", ParentID: "a"})
	group := s.group("g")
	for _, c := range []struct {
		workspace, group int64
		in               dataset.TraceInput
		kind             fault.Kind
		part             string
	}{
		{s.workspace, group + 1000, dataset.TraceInput{TraceID: "t"}, fault.BadRequest, "Dataset group not found"},
		{s.workspace + 1, group, dataset.TraceInput{TraceID: "t"}, fault.BadRequest, "Dataset group not found"},
		{s.workspace, group, dataset.TraceInput{TraceID: "u"}, fault.NotFound, "Trace not found"},
		{s.workspace, group, dataset.TraceInput{TraceID: "t", SpanID: "c"}, fault.NotFound, "Span not found"},
		{s.workspace, group, dataset.TraceInput{TraceID: "t", Calls: true}, fault.BadRequest, "no request logs"},
	} {
		_, _, err := s.AddTrace(s.ctx, c.workspace, c.group, c.in)
		fails(t, err, c.kind, c.part)
	}
	draft, rows := s.addTrace(group, dataset.TraceInput{TraceID: "t", SpanID: "b"})
	equal(t, draft.Columns, []string{"input", "output", "span", "a"})
	equal(t, len(rows), 1)
}
