package document

import (
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// usage is the token usage of a log as it is kept. Counts that were
// not given are omitted.
type usage struct {
	Input          *int64 `json:"input,omitempty"`
	Output         *int64 `json:"output,omitempty"`
	CacheRead      *int64 `json:"cache_read,omitempty"`
	CacheWrite     *int64 `json:"cache_write,omitempty"`
	CacheWriteLong *int64 `json:"cache_write_long,omitempty"`
	Reasoning      *int64 `json:"reasoning,omitempty"`
	Batch          bool   `json:"batch,omitempty"`
}

// oldUsage is how version 0.1 kept the usage. It did not know which counts were
// given, so all of them count as given.
type oldUsage struct {
	InputTokens    int64 `json:"input_tokens,omitempty"`
	OutputTokens   int64 `json:"output_tokens,omitempty"`
	CachedTokens   int64 `json:"cached_tokens,omitempty"`
	ThinkingTokens int64 `json:"thinking_tokens,omitempty"`
}

// writeUsage writes the members of a usage.
func writeUsage(w *jsontree.Writer, u *provider.Usage) {
	writeCount(w, "input", u.Input)
	writeCount(w, "output", u.Output)
	writeCount(w, "cache_read", u.CacheRead)
	writeCount(w, "cache_write", u.CacheWrite)
	writeCount(w, "cache_write_long", u.CacheWriteLong)
	writeCount(w, "reasoning", u.Reasoning)
	if u.Batch {
		w.Key("batch").Bool(true)
	}
}

func writeCount(w *jsontree.Writer, key string, c provider.Count) {
	if c.Given {
		w.Key(key).Int(c.N)
	}
}

func counted(n *int64) provider.Count {
	if n == nil {
		return provider.Count{}
	}
	return provider.Tokens(*n)
}

func (h *head) usage() provider.Usage {
	if u := h.Usage; u != nil {
		return provider.Usage{
			Input: counted(u.Input), Output: counted(u.Output), CacheRead: counted(u.CacheRead), CacheWrite: counted(u.CacheWrite),
			CacheWriteLong: counted(u.CacheWriteLong), Reasoning: counted(u.Reasoning), Batch: u.Batch,
		}
	}
	return provider.Usage{
		Input: provider.Tokens(h.InputTokens), Output: provider.Tokens(h.OutputTokens),
		CacheRead: provider.Tokens(h.CachedTokens), Reasoning: provider.Tokens(h.ThinkingTokens),
	}
}

func sourceOf(l *reqlog.Log) string {
	if l.Price.Source == reqlog.PriceSent {
		return ""
	}
	return l.Price.Source.String()
}

// price returns the price of a log. Version 0.1 stored a price with every
// log; it counts as sent.
func (h *head) price() reqlog.Price {
	switch source := reqlog.PriceSourceOf(h.PriceSource); {
	case h.Price == nil:
		return reqlog.Price{}
	case source != 0:
		return reqlog.Price{USD: *h.Price, Source: source}
	case h.PriceComputed:
		return reqlog.Price{USD: *h.Price, Source: reqlog.PriceListed}
	default:
		return reqlog.Price{USD: *h.Price, Source: reqlog.PriceSent}
	}
}
