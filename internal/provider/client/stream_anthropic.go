package client

import (
	"slices"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// messagePieces puts together a message of Anthropic's.
type messagePieces struct {
	deliver func(Delta)
	whole   *grown
	blocks  map[int64]*messageBlock
	ended   bool
}

// messageBlock is a block of the content. The input of a tool comes as pieces
// of a text that is JSON.
type messageBlock struct {
	value *grown
	input []byte
}

func newMessagePieces(deliver func(Delta)) assembler {
	return &messagePieces{deliver: deliver, whole: newGrown(), blocks: map[int64]*messageBlock{}}
}

func (m *messagePieces) event(data []byte) *Error {
	event, failure := parseEvent(data)
	if failure != nil {
		return failure
	}
	switch event.Get("type").Str() {
	case "message_start":
		m.whole.take("", event.Get("message"))
		m.whole.member("content").become(jsontree.Array)
	case "content_block_start":
		index, _ := event.Get("index").Int()
		block := &messageBlock{value: m.whole.member("content").add()}
		block.value.take("", event.Get("content_block"))
		m.blocks[index] = block
	case "content_block_delta":
		index, _ := event.Get("index").Int()
		if block := m.blocks[index]; block != nil {
			m.delta(block, event.Get("delta"))
		}
	case "message_delta":
		m.whole.take("", event.Get("delta"))
		m.whole.member("usage").take("usage", event.Get("usage"))
	case "message_stop":
		m.ended = true
	}
	return nil
}

func (m *messagePieces) delta(block *messageBlock, delta jsontree.Value) {
	switch delta.Get("type").Str() {
	case "text_delta":
		block.value.member("text").take("text", delta.Get("text"))
		deliver(m.deliver, Delta{Text: delta.Get("text").Str()})
	case "thinking_delta":
		block.value.member("thinking").take("thinking", delta.Get("thinking"))
		deliver(m.deliver, Delta{Thinking: delta.Get("thinking").Str()})
	case "signature_delta":
		block.value.member("signature").set(delta.Get("signature"))
	case "input_json_delta":
		block.input = delta.Get("partial_json").AppendStr(block.input)
	case "citations_delta":
		block.value.member("citations").add().take("", delta.Get("citation"))
	}
}

func (m *messagePieces) answer() ([]byte, *Error) {
	if !m.ended {
		return nil, brokeOff()
	}
	for _, block := range m.blocks {
		if len(block.input) == 0 {
			continue
		}
		input, err := jsontree.Parse(slices.Clone(block.input))
		if err != nil {
			return nil, malformed("the input of a tool is not JSON (%v)", err)
		}
		block.value.member("input").set(input)
	}
	return m.whole.whole()
}
