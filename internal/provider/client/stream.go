package client

import (
	"bytes"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// parseEvent reads the data of an event. An error in a stream ends it.
func parseEvent(data []byte) (jsontree.Value, *Error) {
	event, err := jsontree.Parse(data)
	if err != nil {
		return event, malformed("an event of its stream is not JSON (%v)", err)
	}
	if event.Kind() != jsontree.Object {
		return event, malformed("an event of its stream is %s", event.Kind())
	}
	if event.Get("error").Given() {
		return event, refused(0, event)
	}
	return event, nil
}

// brokeOff is a stream that ended before the answer did.
func brokeOff() *Error {
	failure := newError(TypeProvider, "The provider's answer broke off")
	failure.retry = true
	return failure
}

func deliver(to func(Delta), d Delta) {
	if d != (Delta{}) {
		to(d)
	}
}

// chatPieces puts together a chat completion.
type chatPieces struct {
	deliver func(Delta)
	whole   *grown
	ended   bool
}

func newChatPieces(deliver func(Delta)) assembler {
	return &chatPieces{deliver: deliver, whole: newGrown()}
}

func (c *chatPieces) event(data []byte) *Error {
	if bytes.Equal(bytes.TrimSpace(data), []byte("[DONE]")) {
		c.ended = true
		return nil
	}
	event, failure := parseEvent(data)
	if failure != nil {
		return failure
	}
	for key, v := range event.Members() {
		switch key {
		case "choices":
			c.choices(v)
		case "object", "obfuscation": // the first is another word, the second nothing, without a stream
		default:
			c.whole.member(key).take(key, v)
		}
	}
	return nil
}

// choices adds the pieces of choices, which call the message a delta.
func (c *chatPieces) choices(list jsontree.Value) {
	all := c.whole.member("choices")
	all.become(jsontree.Array)
	for _, piece := range list.Elems() {
		choice := all.element("choices", piece)
		for key, v := range piece.Members() {
			if key == "delta" {
				choice.member("message").take("message", v)
				continue
			}
			choice.member(key).take(key, v)
		}
		if piece.Get("finish_reason").Given() {
			c.ended = true
		}
		if index, _ := piece.Get("index").Int(); index == 0 {
			delta := piece.Get("delta")
			deliver(c.deliver, Delta{
				Text: delta.Get("content").Str(), Thinking: either(delta, "reasoning_content", "reasoning").Str(),
			})
		}
	}
}

func (c *chatPieces) answer() ([]byte, *Error) {
	if !c.ended {
		return nil, brokeOff()
	}
	object := c.whole.member("object")
	object.kind, object.text = jsontree.String, []byte("chat.completion")
	return c.whole.whole()
}

// responsePieces waits for the response at the end of a stream, which is
// whole.
type responsePieces struct {
	deliver func(Delta)
	whole   []byte
}

func newResponsePieces(deliver func(Delta)) assembler { return &responsePieces{deliver: deliver} }

func (r *responsePieces) event(data []byte) *Error {
	event, failure := parseEvent(data)
	if failure != nil {
		return failure
	}
	switch event.Get("type").Str() {
	case "response.output_text.delta":
		deliver(r.deliver, Delta{Text: event.Get("delta").Str()})
	case "response.reasoning_summary_text.delta", "response.reasoning_text.delta":
		deliver(r.deliver, Delta{Thinking: event.Get("delta").Str()})
	case "response.completed", "response.incomplete", "response.failed":
		r.whole = event.Get("response").Raw()
	case "error":
		return refused(0, event)
	}
	return nil
}

func (r *responsePieces) answer() ([]byte, *Error) {
	if r.whole == nil {
		return nil, brokeOff()
	}
	return r.whole, nil
}
