package logsql

import (
	"cmp"
	"strconv"

	"github.com/promptuary/promptuary/internal/logstore/document"
	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// Direction returns the direction of a sort.
func Direction(ascending bool) string {
	if ascending {
		return " ASC"
	}
	return " DESC"
}

// OrderOfLogs writes the order of a search: by the value that SortValue writes, then by
// id; logs without a value are last in either direction. By default, logs that match the
// free text exactly come first, then the newest ones. The function exact writes the
// condition of such logs; it may be nil.
func OrderOfLogs(search query.SearchQuery, value string, exact func() string) string {
	direction, first := Direction(search.Ascending), ""
	if search.SortBy == "" {
		direction = Direction(false)
		if exact != nil {
			first = exact() + " DESC, "
		}
	}
	return " ORDER BY " + first + value + direction + " NULLS LAST, id" + direction
}

// SortValue writes the value by which a search sorts.
func (w Writer) SortValue(search query.SearchQuery) string {
	return w.numberOf(cmp.Or(search.SortBy, query.FieldStart).Spec(), search.SortKey)
}

// SuggestWindow and EnoughLogs bound the work of suggesting values of lists, which
// would otherwise grow with the number of logs: if at least EnoughLogs of the
// newest SuggestWindow logs match, only these are read.
const (
	SuggestWindow = 100_000
	EnoughLogs    = 10_000
)

// IsList reports whether a field has several values for each log.
func IsList(field query.Field) bool {
	typ := field.Type()
	return typ == query.TypeArray || typ.HasKeys()
}

// Suggest writes the query of the most frequent values of a field.
func (w Writer) Suggest(suggest query.SuggestQuery, logs Logs) string {
	text := "SELECT value FROM (SELECT " + w.suggestedValue(suggest) + " AS value FROM "
	if IsList(suggest.Field) {
		text += "(SELECT " + w.Unnest(suggest.Field.Spec().Column) + " AS element FROM " + logs.From() + ")"
	} else {
		text += logs.From()
	}
	if suggest.Key != "" {
		text += " WHERE " + w.startsWith("element", document.PairText(suggest.Key, ""))
	}
	text += ") WHERE value <> ''"
	if suggest.Prefix != "" {
		text += " AND " + w.Test(query.OpStartsWith, w.Lower("value"), w.Lower(w.Text(suggest.Prefix)))
	}
	return text + " GROUP BY value ORDER BY count(*) DESC, value LIMIT " + strconv.Itoa(suggest.Limit)
}

func (w Writer) suggestedValue(suggest query.SuggestQuery) string {
	switch {
	case suggest.Key != "":
		return w.After("element", document.PairText(suggest.Key, ""))
	case IsList(suggest.Field):
		return "element"
	default:
		return suggest.Field.Spec().Column + "::VARCHAR"
	}
}

// UsageColumns are what the price of a log depends on; ScanUsage reads them.
const UsageColumns = "id, provider, engine, start_time, input_tokens, output_tokens, cached_tokens, cache_write_tokens, long_cache_write_tokens," +
	" thinking_tokens, is_batch, price, price_source, repricing, logged_price_source"

// ScanUsage reads UsageColumns.
func ScanUsage(scan Scan) (one query.LogUsage, err error) {
	var counts [6]*int64
	var cost *float64
	var repricing *int64
	var source, logged any
	err = scan(&one.ID, &one.Provider, &one.Engine, (*int64)(&one.Start), &counts[0], &counts[1], &counts[2], &counts[3], &counts[4],
		&counts[5], &one.Usage.Batch, &cost, &source, &repricing, &logged)
	u := &one.Usage
	for i, count := range []*provider.Count{&u.Input, &u.Output, &u.CacheRead, &u.CacheWrite, &u.CacheWriteLong, &u.Reasoning} {
		if counts[i] != nil {
			*count = provider.Tokens(*counts[i])
		}
	}
	if cost != nil {
		one.Price.USD = *cost
	}
	if repricing != nil {
		one.Price.Repricing = *repricing
	}
	one.Price.Source = reqlog.PriceSourceOf(textOf(source))
	one.Sent = textOf(logged) == reqlog.PriceSent.String()
	return one, err
}
