package anthropic

import (
	"slices"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
)

// stream assembles a message.
type stream struct {
	provider.Assembly
	deliver func(provider.Delta)
	blocks  map[int64]*streamedBlock
}

// streamedBlock is a block of the content. The input of a tool is streamed as
// pieces of JSON text.
type streamedBlock struct {
	value *provider.Grown
	input []byte
}

func newStream(deliver func(provider.Delta)) provider.Assembler {
	s := &stream{deliver: deliver, blocks: map[int64]*streamedBlock{}}
	s.Whole, s.Handle = provider.NewGrown(), s.handle
	return s
}

func (s *stream) handle(event jsontree.Value) *provider.Error {
	index, _ := event.Get("index").Int()
	switch event.Get("type").Str() {
	case "message_start":
		s.Whole.Take("", event.Get("message"))
		s.Whole.Member("content").Become(jsontree.Array)
	case "content_block_start":
		block := &streamedBlock{value: s.Whole.Member("content").Add()}
		block.value.Take("", event.Get("content_block"))
		s.blocks[index] = block
	case "content_block_delta":
		if block := s.blocks[index]; block != nil {
			s.delta(block, event.Get("delta"))
		}
	case "message_delta":
		s.Whole.Take("", event.Get("delta"))
		s.Whole.Member("usage").Take("usage", event.Get("usage"))
	case "message_stop":
		s.Ended = true
	}
	return nil
}

func (s *stream) delta(block *streamedBlock, delta jsontree.Value) {
	text, thinking := delta.Get("text"), delta.Get("thinking")
	switch delta.Get("type").Str() {
	case "text_delta":
		block.value.Member("text").Take("text", text)
		provider.Deliver(s.deliver, provider.Delta{Text: text.Str()})
	case "thinking_delta":
		block.value.Member("thinking").Take("thinking", thinking)
		provider.Deliver(s.deliver, provider.Delta{Thinking: thinking.Str()})
	case "signature_delta":
		block.value.Member("signature").Set(delta.Get("signature"))
	case "input_json_delta":
		block.input = delta.Get("partial_json").AppendStr(block.input)
	case "citations_delta":
		block.value.Member("citations").Add().Take("", delta.Get("citation"))
	}
}

// Answer returns the whole message.
func (s *stream) Answer() ([]byte, *provider.Error) {
	for _, block := range s.blocks {
		if !s.Ended || len(block.input) == 0 {
			continue
		}
		input, err := jsontree.Parse(slices.Clone(block.input))
		if err != nil {
			return nil, provider.Malformed("the input of a tool is not JSON (%v)", err)
		}
		block.value.Member("input").Set(input)
	}
	return s.Assembly.Answer()
}
