package document

import (
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// TestRecordsOfUsage decodes the heads of version 0.1 and of this
// one.
func TestRecordsOfUsage(t *testing.T) {
	t.Parallel()
	tokens := provider.Tokens
	for name, test := range map[string]struct {
		head  string
		usage provider.Usage
		price reqlog.Price
	}{
		"version 0.1": {
			`{"input_tokens":7,"output_tokens":3,"cached_tokens":2,"thinking_tokens":1,"price":0.5}`,
			provider.Usage{Input: tokens(7), Output: tokens(3), CacheRead: tokens(2), Reasoning: tokens(1)},
			reqlog.Price{USD: 0.5, Source: reqlog.PriceSent},
		},
		"version 0.1 without counts": {
			`{"input_tokens":0,"output_tokens":0,"price":0}`,
			provider.Usage{Input: tokens(0), Output: tokens(0), CacheRead: tokens(0), Reasoning: tokens(0)},
			reqlog.Price{Source: reqlog.PriceSent},
		},
		"nothing given":  {`{"usage":{}}`, provider.Usage{}, reqlog.Price{}},
		"a custom price": {`{"usage":{},"price":2,"price_source":"custom"}`, provider.Usage{}, reqlog.Price{USD: 2, Source: reqlog.PriceCustom}},
		"everything": {
			`{"usage":{"input":9,"output":0,"cache_read":3,"cache_write":2,"cache_write_long":1,"reasoning":0,"batch":true},"price":0,"price_computed":true}`,
			provider.Usage{
				Input: tokens(9), Output: tokens(0), CacheRead: tokens(3), CacheWrite: tokens(2), CacheWriteLong: tokens(1), Reasoning: tokens(0), Batch: true,
			},
			reqlog.Price{Source: reqlog.PriceListed},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := check.Must(DecodeLog([]byte(test.head)))(t)
			check.Equal(t, "usage", l.Usage, test.usage)
			check.Equal(t, "price", l.Price, test.price)
		})
	}
}
