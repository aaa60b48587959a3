package trace

import (
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// Content returns the input and the output of a span as JSON, nil for none: the
// messages of a model call as a template, or what the client recorded.
func Content(span *reqlog.Span) (input, output []byte) {
	v := newView(span, attributes{}, nil)
	talk := v.conversation()
	input, output = recorded(v.own.fact(inputFact)), recorded(v.own.fact(outputFact))
	if len(talk.input) > 0 {
		input = writeChat(talk.input, talk.tools)
	}
	if len(talk.output) > 0 {
		output = writeChat(talk.output, nil)
	}
	return input, output
}

func recorded(value jsontree.Value) []byte {
	if !value.Given() {
		return nil
	}
	return structured(value).Compact()
}
