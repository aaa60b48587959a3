package runtrace

import (
	"bytes"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// Part describes a part of a run.
type Part struct {
	Name string
	// Type is the type of a node or a column, or another value of the attribute
	// node_type.
	Type  string
	Start time.Time
	// Input is JSON, nil for none.
	Input []byte
	// Attributes writes further attributes; it may be nil. It is called whenever
	// the span is written.
	Attributes func(w *jsontree.Writer)
}

// Result is how a part of a run ended.
type Result struct {
	End time.Time
	// Output is JSON, nil for none.
	Output []byte
	// Error says why it failed, "" if it did not; Detail may say more.
	Error, Detail string
}

// Span is the span of a part of a run. Its methods are safe for concurrent use.
// A nil span records nothing.
type Span struct {
	trace  *Trace
	id     string
	parent string
	part   Part
	// calls is the number of model calls, and children that of the runs and
	// tools below the span.
	calls, children atomic.Int64
	model           atomic.Pointer[Model]
}

// Model is the model that a span called.
type Model struct{ Provider, Name string }

// ID returns the id of the span, "" if it is nil.
func (s *Span) ID() string {
	if s == nil {
		return ""
	}
	return s.id
}

// Child returns the span of a part of this one, which is not written yet. Spans
// of one parent have different keys. It is nil if the trace has too many spans.
func (s *Span) Child(key string, part Part) *Span {
	if s == nil {
		return nil
	}
	if s.trace.spans.Add(-1) < 0 {
		s.trace.missing.Add(1)
		return nil
	}
	return &Span{trace: s.trace, id: s.trace.spanID(s.id, key), parent: s.id, part: part}
}

// Next is Child for parts that have no key of their own.
func (s *Span) Next(part Part) *Span {
	if s == nil {
		return nil
	}
	return s.Child("child "+strconv.FormatInt(s.children.Add(1), 10), part)
}

// Call returns the span of a model call: this one for its first call, and a new
// one below it for each further call, because a span has one request.
func (s *Span) Call(model Model, start time.Time) *Span {
	if s == nil {
		return nil
	}
	n := s.calls.Add(1)
	if n == 1 {
		s.model.Store(&model)
		return s
	}
	call := s.Child("call "+strconv.FormatInt(n, 10), Part{Name: model.Name, Type: "LLM_CALL", Start: start})
	if call != nil {
		call.model.Store(&model)
	}
	return call
}

// Begin writes the span of a part that is in progress.
func (s *Span) Begin() {
	if s != nil {
		s.write(Result{End: s.part.Start}, reqlog.SpanUnset)
	}
}

// Finish writes the span of a part that has ended.
func (s *Span) Finish(r Result) {
	switch {
	case s == nil:
	case r.Error != "":
		s.write(r, reqlog.SpanError)
	default:
		s.write(r, reqlog.SpanOK)
	}
}

func (s *Span) write(r Result, status string) {
	if r.End.Before(s.part.Start) {
		r.End = s.part.Start // the clocks of two processes differ
	}
	written := &reqlog.Span{
		Workspace: s.trace.workspace, TraceID: s.trace.id, SpanID: s.id, ParentID: s.parent, LogSpanID: s.id,
		Name: s.part.Name, Kind: reqlog.SpanInternal, Status: status, StatusMessage: clip(r.Error),
		Start: reqlog.At(s.part.Start), End: reqlog.At(r.End),
		Attributes: s.attributes(r.Output), Resource: s.trace.resource,
	}
	if r.Detail != "" {
		written.Events = s.exception(r)
	}
	if !s.trace.writer.add(written, s.parent == "") {
		s.trace.missing.Add(1)
	}
}

func (s *Span) attributes(output []byte) []byte {
	w := jsontree.NewWriter(make([]byte, 0, len(s.part.Input)+len(output)+256))
	w.Object(func() {
		w.Key("node_type").String(s.part.Type)
		s.writeContent(&w, "function_input", s.part.Input)
		s.writeContent(&w, "function_output", output)
		if model := s.model.Load(); model != nil {
			w.Key("gen_ai.provider.name").String(model.Provider)
			w.Key("gen_ai.request.model").String(model.Name)
		}
		if s.part.Attributes != nil {
			s.part.Attributes(&w)
		}
		if missing := s.trace.missing.Load(); missing > 0 && s.parent == "" {
			w.Key("missing_spans").Int(missing)
		}
	})
	return w.Bytes()
}

func (s *Span) writeContent(w *jsontree.Writer, key string, content []byte) {
	if content == nil {
		return
	}
	if content = s.trace.content(content); content != nil {
		w.Key(key).String(string(bytes.ToValidUTF8(content, nil)))
	}
}

// exception returns the events of a span that failed.
func (s *Span) exception(r Result) []byte {
	w := jsontree.NewWriter(nil)
	w.Array(func() {
		w.Object(func() {
			w.Key("name").String("exception")
			w.Key("timestamp").String(strconv.FormatInt(r.End.UnixNano(), 10))
			w.Key("attributes").Object(func() {
				w.Key("exception.message").String(clip(r.Error))
				s.writeContent(&w, "exception.stacktrace", []byte(r.Detail))
			})
		})
	})
	return w.Bytes()
}

// clip returns the beginning of a text.
func clip(text string) string {
	if len(text) <= maxShort {
		return text
	}
	return strings.ToValidUTF8(text[:maxShort], "")
}

// maxShort is the maximum size of a message, in bytes.
const maxShort = 4096
