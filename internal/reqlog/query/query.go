// Package query selects request logs and traces: the fields that a filter may use,
// the operators, how clients write filters, and the contract of a store that reads.
package query

import (
	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// UsageQuery requests what the prices of the logs depend on that a Query selects.
type UsageQuery struct {
	Query
	// After and Last limit the logs: their ids are greater than After, and not
	// greater than Last.
	After, Last int64
	Limit       int
}

// LogUsage is what the price of a log depends on, and its price.
type LogUsage struct {
	ID       int64
	Provider string
	Engine   string
	Start    reqlog.Micros
	Usage    provider.Usage
	Price    reqlog.Price
	// Sent reports whether the log was written with a price that the client sent.
	Sent bool
}

// Query selects logs of one workspace. It cannot select from two.
type Query struct {
	Workspace int64
	// Filter is nil if there is none.
	Filter Node
	// Text is the free text to search for, "" for none.
	Text string
}

// SearchQuery requests one page of the logs that a Query selects.
type SearchQuery struct {
	Query
	// SortBy is "" for the default order: exact matches of Text first, then by
	// start time, newest first. Nulls are last in either direction; ties are
	// broken by id in the direction of the sort.
	SortBy Field
	// SortKey is the name of the score to sort by, if SortBy is a score field.
	SortKey   string
	Ascending bool
	// Page counts from 1.
	Page    int
	PerPage int
}

// Offset returns the number of logs before the page, limited so that it cannot
// overflow.
func (q SearchQuery) Offset() int64 {
	const beyond = 1 << 62
	pages, size := int64(q.Page-1), int64(max(q.PerPage, 1))
	if pages > beyond/size {
		return beyond
	}
	return pages * size
}

// Found is one page of a search.
type Found struct {
	Items []*reqlog.Log
	Total int64
	// Damaged are the ids of logs on the page that can no longer be read.
	Damaged []int64
}

// SuggestQuery requests the values of a field.
type SuggestQuery struct {
	Query
	// Field is one of the string, identifier or array fields, or a nested field
	// together with Key, which selects the values under that key.
	Field Field
	Key   string
	// Prefix restricts to values that start with it, ignoring case.
	Prefix string
	Limit  int
}
