package eval

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/chart"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// Logs is the part of requests.Service that the usage of runs is read from.
type Logs interface {
	Measure(ctx context.Context, workspace int64, in query.Input, from, until time.Time, by []chart.Dimension, measures ...chart.Measure) ([]chart.AggregateRow, error)
}

// RunTag is the tag of the request logs of a run, and ColumnTag that of one of
// its columns, whose id no other run has.
func RunTag(runID int64) string { return "evaluate-" + strconv.FormatInt(runID, 10) }

// ColumnTag is the tag of the request logs of a column of a run.
func ColumnTag(columnID int64) string { return "column-" + strconv.FormatInt(columnID, 10) }

// Usage is what a run took: its time, and the requests of its columns to models.
type Usage struct {
	// Time is nil while the run is active.
	Time  *time.Duration
	Total Spent
	// Columns are those that made requests or ran workflows, in the order of the run.
	Columns []ColumnUsage
}

// Spent sums up requests to models.
type Spent struct {
	Requests int64
	// Cost is in dollars, nil if no request has a known cost.
	Cost *float64
	// Latency is the median, LatencyP95 the 95th percentile, in milliseconds; nil
	// without requests.
	Latency, LatencyP95 *float64
}

// ColumnUsage is the usage of one column.
type ColumnUsage struct {
	ID   int64
	Name string
	Spent
	// Prompts are the versions of prompts that the requests were made with, most
	// frequent first.
	Prompts []UsedPrompt
	// Workflows are the versions of workflows that the column ran, also within
	// others, most frequent first.
	Workflows []UsedWorkflow
}

// UsedPrompt is a version of a prompt and the number of requests made with it.
type UsedPrompt struct{ ID, Version, Requests int64 }

// clockSlack is how far the clocks of servers may differ: a log may begin before
// its run was created.
const clockSlack = time.Minute

// spent are the measures of Spent.
var spent = []chart.Measure{
	{Metric: chart.MetricCount},
	{Metric: chart.MetricSum, Field: query.FieldCost},
	{Metric: chart.MetricPercentile, Field: query.FieldLatency, Percentile: 50},
	{Metric: chart.MetricPercentile, Field: query.FieldLatency, Percentile: 95},
}

// Usage returns what a run took until now, from its request logs. The fault is
// NotFound if the run does not exist, BadRequest for an evaluation, and
// Unavailable if there are no logs.
func (s *Service) Usage(ctx context.Context, workspace, id int64) (Usage, error) {
	report, err := s.Get(ctx, workspace, id)
	switch {
	case err != nil:
		return Usage{}, err
	case report.Run == nil:
		return Usage{}, fault.BadRequestf("Only runs have a usage, and report %d is an evaluation", id)
	case s.logs == nil:
		return Usage{}, fault.New(fault.Unavailable, "Request logs are not available on this server")
	}
	m := measuring{store: s.store, logs: s.logs, run: report.Run, until: s.clock(), columns: report.Columns[datasetCount(report.Columns):]}
	var usage Usage
	if ended := report.Run.EndedAt; ended != nil {
		took := ended.Sub(report.Run.CreatedAt)
		usage.Time, m.until = &took, *ended
	}
	if len(m.columns) == 0 {
		return usage, nil
	}
	if err = m.read(ctx, &usage); err != nil {
		return Usage{}, fmt.Errorf("measure run %d: %w", id, err)
	}
	return usage, nil
}

// measuring reads the usage of a run.
type measuring struct {
	store   Store
	logs    Logs
	run     *Run
	until   time.Time
	columns []Column
}

// maxUsedWorkflows is the maximum number of versions of workflows in a usage.
const maxUsedWorkflows = 1000

// read asks four questions, whatever the numbers of rows and columns.
func (m *measuring) read(ctx context.Context, usage *Usage) error {
	total, err := m.ask(ctx, nil, spent...)
	if err != nil {
		return err
	}
	for _, row := range total {
		usage.Total = spentOf(row.Values)
	}
	workflows, err := m.workflows(ctx)
	if err != nil {
		return err
	}
	columns, prompts := map[string]Spent{}, map[string][]UsedPrompt{}
	if usage.Total.Requests > 0 {
		if columns, prompts, err = m.requests(ctx); err != nil {
			return err
		}
	}
	for _, c := range m.columns {
		tag := ColumnTag(c.ID)
		if taken, asked := columns[tag]; asked || len(workflows[c.ID]) > 0 {
			usage.Columns = append(usage.Columns, ColumnUsage{ID: c.ID, Name: c.Name, Spent: taken, Prompts: prompts[tag], Workflows: workflows[c.ID]})
		}
	}
	return nil
}

// workflows returns the versions of workflows by the id of their column.
func (m *measuring) workflows(ctx context.Context) (map[int64][]UsedWorkflow, error) {
	found, err := m.store.ReportRunWorkflows(ctx, m.run.ID, maxUsedWorkflows)
	used := map[int64][]UsedWorkflow{}
	for _, one := range found {
		used[one.ColumnID] = append(used[one.ColumnID], one)
	}
	return used, err
}

// requests returns what was spent, and the versions of prompts, by the tag of the
// column.
func (m *measuring) requests(ctx context.Context) (map[string]Spent, map[string][]UsedPrompt, error) {
	byColumn := m.byColumn()
	taken, err := m.ask(ctx, []chart.Dimension{byColumn}, spent...)
	if err != nil {
		return nil, nil, err
	}
	columns := map[string]Spent{}
	for _, row := range taken {
		columns[row.Keys[0]] = spentOf(row.Values)
	}
	found, err := m.ask(ctx, []chart.Dimension{byColumn, {Field: query.FieldPromptID}, {Field: query.FieldPromptVersion}}, spent[0])
	prompts := map[string][]UsedPrompt{}
	for _, row := range found {
		prompts[row.Keys[0]] = append(prompts[row.Keys[0]], UsedPrompt{ID: number(row.Keys[1]), Version: number(row.Keys[2]), Requests: whole(row.Values[0])})
	}
	for _, used := range prompts {
		slices.SortFunc(used, func(a, b UsedPrompt) int {
			return cmp.Or(cmp.Compare(b.Requests, a.Requests), cmp.Compare(a.ID, b.ID), cmp.Compare(b.Version, a.Version))
		})
	}
	return columns, prompts, err
}

// byColumn groups by the tags of the columns.
func (m *measuring) byColumn() chart.Dimension {
	tags := make([]string, len(m.columns))
	for i, c := range m.columns {
		tags[i] = ColumnTag(c.ID)
	}
	return chart.Dimension{Field: query.FieldTags, Only: tags}
}

func (m *measuring) ask(ctx context.Context, by []chart.Dimension, measures ...chart.Measure) ([]chart.AggregateRow, error) {
	// Clients can use the same tags, but not the same source.
	filter := query.Group{Nodes: []query.Node{
		query.Cond{Field: query.FieldSource, Op: query.OpIs, Texts: []string{string(reqlog.SourceEvaluation)}},
		query.Cond{Field: query.FieldTags, Op: query.OpIn, Texts: []string{RunTag(m.run.ID)}},
	}}
	return m.logs.Measure(ctx, m.run.Workspace, query.Input{Filter: filter}, m.run.CreatedAt.Add(-clockSlack), m.until.Add(clockSlack), by, measures...)
}

func spentOf(values []*float64) Spent {
	return Spent{Requests: whole(values[0]), Cost: values[1], Latency: values[2], LatencyP95: values[3]}
}

func whole(value *float64) int64 {
	if value == nil {
		return 0
	}
	return int64(*value)
}

// number returns the value of a key of an identifier field.
func number(key string) int64 {
	n, _ := strconv.ParseInt(key, 10, 64) // always a number
	return n
}
