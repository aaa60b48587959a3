package trace

import (
	"cmp"
	"strings"

	"github.com/promptuary/promptuary/internal/reqlog"
)

// maxIndexText is the size up to which the texts of a span can be searched.
const maxIndexText = 32 << 10

// LLMCall is the type of spans that are model calls.
const LLMCall = "LLM_CALL"

// maxNames is the longest name in an index, in characters.
const maxNames = 256

// Index returns what is derived from a span, and from the log that came with it,
// nil if there is none. It depends only on what the client sent.
func Index(span *reqlog.Span, log *reqlog.Log) reqlog.SpanIndex {
	v := newView(span, parseAttributes(span.Resource), nil)
	talk := v.conversation()
	x := v.index(talk, log != nil || v.describesLog(talk))
	if log != nil {
		x = withLog(x, v, log)
	}
	return x
}

// complete adds what is derived from a span. log is the log that came with it,
// nil if there is none.
func complete(span *reqlog.Span, log *reqlog.LogInput) {
	v := newView(span, parseAttributes(span.Resource), nil)
	span.LogSpanID = v.logSpanID()
	span.Index = v.index(v.conversation(), log != nil)
	if log == nil {
		return
	}
	span.LogSpanID = span.SpanID
	log.Derive()
	span.Index = withLog(span.Index, v, log.Log)
}

// withLog completes the index of a span with what its log says.
func withLog(x reqlog.SpanIndex, v *view, log *reqlog.Log) reqlog.SpanIndex {
	x.Model = v.name(cmp.Or(x.Model, log.Engine))
	x.OutputText = cmp.Or(x.OutputText, cut(log.Index.OutputText, maxIndexText))
	return x
}

// completeWithLog is complete for a span whose attributes may describe a log,
// which it returns. It gets the attributes of the resource, because many spans
// share them.
func completeWithLog(span *reqlog.Span, resource attributes, r *attributeReader) *reqlog.LogInput {
	v := newView(span, resource, r)
	talk := v.conversation()
	logged := v.describesLog(talk)
	span.LogSpanID = v.logSpanID()
	span.Index = v.index(talk, logged)
	if !logged {
		return nil
	}
	return v.log(talk)
}

func (v *view) index(talk conversation, logged bool) reqlog.SpanIndex {
	x := reqlog.SpanIndex{
		Type:     v.kind(logged || v.managed()),
		ToolName: v.name(v.toolName()),
		Model:    v.name(scalarText(v.own.fact(modelFact))),
		User:     v.name(scalarText(v.user())),
		Session:  v.name(scalarText(v.session())),
		Workflow: positive(v.own.get("workflow_id")),
	}
	if x.Workflow != 0 {
		x.WorkflowVersion = positive(v.first("workflow_version_number", "workflow_version"))
	}
	if x.OutputText = texts(talk.output, maxIndexText); x.OutputText == "" {
		x.OutputText = cut(asText(v.own.fact(outputFact)), maxIndexText)
	}
	x.ExceptionText = v.exceptionText()
	return x
}

func (v *view) name(text string) string { return firstCharacters(text, maxNames) }

// kind returns the type of the operation.
func (v *view) kind(called bool) string {
	if own := scalarText(v.first(nodeAttribute)); own != "" {
		return v.name(own)
	}
	if called {
		return LLMCall
	}
	for _, c := range conventions {
		if c.kind == nil {
			continue
		}
		if kind := c.kind(v); kind != "" {
			return v.name(kind)
		}
	}
	return ""
}

// toolPrefix precedes the name of a tool in the names of some spans.
const toolPrefix = "Tool: "

func (v *view) toolName() string {
	if name := scalarText(v.own.fact(toolFact)); name != "" {
		return name
	}
	if name := scalarText(v.entityTool()); name != "" {
		return name
	}
	if name, ok := strings.CutPrefix(v.span.Name, toolPrefix); ok {
		return strings.TrimSpace(name)
	}
	return ""
}
