package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"
)

// filterCase is a structured search as a filter and as SQL.
type filterCase struct {
	name string
	// filters is the content of the filter group.
	filters string
	logic   string
	sort    string
	duckPage
}

// body returns the request body of the search.
func (f filterCase) body() []byte {
	logic, sort := f.logic, ""
	if logic == "" {
		logic = "AND"
	}
	if f.sort != "" {
		sort = `,"sort_by":"` + f.sort + `","sort_order":"desc"`
	}
	return fmt.Appendf(nil, `{"filter_group":{"logic":%q,"filters":[%s]}%s,"page":1,"per_page":10}`, logic, f.filters, sort)
}

const newestFirst = "start_time DESC, id DESC"

// filterCases are twelve typical searches, from all logs to very few. Times are
// relative to the newest log.
func (b *bench) filterCases() []filterCase {
	day := func(ago int) time.Time { return b.report.Started.Add(-time.Duration(ago) * 24 * time.Hour) }
	week, fortnight := day(7), day(14)
	between := func(from, to time.Time) string {
		return fmt.Sprintf(`{"field":"request_start_time","operator":"between","value":[%q,%q]}`, from.Format(time.RFC3339Nano), to.Format(time.RFC3339Nano))
	}
	return []filterCase{
		{name: "everything", duckPage: duckPage{"true", newestFirst}},
		{name: "one model", filters: `{"field":"engine","operator":"is","value":"claude-opus-4"}`,
			duckPage: duckPage{"engine = 'claude-opus-4'", newestFirst}},
		{name: "two providers", filters: `{"field":"provider_type","operator":"in","value":["google","mistral"]}`,
			duckPage: duckPage{"provider IN ('google', 'mistral')", newestFirst}},
		{name: "errors", filters: `{"field":"status","operator":"is","value":"ERROR"}`,
			duckPage: duckPage{"status = 'ERROR'", newestFirst}},
		{name: "a tag", filters: `{"field":"tags","operator":"contains","value":"gdpr"}`,
			duckPage: duckPage{"list_contains(tags, 'gdpr')", newestFirst}},
		{name: "a metadata value", filters: `{"field":"metadata","nested_key":"env","operator":"key_equals","value":"staging"}`,
			duckPage: duckPage{"list_contains(metadata_pairs, '" + "env" + separator + "staging')", newestFirst}},
		{name: "one user", filters: `{"field":"metadata","nested_key":"user_id","operator":"key_equals","value":"user_1234"}`,
			duckPage: duckPage{"list_contains(metadata_pairs, '" + "user_id" + separator + "user_1234')", newestFirst}},
		{name: "slow and expensive, by cost", sort: "cost",
			filters:  `{"field":"latency_ms","operator":"gt","value":5000},{"field":"cost","operator":"gte","value":0.005}`,
			duckPage: duckPage{"latency_ms > 5000 AND price >= 0.005", "price DESC, id DESC"}},
		{name: "a week, longest first", sort: "latency_ms", filters: between(fortnight, week),
			duckPage: duckPage{fmt.Sprintf("start_time BETWEEN %d AND %d", fortnight.UnixMicro(), week.UnixMicro()), "latency_ms DESC, id DESC"}},
		{name: "calls of a tool", filters: `{"field":"is_tool_call","operator":"is_true"},{"field":"tool_names","operator":"contains","value":"create_refund"}`,
			duckPage: duckPage{"is_tool_call AND list_contains(tool_names, 'create_refund')", newestFirst}},
		{name: "an output value", filters: `{"field":"output","nested_key":"category","operator":"key_equals","value":"billing"}`,
			duckPage: duckPage{"list_contains(output_pairs, '" + "category" + separator + "billing')", newestFirst}},
		{name: "either of two groups", logic: "OR",
			filters: `{"logic":"AND","filters":[{"field":"engine","operator":"is","value":"gpt-4o"},{"field":"output_tokens","operator":"gt","value":200}]},` +
				`{"logic":"AND","filters":[{"field":"tags","operator":"in","value":["vip","enterprise"]},{"field":"status","operator":"is_not","value":"SUCCESS"}]}`,
			duckPage: duckPage{"(engine = 'gpt-4o' AND output_tokens > 200) OR (list_has_any(tags, ['vip', 'enterprise']) AND status <> 'SUCCESS')", newestFirst}},
	}
}

// foundPage is the used part of a search response.
type foundPage struct {
	Total int64
	Items []struct{ ID int64 }
}

func (f foundPage) ids() []int64 {
	var ids []int64
	for _, item := range f.Items {
		ids = append(ids, item.ID)
	}
	return ids
}

const searchPath = "/api/public/v2/requests/search"

// searchProgram searches in the program.
func searchProgram(c *client, body []byte) (foundPage, error) {
	var found foundPage
	answer, err := c.expect(http.StatusOK, "POST", searchPath, body)
	if err != nil {
		return found, err
	}
	if err := json.Unmarshal(answer, &found); err != nil {
		return found, fmt.Errorf("read the found page: %w", err)
	}
	return found, nil
}

// timeSearches returns the median time of each body over one connection.
func (b *bench) timeSearches(bodies [][]byte) ([]time.Duration, error) {
	c, err := b.server.connect()
	if err != nil {
		return nil, err
	}
	defer c.close()
	times := make([]time.Duration, len(bodies))
	for i, body := range bodies {
		times[i], err = medianOf(func() error {
			_, err := c.expect(http.StatusOK, "POST", searchPath, body)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return times, nil
}

func (b *bench) filterBodies() [][]byte {
	var bodies [][]byte
	for _, f := range b.filterCases() {
		bodies = append(bodies, f.body())
	}
	return bodies
}

// measureSearch compares the times and results of the twelve searches.
func (b *bench) measureSearch() error {
	cases := b.filterCases()
	anchors := make([]time.Duration, len(cases))
	for i, f := range cases {
		var err error
		anchors[i], err = medianOf(func() error {
			return b.searchAnchor(f.duckPage)
		})
		if err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		b.progress("plain engine, %s: %v", f.name, anchors[i].Round(10*time.Microsecond))
	}
	if b.anchorsOnly {
		b.report.atMost("search, 12 filters, geometric mean", quantity{}, milliseconds(geomean(anchors)), 1.3)
		return nil
	}
	if err := b.compareSearches(cases); err != nil {
		return err
	}
	ours, err := b.timeSearches(b.filterBodies())
	if err != nil {
		return err
	}
	b.search = ours
	for i, f := range cases {
		b.report.compare("search: "+f.name, milliseconds(ours[i]), milliseconds(anchors[i]), "", nil)
	}
	b.report.atMost("search, 12 filters, geometric mean", milliseconds(geomean(ours)), milliseconds(geomean(anchors)), 1.3)
	b.report.atMost("search, 12 filters, slowest", milliseconds(slices.Max(ours)), milliseconds(slices.Max(anchors)), 1.5)
	b.report.atMost("search, growth from a fifth", milliseconds(geomean(ours)), milliseconds(geomean(b.small.search)), 2)
	return nil
}

// searchAnchor runs a search on the plain engine.
func (b *bench) searchAnchor(page duckPage) error {
	if b.house != nil {
		return b.house.search(page)
	}
	_, _, err := b.duck.search(page)
	return err
}

// compareSearches checks totals and pages against DuckDB.
func (b *bench) compareSearches(cases []filterCase) error {
	c, err := b.server.connect()
	if err != nil {
		return err
	}
	defer c.close()
	for _, f := range cases {
		total, ids, err := b.duck.search(f.duckPage)
		if err != nil {
			return err
		}
		found, err := searchProgram(c, f.body())
		if err != nil {
			return err
		}
		b.report.same("total of search: "+f.name, found.Total, total)
		b.report.same("page of search: "+f.name, fmt.Sprint(found.ids()), fmt.Sprint(ids))
	}
	return nil
}

// smallRun has the measurements after a fifth of the logs.
type smallRun struct {
	search    []time.Duration
	analytics time.Duration
}

// measureSmall takes the measurements whose growth with the number of logs is
// limited.
func (b *bench) measureSmall() (err error) {
	if b.small.search, err = b.timeSearches(b.filterBodies()); err != nil {
		return err
	}
	b.small.analytics, err = b.timeAnalytics(b.analyticsCases()[0])
	return err
}
