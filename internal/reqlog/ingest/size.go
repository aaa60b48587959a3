package ingest

import "github.com/promptuary/promptuary/internal/reqlog"

// The memory overhead of a log, a member, a pair and a string, and the size of a
// new price.
const (
	logOverhead  = 1024
	pairOverhead = 48
	textOverhead = 16
	priceSize    = 16
)

// EstimateSize returns the approximate memory size of a log in bytes, never
// less than its texts. It ignores other references to the text, such as the
// request body.
func EstimateSize(l *reqlog.Log) int64 {
	size := logOverhead +
		len(l.Provider) + len(l.Engine) + len(l.APIType) + len(l.FunctionName) +
		len(l.Input) + len(l.Output) + len(l.Parameters) +
		len(l.Status) + len(l.ErrorType) + len(l.ErrorMessage) + len(l.SpanID) + len(l.TraceID) + len(l.Source) +
		textsSize(l.Tags)
	return int64(size + notesSize(&l.Notes) + indexSize(&l.Index))
}

// spansSize returns the approximate memory size of a batch of spans in bytes.
func spansSize(b *reqlog.SpanBatch) int64 {
	size := int64(logOverhead * len(b.Close))
	for _, s := range b.Spans {
		size += int64(logOverhead + len(s.TraceID) + len(s.SpanID) + len(s.ParentID) + len(s.TraceState) + len(s.Name) + len(s.StatusMessage) +
			len(s.Attributes) + len(s.Resource) + len(s.Events) + len(s.Links) + len(s.SchemaURL) +
			len(s.Index.OutputText) + len(s.Index.ExceptionText))
	}
	for _, l := range b.Logs {
		if l != nil {
			size += EstimateSize(l)
		}
	}
	return size
}

// annotationSize returns the approximate memory size of an annotation in bytes.
func annotationSize(a *reqlog.Annotation) int64 {
	notes := reqlog.Notes{Metadata: a.Metadata, Prompt: a.Prompt, Variables: a.Variables}
	if a.Score != nil {
		notes.Scores = []reqlog.Score{*a.Score}
	}
	return int64(logOverhead + notesSize(&notes) + textsSize(a.RemovedKeys) + textsSize(a.RemovedScores))
}

func notesSize(n *reqlog.Notes) int {
	size := len(n.Variables)
	for _, m := range n.Metadata {
		size += pairOverhead + len(m.Key) + len(m.Value)
	}
	for _, s := range n.Scores {
		size += pairOverhead + len(s.Name)
	}
	if n.Prompt != nil {
		size += pairOverhead + textsSize(n.Prompt.Referenced) + len(n.Prompt.InferenceClient)
	}
	return size
}

func indexSize(x *reqlog.Index) int {
	size := len(x.InputText) + len(x.OutputText) + len(x.ThinkingText)
	for _, texts := range [][]string{x.ToolNames, x.UserIntent, x.AgentIntent} {
		size += textsSize(texts)
	}
	for _, pairs := range [][]reqlog.Pair{x.Output, x.Metadata, x.Variables} {
		for _, p := range pairs {
			size += pairOverhead + len(p.Key) + len(p.Value)
		}
	}
	return size
}

func textsSize(texts []string) int {
	size := 0
	for _, text := range texts {
		size += textOverhead + len(text)
	}
	return size
}
