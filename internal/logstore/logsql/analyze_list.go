package logsql

import (
	"strconv"

	"github.com/promptuary/promptuary/internal/logstore/document"
	"github.com/promptuary/promptuary/internal/reqlog/chart"
)

// Ends of queries of ranked lists. Ties are broken by the number of requests, then
// by name.
var (
	top      = " LIMIT " + strconv.Itoa(chart.TopRows)
	mostCost = func(name string) string {
		return " GROUP BY " + name + " ORDER BY cost DESC, requests DESC, " + name + top
	}
	mostRequest = func(name string) string { return " GROUP BY " + name + " ORDER BY requests DESC, " + name + top }
)

func (a *Analysis) tags() Pass {
	sql := func(w Writer, logs Logs) string {
		return over("tag, count(*) AS requests, "+sumCost+" AS cost, "+sumTokens,
			w.Unnest("tags")+" AS tag, price, input_tokens, output_tokens", logs, mostCost("tag"))
	}
	return Pass{"tags", sql, func(scan Scan) error {
		var b chart.Breakdown
		err := scan(&b.Name, &b.Requests, &b.Cost, &b.InputTokens, &b.OutputTokens)
		a.Result.Tags = append(a.Result.Tags, b)
		return err
	}, nil}
}

func (a *Analysis) tools() Pass {
	sql := func(w Writer, logs Logs) string {
		return over("tool, count(*) AS requests, avg(latency_ms), min(latency_ms), max(latency_ms)",
			w.Unnest("tool_names")+" AS tool, latency_ms", logs, mostRequest("tool"))
	}
	return Pass{"tools", sql, func(scan Scan) error {
		var t chart.ToolStats
		err := scan(&t.Name, &t.Requests, &t.Avg, &t.Min, &t.Max)
		t.Avg, t.Min, t.Max = t.Avg/1000, t.Min/1000, t.Max/1000
		a.Result.Tools = append(a.Result.Tools, t)
		return err
	}, nil}
}

// keys ranks the elements of a list column.
func (a *Analysis) keys(column string, into *[]chart.NamedCount) Pass {
	sql := func(w Writer, logs Logs) string {
		return over("key, count(*) AS requests", w.Unnest(column)+" AS key", logs, mostRequest("key"))
	}
	return Pass{column, sql, func(scan Scan) error {
		var n chart.NamedCount
		err := scan(&n.Name, &n.Requests)
		*into = append(*into, n)
		return err
	}, nil}
}

func (a *Analysis) metadataValues() Pass {
	sql := func(w Writer, logs Logs) string {
		text := over("pair, count(*) AS requests, "+sumCost+" AS cost", w.Unnest("metadata_pairs")+" AS pair, price", logs, "")
		if a.breakdownKey != "" {
			text += " WHERE " + w.startsWith("pair", document.PairText(a.breakdownKey, ""))
		}
		return text + mostCost("pair")
	}
	return Pass{"values", sql, func(scan Scan) error {
		var pair string
		var v chart.ValueBreakdown
		err := scan(&pair, &v.Requests, &v.Cost)
		v.Key, v.Value = document.SplitPair(pair)
		a.Result.MetadataValues = append(a.Result.MetadataValues, v)
		return err
	}, nil}
}
