package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// analyticsCase is a selection of logs for analytics.
type analyticsCase struct {
	name   string
	filter string
	where  string
}

func (b *bench) analyticsCases() []analyticsCase {
	week := b.report.Started.Add(-7 * 24 * time.Hour)
	return []analyticsCase{
		{"all logs", "", "true"},
		{"7 days", fmt.Sprintf(`{"field":"request_start_time","operator":"after","value":%q}`, week.Format(time.RFC3339)),
			fmt.Sprintf("start_time > %d", week.UnixMicro())},
		{"one model", `{"field":"engine","operator":"is","value":"gpt-4o"}`, "engine = 'gpt-4o'"},
	}
}

func (a analyticsCase) body() []byte {
	return fmt.Appendf(nil, `{"filter_group":{"logic":"AND","filters":[%s]}}`, a.filter)
}

const analyticsPath = "/api/public/v2/requests/analytics"

func (b *bench) timeAnalytics(a analyticsCase) (time.Duration, error) {
	c, err := b.server.connect()
	if err != nil {
		return 0, err
	}
	defer c.close()
	return medianOf(func() error {
		_, err := c.expect(http.StatusOK, "POST", analyticsPath, a.body())
		return err
	})
}

// analyticsAim is how much longer than on the plain engine analytics may take.
func (b *bench) analyticsAim(a analyticsCase) float64 {
	switch {
	case b.house != nil:
		return 1.3
	case a.filter == "":
		return 0.5
	default:
		return 1.2
	}
}

// measureAnalytics compares the times and numbers of analytics.
func (b *bench) measureAnalytics() error {
	for i, a := range b.analyticsCases() {
		anchor, err := medianOf(func() error {
			return b.analyticsAnchor(a.where)
		})
		if err != nil {
			return fmt.Errorf("%s: %w", a.name, err)
		}
		var ours time.Duration
		if !b.anchorsOnly {
			if err := b.compareAnalytics(a); err != nil {
				return err
			}
			if ours, err = b.timeAnalytics(a); err != nil {
				return err
			}
		}
		b.report.atMost("analytics, "+a.name, b.ours(milliseconds(ours)), milliseconds(anchor), b.analyticsAim(a))
		if i == 0 && !b.anchorsOnly {
			b.report.atMost("analytics, growth from a fifth", milliseconds(ours), milliseconds(b.small.analytics), 5.5)
		}
	}
	return nil
}

// analyticsAnchor computes analytics on the plain engine.
func (b *bench) analyticsAnchor(where string) error {
	if b.house != nil {
		return b.house.analyze(where)
	}
	_, err := b.duck.analyze(where)
	return err
}

func (b *bench) compareAnalytics(a analyticsCase) error {
	want, err := b.duck.analyze(a.where)
	if err != nil {
		return err
	}
	c, err := b.server.connect()
	if err != nil {
		return err
	}
	defer c.close()
	answer, err := c.expect(http.StatusOK, "POST", analyticsPath, a.body())
	if err != nil {
		return err
	}
	var got analyticsAnswer
	if err := json.Unmarshal(answer, &got); err != nil {
		return fmt.Errorf("read analytics: %w", err)
	}
	b.report.sameFacts("analytics, "+a.name, got.facts(), want)
	return nil
}

// analyticsAnswer is the compared part of the analytics response.
type analyticsAnswer struct {
	TotalRequests  float64
	TotalCost      float64
	TotalTokens    float64
	AverageLatency float64
	Stats          []struct {
		Date         string
		Requests     float64
		Cost         float64
		Tokens       float64
		StatusCounts map[string]float64
		Shapes       struct{ JSON, ToolCall, PlainText float64 } `json:"outputShapeCounts"`
		AvgTurnCount float64
		P95Calls     float64 `json:"toolCallCountP95"`
	}
	MostUsedModels       [][2]any
	Latency              map[string]map[string]float64
	LatencyByModelByDay  map[string]map[string][][2]any
	ErrorTypes           []namedFact
	ProviderBreakdown    []namedFact
	TagsBreakdown        []namedFact
	MetadataKeysTop      []namedFact
	OutputKeysTop        []namedFact
	ToolsLatency         []namedFact
	MetadataValues       []namedFact `json:"metadataValueBreakdown"`
	ModelRequestsByDay   map[string][][2]any
	LatencyByProviderDay map[string]map[string][][2]any `json:"latencyByProviderByDay"`
}

// namedFact is an entry of any of the ranked lists.
type namedFact struct {
	ErrorType, Provider, Tag, Key, Value, ToolName string
	Requests, Cost, MaxLatencySeconds              float64
}

func (n namedFact) name() string {
	return n.ErrorType + n.Provider + n.Tag + n.Key + "=" + n.Value + n.ToolName
}

// facts returns the numbers of a response by name, so that two sources can be
// compared.
type facts map[string]float64

func (a *analyticsAnswer) facts() facts {
	f := facts{"requests": a.TotalRequests, "cost": a.TotalCost, "tokens": a.TotalTokens, "latency": a.AverageLatency}
	for _, s := range a.Stats {
		f.bucket(s.Date, s.Requests, s.Cost, s.Tokens, s.AvgTurnCount, s.P95Calls)
		for status, n := range s.StatusCounts {
			f[s.Date+" "+status] = n
		}
		f.shapes(s.Date, s.Shapes.JSON, s.Shapes.ToolCall, s.Shapes.PlainText)
	}
	for date, seconds := range a.Latency["p95_latency"] {
		f["p95 "+date] = seconds
	}
	for model, series := range a.LatencyByModelByDay {
		f.series("p50 "+model, series["p50_latency"])
	}
	for provider, series := range a.LatencyByProviderDay {
		f.series("p90 "+provider, series["p90_latency"])
	}
	for model, series := range a.ModelRequestsByDay {
		f.series("requests "+model, series)
	}
	f.series("model", a.MostUsedModels)
	for list, entries := range map[string][]namedFact{
		"error": a.ErrorTypes, "provider": a.ProviderBreakdown, "tag": a.TagsBreakdown, "metadata": a.MetadataKeysTop,
		"output": a.OutputKeysTop, "tool": a.ToolsLatency, "value": a.MetadataValues,
	} {
		for _, e := range entries {
			f.named(list, e)
		}
	}
	return f
}

func (f facts) bucket(date string, requests, cost, tokens, turns, calls float64) {
	f[date+" requests"], f[date+" cost"], f[date+" tokens"] = requests, cost, tokens
	f[date+" turns"], f[date+" tool calls"] = turns, calls
}

func (f facts) shapes(date string, object, call, plain float64) {
	f[date+" json"], f[date+" tool"], f[date+" plain"] = object, call, plain
}

func (f facts) series(name string, points [][2]any) {
	for _, p := range points {
		if n, ok := p[1].(float64); ok {
			f[fmt.Sprint(name, " ", p[0])] = n
		}
	}
}

func (f facts) named(list string, e namedFact) {
	f[list+" "+e.name()+" requests"] = e.Requests
	switch list {
	case "provider", "tag", "value":
		f[list+" "+e.name()+" cost"] = e.Cost
	case "tool":
		f[list+" "+e.name()+" slowest"] = e.MaxLatencySeconds
	}
}
