package client

import (
	"bytes"
	"testing"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/provider/builtin"
)

// FuzzStreams reads arbitrary streams. The result must be an error or valid
// JSON.
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
		for _, p := range builtin.Providers.All() {
			for _, api := range p.APIs {
				if api.Caller != nil && api.Caller.Stream != nil {
					checkStream(t, p, api, text)
				}
			}
		}
	})
}

func checkStream(t *testing.T, known *provider.Provider, api *provider.API, text []byte) {
	t.Helper()
	stream := api.Caller.Stream(func(d provider.Delta) {
		if d == (provider.Delta{}) {
			t.Error("an empty piece was delivered")
		}
	})
	if readEvents(bytes.NewReader(text), stream.Event) != nil {
		return
	}
	raw, failure := stream.Answer()
	if failure != nil {
		return
	}
	p := &plan{name: known.Name, provider: known, api: api}
	if _, err := jsontree.Parse(raw); err != nil {
		t.Errorf("%s: %v in %s", known.Function(api), err, raw)
	}
	done := &provider.Completion{}
	if p.finish(done, raw) == nil {
		p.describe(done)
	}
}
