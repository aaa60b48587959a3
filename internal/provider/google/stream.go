package google

import (
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
)

// stream assembles an answer. Each event is an answer with the next parts;
// everything else is repeated.
type stream struct {
	provider.Assembly
	deliver func(provider.Delta)
}

func newStream(deliver func(provider.Delta)) provider.Assembler {
	s := &stream{deliver: deliver}
	s.Whole, s.Handle = provider.NewGrown(), s.handle
	return s
}

func (s *stream) handle(event jsontree.Value) *provider.Error {
	for key, v := range event.Members() {
		if key == "candidates" {
			s.candidates(v)
			continue
		}
		s.Whole.Member(key).Set(v)
	}
	if event.Get("promptFeedback").Get("blockReason").Given() {
		s.Ended = true
	}
	return nil
}

func (s *stream) candidates(list jsontree.Value) {
	all := s.Whole.Member("candidates")
	all.Become(jsontree.Array)
	for _, piece := range list.Elems() {
		index, _ := piece.Get("index").Int()
		candidate := all.At(index)
		for key, v := range piece.Members() {
			if key == "content" {
				s.content(candidate.Member(key), v, index == 0)
				continue
			}
			candidate.Member(key).Set(v)
		}
		s.Ended = s.Ended || piece.Get("finishReason").Given()
	}
}

func (s *stream) content(to *provider.Grown, piece jsontree.Value, first bool) {
	for key, v := range piece.Members() {
		if key != "parts" {
			to.Member(key).Set(v)
			continue
		}
		parts := to.Member(key)
		parts.Become(jsontree.Array)
		for _, part := range v.Elems() {
			takePart(parts, part)
			if first {
				s.show(part)
			}
		}
	}
}

func (s *stream) show(part jsontree.Value) {
	text := part.Get("text").Str()
	if part.Get("thought").Bool() {
		provider.Deliver(s.deliver, provider.Delta{Thinking: text})
		return
	}
	provider.Deliver(s.deliver, provider.Delta{Text: text})
}

// takePart adds a part. Text continues the last part unless exactly one of the
// two is a thought or the last one was signed.
func takePart(parts *provider.Grown, part jsontree.Value) {
	last := parts.Last()
	if last == nil || part.Get("text").Kind() != jsontree.String || last.Get("text") == nil ||
		last.Get("thoughtSignature") != nil || last.Get("thought").IsTrue() != part.Get("thought").Bool() {
		last = parts.Add()
	}
	last.Take("", part)
}
