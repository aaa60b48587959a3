package document

import (
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/reqlog"
)

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

// storedUsage is the token usage in the document of a log. Version 0.1 kept the counts
// beside the other values. It did not know which were given, so all of them count as
// given.
type storedUsage struct {
	given bool
	usage provider.Usage
	old   struct{ input, output, cached, thinking int64 }
}

// decode reads a member of the document, if it is one of the usage.
func (u *storedUsage) decode(d *decoder, v jsontree.Value) {
	switch v.KeyView() {
	case "usage":
		u.given, u.usage = v.Given(), d.usage(v)
	case "input_tokens":
		u.old.input = d.int(v)
	case "output_tokens":
		u.old.output = d.int(v)
	case "cached_tokens":
		u.old.cached = d.int(v)
	case "thinking_tokens":
		u.old.thinking = d.int(v)
	}
}

func (u *storedUsage) value() provider.Usage {
	if u.given {
		return u.usage
	}
	return provider.Usage{
		Input: provider.Tokens(u.old.input), Output: provider.Tokens(u.old.output),
		CacheRead: provider.Tokens(u.old.cached), Reasoning: provider.Tokens(u.old.thinking),
	}
}

func (d *decoder) usage(v jsontree.Value) (u provider.Usage) {
	for member := range d.members(v) {
		switch member.KeyView() {
		case "input":
			u.Input = d.count(member)
		case "output":
			u.Output = d.count(member)
		case "cache_read":
			u.CacheRead = d.count(member)
		case "cache_write":
			u.CacheWrite = d.count(member)
		case "cache_write_long":
			u.CacheWriteLong = d.count(member)
		case "reasoning":
			u.Reasoning = d.count(member)
		case "batch":
			u.Batch = d.bool(member)
		}
	}
	return u
}

func (d *decoder) count(v jsontree.Value) provider.Count {
	if !v.Given() {
		return provider.Count{}
	}
	return provider.Tokens(d.int(v))
}

func sourceOf(l *reqlog.Log) string {
	if l.Price.Source == reqlog.PriceSent {
		return ""
	}
	return l.Price.Source.String()
}

// storedPrice is the price in the document of a log. One without a source was sent.
// Version 0.1 stored a price with every log, and a later one whether it was computed.
type storedPrice struct {
	given    bool
	usd      float64
	source   string
	computed bool
}

// decode reads a member of the document, if it is one of the price.
func (p *storedPrice) decode(d *decoder, v jsontree.Value) {
	switch v.KeyView() {
	case "price":
		p.given, p.usd = v.Given(), d.float(v)
	case "price_source":
		p.source = d.text(v)
	case "price_computed":
		p.computed = d.bool(v)
	}
}

func (p *storedPrice) value() reqlog.Price {
	switch source := reqlog.PriceSourceOf(p.source); {
	case !p.given:
		return reqlog.Price{}
	case source != 0:
		return reqlog.Price{USD: p.usd, Source: source}
	case p.computed:
		return reqlog.Price{USD: p.usd, Source: reqlog.PriceListed}
	default:
		return reqlog.Price{USD: p.usd, Source: reqlog.PriceSent}
	}
}
