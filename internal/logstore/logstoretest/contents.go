package logstoretest

import (
	"fmt"
	"math"
	"strings"

	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/chart"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// plain is a short log of the home workspace.
func plain(id int64, text string) *reqlog.Log {
	l := &reqlog.Log{
		ID: id, Workspace: Home, CreatedAt: reqlog.Micros(id), Provider: "openai", Engine: "gpt-4o", Status: reqlog.StatusSuccess,
		Start: reqlog.Micros(1_700_000_000_000_000 + id), End: reqlog.Micros(1_700_000_001_000_000 + id),
		Input:  join(`{"type":"chat","messages":[{"role":"user","content":[{"type":"text","text":`, quote(text), `}]}]}`),
		Output: join(`{"type":"chat","messages":[{"role":"assistant","content":[{"type":"text","text":"yes"}]}]}`),
	}
	reqlog.Derive(l)
	return l
}

func testEmptyStore(s *suite) {
	for _, workspace := range []int64{Home, 0} {
		s.nothing(query.Query{Workspace: workspace})
		s.nothing(query.Query{Workspace: workspace, Text: "refund"})
		s.nothing(query.Query{Workspace: workspace, Text: "{}", Filter: query.Cond{Field: query.FieldInputText, Op: query.OpNotContains, Texts: []string{"x"}}})
	}
	s.ok(s.Store.Write(s.ctx, reqlog.Batch{}))
	s.nothing(home(nil, ""))
	s.sameLogs()
}

// sameLogs checks that both stores hold the same logs in the same state.
func (s *suite) sameLogs() {
	s.t.Helper()
	s.selects(home(nil, ""))
	s.finds(query.SearchQuery{Query: home(nil, ""), SortBy: query.FieldStart, Page: 1, PerPage: 40})
	s.analyzes(chart.AnalyzeQuery{Query: home(nil, ""), Bucket: chart.BucketDay})
	testGet(s)
}

// testLongLists has more of everything than the ranked lists of analytics
// show. The prompts with the most requests are not those with the highest cost.
func testLongLists(s *suite) {
	var logs []*reqlog.Log
	for i := range 130 {
		for range 1 + max(0, 1-i/50) {
			l := plain(int64(len(logs)+1), "refund")
			name := fmt.Sprintf("%03d", i)
			l.Engine, l.Provider, l.Tags, l.ErrorType = "m"+name, "p"+name, []string{"t" + name}, "e"+name
			l.Price = reqlog.Price{USD: float64(i/50) * float64(1+i%7) / 8, Source: reqlog.PriceSent}
			l.Prompt = &reqlog.PromptLink{ID: int64(1000 + i), Version: 1}
			l.Metadata = []reqlog.Member{{Key: strings.Repeat("k", i%13+1) + name, Value: quote(name)}}
			l.Output = join(`{"type":"chat","messages":[{"role":"assistant","tool_calls":[{"function":{"name":"f`, name, `","arguments":"{\"o`, name, `\":1}"}}]}]}`)
			reqlog.Derive(l)
			logs = append(logs, l)
		}
	}
	s.append(logs...)
	a := s.analyzes(chart.AnalyzeQuery{Query: home(nil, ""), Bucket: chart.BucketMinute})
	for name, length := range map[string]int{
		"models": len(a.Models), "providers": len(a.Providers), "prompts": len(a.Prompts), "used prompts": len(a.MostUsedPrompts),
		"tags": len(a.Tags), "errors": len(a.ErrorTypes), "metadata keys": len(a.MetadataKeys), "output keys": len(a.OutputKeys),
		"tools": len(a.Tools), "metadata values": len(a.MetadataValues), "series of models": len(a.ByModel),
	} {
		if length != chart.TopRows {
			s.t.Errorf("%d %s, want %d", length, name, chart.TopRows)
		}
	}
}

// How large the parts of large logs are.
const (
	million = 1 << 20
	many    = 10_000
)

// largeLogs have more text, keys, values and tags than anybody expects.
func largeLogs() []*reqlog.Log {
	long, keys, values := plain(1, strings.Repeat("lorem ipsum ", million/12)+"needle 😀"), plain(2, "keys"), plain(3, "values")
	long.Parameters = join(`{"x":`, quote(strings.Repeat("\x00%", 1000)), `}`)
	long.Metadata = []reqlog.Member{{Key: "long", Value: quote(strings.Repeat("é", million/2))}}
	list := make([]string, many)
	for i := range many {
		keys.Metadata = append(keys.Metadata, reqlog.Member{Key: fmt.Sprintf("key %d", i), Value: quote(fmt.Sprint(i))})
		list[i] = fmt.Sprintf(`"value %d"`, i)
		if i < 1000 {
			values.Tags = append(values.Tags, fmt.Sprintf("tag %d", i))
		}
	}
	values.Metadata = []reqlog.Member{{Key: "list", Value: join(`[`, strings.Join(list, ","), `]`)}}
	values.Output = join(`{"type":"chat","messages":[{"role":"assistant","content":[{"type":"text","text":`, quote(`{"a":[`+strings.Join(list, ",")+`]}`), `}]}]}`)
	logs := []*reqlog.Log{long, keys, values}
	for _, l := range logs {
		reqlog.Derive(l)
	}
	return logs
}

func testLargeLogs(s *suite) {
	s.append(largeLogs()...)
	s.sameLogs()
	last := []string{fmt.Sprint("value ", many-1)}
	for _, cond := range []query.Cond{
		{Field: query.FieldInputText, Op: query.OpEndsWith, Texts: []string{"NEEDLE 😀"}},
		{Field: query.FieldInputText, Op: query.OpContains, Texts: []string{strings.Repeat("lorem ipsum ", 5000)}},
		{Field: query.FieldMetadata, Op: query.OpKeyEquals, Key: "list", Texts: last},
		{Field: query.FieldOutput, Op: query.OpKeyEquals, Key: "a", Texts: last},
		{Field: query.FieldMetadata, Op: query.OpKeyContains, Key: "long", Texts: []string{strings.Repeat("É", 1000)}},
		{Field: query.FieldMetadataKeys, Op: query.OpContains, Texts: []string{fmt.Sprint("key ", many-1)}},
		{Field: query.FieldTags, Op: query.OpContains, Texts: []string{"tag 999"}},
	} {
		if n := s.selects(home(cond, "")); n != 1 {
			s.t.Errorf("%s %s selects %d logs, want 1", cond.Field, cond.Op, n)
		}
	}
	s.suggests(query.SuggestQuery{Query: home(nil, ""), Field: query.FieldMetadata, Key: "list", Limit: 2 * many})
	s.suggests(query.SuggestQuery{Query: home(nil, ""), Field: query.FieldMetadataKeys, Limit: 2 * many})
	if n := s.selects(home(nil, "needle values")); n != 0 {
		s.t.Errorf("words of different logs are found together in %d logs", n)
	}
	if n := s.selects(home(nil, "neeedle")); n != 1 {
		s.t.Errorf("the last word of a long text is found in %d logs", n)
	}
}

// testExtremeNumbers goes to the edges of what can be logged.
func testExtremeNumbers(s *suite) {
	const most = 1 << 53
	tokens := []int64{0, 1, most - 1, most}
	prices := []float64{0, math.Copysign(0, -1), math.SmallestNonzeroFloat64, 0.1, 1e-5, 123456789.125, 1e300}
	prompts := []int64{1, most, most + 1, math.MaxInt64 - 1, math.MaxInt64}
	starts := []reqlog.Micros{-62_135_596_800_000_000, -1, 0, 1, 253_402_300_799_999_999}
	var logs []*reqlog.Log
	for i := range 35 {
		l := plain(int64(i+1), "number")
		l.Usage = provider.Usage{
			Input: provider.Tokens(tokens[i%4]), Output: provider.Tokens(tokens[(i+1)%4]),
			CacheRead: provider.Tokens(tokens[(i+2)%4]), Reasoning: provider.Tokens(tokens[(i+3)%4]),
		}
		l.Price, l.Start = reqlog.Price{USD: prices[i%7], Source: reqlog.PriceSent}, starts[i%5]
		l.Prompt = &reqlog.PromptLink{ID: prompts[i%5], Version: prompts[(i+1)%5]}
		l.End = starts[(i+i/5)%5]
		reqlog.Derive(l)
		logs = append(logs, l)
	}
	s.append(logs...)
	s.sameLogs()
	g := newGenerator(logs, 8)
	for _, field := range fields {
		switch field.Type() {
		case query.TypeNumeric, query.TypeDatetime, query.TypeIdentifier:
			for _, op := range field.Type().Operators() {
				for range 4 {
					s.selects(home(g.cond(field, op), ""))
				}
			}
		}
		switch field.Type() {
		case query.TypeNumeric, query.TypeIdentifier:
			s.aggregates(chart.AggregateQuery{Query: home(nil, ""), By: []chart.Dimension{{Field: field}}, Measures: []chart.Measure{count, cost}})
		}
	}
	for _, bucket := range buckets {
		s.aggregates(chart.AggregateQuery{Query: home(nil, ""), By: []chart.Dimension{{Bucket: &bucket}}, Measures: []chart.Measure{count, slow}})
	}
	for _, field := range sortable {
		s.finds(query.SearchQuery{Query: home(nil, ""), SortBy: field, Page: 1, PerPage: 40})
	}
}

func testBatches(s *suite) {
	id := int64(0)
	for _, size := range []int{1, 2, 3, 10, 100, 1000, 0, 1} {
		batch := make([]*reqlog.Log, size)
		for i := range batch {
			id++
			batch[i] = plain(id, fmt.Sprintf("batch of %d", size))
		}
		s.append(batch...)
		if n := s.selects(home(nil, "")); int64(n) != id {
			s.t.Fatalf("%d logs after a batch of %d, want %d", n, size, id)
		}
		s.selects(home(nil, fmt.Sprint(size)))
	}
	for _, id := range []int64{1, 2, 6, 7, 116, 117, 1116, 1117} {
		if _, err := s.Store.Get(s.ctx, Home, id); err != nil {
			s.t.Errorf("log %d: %v", id, err)
		}
	}
}
