// Package runtrace writes the traces of workflow runs and evaluation runs: a tree
// of spans of what a run does. A run never waits for its trace, and its result
// does not depend on it.
package runtrace

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sync/atomic"

	"github.com/promptuary/promptuary/internal/jsontree"
)

const (
	// MaxSpans is the maximum number of spans of a trace, counted anew by each
	// process that continues the run.
	MaxSpans = 10_000
	// maxContent is the maximum size of an input, an output or the details of an
	// error, and maxContents that of all of them in a trace, in bytes.
	maxContent  = 32 << 10
	maxContents = 16 << 20
)

// ID returns the id of the trace of a run. It is the same in all processes.
func ID(kind string, workspace, run int64) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "trace of %s %d in workspace %d", kind, run, workspace))
	return hex.EncodeToString(sum[:16])
}

// Trace is the trace of one run. It is safe for concurrent use. A nil trace
// records nothing.
type Trace struct {
	writer    *Writer
	workspace int64
	id        string
	resource  []byte
	// spans and contents are what the trace may still have.
	spans, contents atomic.Int64
	// missing is the number of spans that were left out.
	missing atomic.Int64
}

// maxMetadata is the maximum size of the metadata that spans have, in bytes of
// JSON.
const maxMetadata = 4 << 10

// Trace returns the trace with an id, whose spans have the metadata, an object or
// absent, unless it is too large. A nil writer returns nil.
func (w *Writer) Trace(workspace int64, id string, metadata jsontree.Value) *Trace {
	if w == nil {
		return nil
	}
	t := &Trace{writer: w, workspace: workspace, id: id, resource: resourceOf(metadata)}
	t.spans.Store(MaxSpans)
	t.contents.Store(maxContents)
	return t
}

// resourceOf returns the attributes of the resource of all spans of a trace.
func resourceOf(metadata jsontree.Value) []byte {
	w := jsontree.NewWriter(nil)
	w.Object(func() {
		w.Key("service.name").String("promptuary")
		if len(metadata.Raw()) > maxMetadata {
			return
		}
		for name, value := range metadata.Members() {
			w.Key("promptlayer.metadata." + name).Value(value)
		}
	})
	return w.Bytes()
}

// Root returns the root of the trace, which is not written yet.
func (t *Trace) Root(part Part) *Span {
	if t == nil {
		return nil
	}
	return &Span{trace: t, id: t.spanID("", "root"), part: part}
}

// spanID returns the id of the span with a key below a parent.
func (t *Trace) spanID(parent, key string) string {
	sum := sha256.Sum256([]byte(t.id + "/" + parent + "/" + key))
	return hex.EncodeToString(sum[:8])
}

// content returns the beginning of a text and counts it.
func (t *Trace) content(text []byte) []byte {
	if len(text) > maxContent {
		text = append(text[:maxContent:maxContent], "…"...)
	}
	if t.contents.Add(-int64(len(text))) < 0 {
		return nil
	}
	return text
}

// Object returns an object of the named values as far as they fit into a span.
func Object(names []string, value func(name string) jsontree.Value) []byte {
	w := jsontree.NewWriter(nil)
	w.Object(func() {
		for _, name := range names {
			if w.Len() > maxContent {
				return
			}
			v := value(name)
			if !v.Given() {
				continue
			}
			if raw := v.Raw(); len(raw) > maxContent {
				w.Key(name).String(clip(string(raw[:maxContent])) + "…")
			} else {
				w.Key(name).Value(v)
			}
		}
	})
	return w.Bytes()
}

type contextKey struct{}

// With returns a context for work that belongs to the span.
func With(ctx context.Context, span *Span) context.Context {
	return context.WithValue(ctx, contextKey{}, span)
}

// From returns the span that the work of a context belongs to, nil for none.
func From(ctx context.Context) *Span {
	span, _ := ctx.Value(contextKey{}).(*Span)
	return span
}
