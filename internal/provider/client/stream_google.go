package client

import "github.com/promptuary/promptuary/internal/jsontree"

// candidatePieces puts together an answer of Google's. Each event is an answer
// by itself that holds the next parts; all but the parts is repeated.
type candidatePieces struct {
	deliver func(Delta)
	whole   *grown
	ended   bool
}

func newCandidatePieces(deliver func(Delta)) assembler {
	return &candidatePieces{deliver: deliver, whole: newGrown()}
}

func (c *candidatePieces) event(data []byte) *Error {
	event, failure := parseEvent(data)
	if failure != nil {
		return failure
	}
	for key, v := range event.Members() {
		if key == "candidates" {
			c.candidates(v)
			continue
		}
		c.whole.member(key).set(v)
	}
	if event.Get("promptFeedback").Get("blockReason").Given() {
		c.ended = true
	}
	return nil
}

func (c *candidatePieces) candidates(list jsontree.Value) {
	all := c.whole.member("candidates")
	all.become(jsontree.Array)
	for _, piece := range list.Elems() {
		index, _ := piece.Get("index").Int()
		candidate := all.at(index)
		for key, v := range piece.Members() {
			if key == "content" {
				c.content(candidate.member(key), v, index == 0)
				continue
			}
			candidate.member(key).set(v)
		}
		c.ended = c.ended || piece.Get("finishReason").Given()
	}
}

func (c *candidatePieces) content(to *grown, piece jsontree.Value, first bool) {
	for key, v := range piece.Members() {
		if key != "parts" {
			to.member(key).set(v)
			continue
		}
		parts := to.member(key)
		parts.become(jsontree.Array)
		for _, part := range v.Elems() {
			addPart(parts, part)
			if first {
				c.show(part)
			}
		}
	}
}

func (c *candidatePieces) show(part jsontree.Value) {
	text := part.Get("text").Str()
	if part.Get("thought").Bool() {
		deliver(c.deliver, Delta{Thinking: text})
		return
	}
	deliver(c.deliver, Delta{Text: text})
}

// addPart adds a part. Text goes on where the last part left off, unless one
// of the two is a thought and the other is not, or the last one was signed.
func addPart(parts *grown, part jsontree.Value) {
	if n := len(parts.elems); n > 0 && part.Get("text").Kind() == jsontree.String {
		last := parts.elems[n-1].members
		text, thought := last["text"], last["thought"]
		isThought := thought != nil && string(thought.text) == "true"
		if text != nil && last["thoughtSignature"] == nil && isThought == part.Get("thought").Bool() {
			parts.elems[n-1].take("", part)
			return
		}
	}
	parts.add().take("", part)
}

func (c *candidatePieces) answer() ([]byte, *Error) {
	if !c.ended {
		return nil, brokeOff()
	}
	return c.whole.whole()
}
