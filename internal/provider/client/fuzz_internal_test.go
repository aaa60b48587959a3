package client

import (
	"bytes"
	"testing"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// FuzzStreams takes whatever a server sends for a stream. It must end in a
// failure or in JSON that can be read on.
func FuzzStreams(f *testing.F) {
	for _, seed := range []string{
		"data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"{\"}}]},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
		"data: {\"type\":\"message_start\",\"message\":{\"content\":[]}}\n\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\"}}\n\n" +
			"data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"citations_delta\",\"citation\":{}}}\n\ndata: {\"type\":\"message_stop\"}\n\n",
		"data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a\"}]}}]}\r\n\r\ndata: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"b\"}]},\"finishReason\":\"STOP\"}]}",
		"data: {\"type\":\"response.completed\",\"response\":{\"output\":[]}}\n\n",
		"event: x\n: y\ndata\ndata:\n\ndata: {\"error\":1}\n\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, w := range []*wire{&chatWire, &responsesWire, &messagesWire, &googleWire} {
			pieces := w.pieces(func(d Delta) {
				if d == (Delta{}) {
					t.Error("an empty piece was delivered")
				}
			})
			if readEvents(bytes.NewReader(text), pieces.event) != nil {
				continue
			}
			raw, failure := pieces.answer()
			if failure != nil {
				continue
			}
			if _, err := jsontree.Parse(raw); err != nil {
				t.Errorf("%s: %v in %s", w.function, err, raw)
			}
			done := &Completion{}
			p := &plan{name: "openai", provider: providers["openai"], wire: w, arguments: jsontree.Value{}}
			if p.finish(done, raw) == nil {
				p.describe(done)
			}
		}
	})
}
