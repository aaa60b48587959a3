package openai

import (
	"bytes"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
)

// chatStream assembles a chat completion.
type chatStream struct {
	provider.Assembly
	deliver func(provider.Delta)
}

func newChatStream(deliver func(provider.Delta)) provider.Assembler {
	s := &chatStream{deliver: deliver}
	s.Whole, s.Handle = provider.NewGrown(), s.handle
	return s
}

// Event handles the next event. The last one is not JSON.
func (s *chatStream) Event(data []byte) *provider.Error {
	if bytes.Equal(bytes.TrimSpace(data), []byte("[DONE]")) {
		s.Ended = true
		return nil
	}
	return s.Assembly.Event(data)
}

func (s *chatStream) handle(event jsontree.Value) *provider.Error {
	for key, v := range event.Members() {
		switch key {
		case "choices":
			s.choices(v)
		case "object", "obfuscation": // without streaming, the former differs and the latter is absent
		default:
			s.Whole.Member(key).Take(key, v)
		}
	}
	return nil
}

// choices adds the deltas of choices.
func (s *chatStream) choices(list jsontree.Value) {
	all := s.Whole.Member("choices")
	all.Become(jsontree.Array)
	for _, piece := range list.Elems() {
		choice := all.Element("choices", piece)
		for key, v := range piece.Members() {
			if key == "delta" {
				key = "message"
			}
			choice.Member(key).Take(key, v)
		}
		s.Ended = s.Ended || piece.Get("finish_reason").Given()
		if index, _ := piece.Get("index").Int(); index == 0 {
			delta := piece.Get("delta")
			provider.Deliver(s.deliver, provider.Delta{
				Text:     delta.Get("content").Str(),
				Thinking: provider.FirstGiven(delta, "reasoning_content", "reasoning").Str(),
			})
		}
	}
}

// Answer returns the whole answer.
func (s *chatStream) Answer() ([]byte, *provider.Error) {
	s.Whole.Member("object").SetString("chat.completion")
	return s.Assembly.Answer()
}

// responseStream uses the complete response at the end of a stream.
type responseStream struct {
	provider.Assembly
	deliver func(provider.Delta)
	whole   []byte
}

func newResponseStream(deliver func(provider.Delta)) provider.Assembler {
	s := &responseStream{deliver: deliver}
	s.Handle = s.handle
	return s
}

func (s *responseStream) handle(event jsontree.Value) *provider.Error {
	switch event.Get("type").Str() {
	case "response.output_text.delta":
		provider.Deliver(s.deliver, provider.Delta{Text: event.Get("delta").Str()})
	case "response.reasoning_summary_text.delta", "response.reasoning_text.delta":
		provider.Deliver(s.deliver, provider.Delta{Thinking: event.Get("delta").Str()})
	case "response.completed", "response.incomplete", "response.failed":
		s.whole = event.Get("response").Raw()
	case "error":
		return provider.Refused(0, event)
	}
	return nil
}

// Answer returns the whole response.
func (s *responseStream) Answer() ([]byte, *provider.Error) {
	if s.whole == nil {
		return nil, provider.Interrupted()
	}
	return s.whole, nil
}
