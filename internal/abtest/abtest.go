// Package abtest compares the versions of an A/B test by the requests that were
// logged with each of them, and stops tests whose versions do worse than agreed.
package abtest

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/job"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/reqlog/chart"
	"github.com/promptuary/promptuary/internal/reqlog/query"
	"github.com/promptuary/promptuary/internal/webhook"
)

// Tests has A/B tests and the labels of their templates. *prompt.Service is one.
type Tests interface {
	CreateABTest(ctx context.Context, workspace int64, in prompt.NewABTest) (*prompt.ABTest, error)
	SetSplit(ctx context.Context, workspace, id int64, split prompt.Split, author *string) (*prompt.ABTest, error)
	StopABTest(ctx context.Context, t *prompt.ABTest, baseline int64, why prompt.Stopped) (*prompt.ABTest, error)
	ABTest(ctx context.Context, workspace, id int64) (*prompt.ABTest, error)
	Labels(ctx context.Context, workspace int64, identifier string) ([]entity.Label, error)
}

// Logs summarizes request logs. *requests.Service is one.
type Logs interface {
	Measure(ctx context.Context, workspace int64, in query.Input, from, until time.Time, by []chart.Dimension, measures ...chart.Measure) ([]chart.AggregateRow, error)
}

// Queue stores the jobs that watch tests, in the transactions of their changes.
type Queue interface {
	InTx(ctx context.Context, fn func(ctx context.Context) error) error
	// EnsureJob makes a process look at a subject soon, with a job that may exist.
	EnsureJob(ctx context.Context, workspace int64, kind job.Kind, subject int64) error
}

// Notices tells people about a test that was stopped, in the transaction of the
// change.
type Notices interface {
	TestStopped(ctx context.Context, t webhook.StoppedTest) error
}

// Options configure a Service.
type Options struct {
	// Jobs accepts the background work of the service, which is its worker.
	Jobs    job.Queue
	Tests   Tests
	Logs    Logs
	Queue   Queue
	Notices Notices
	// Clock is time.Now if nil.
	Clock func() time.Time
	// Every is how often a test with a guard is compared, a minute if 0.
	Every time.Duration
}

// Service compares versions. It is safe for concurrent use, and the worker for jobs
// of its kind.
type Service struct {
	tests   Tests
	logs    Logs
	queue   Queue
	notices Notices
	clock   func() time.Time
	every   time.Duration
	jobs    job.Queue
}

// NewService returns a service.
func NewService(o Options) *Service {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	return &Service{jobs: o.Jobs, tests: o.Tests, logs: o.Logs, queue: o.Queue, notices: o.Notices, clock: o.Clock, every: cmp.Or(o.Every, every)}
}

// Results are the versions of a test side by side.
type Results struct {
	Test *prompt.ABTest
	// Requests that started from From until Until, which is excluded, count.
	From, Until time.Time
	// Baseline is the version that the others are compared with.
	Baseline int64
	Arms     []Arm
}

// Arm is a version of a test. Estimates are nil if there is nothing to estimate
// them from.
type Arm struct {
	Version  int64
	Requests int64
	// Errors is the share of requests with the status ERROR.
	Errors *Estimate
	// Cost is the median cost of a request in US dollars, and Latency its median
	// latency in milliseconds.
	Cost, Latency *Estimate
	// TotalCost is in US dollars, LatencyP95 in milliseconds.
	TotalCost  float64
	LatencyP95 *float64
	// Scores are the means of the scores that most requests have, by name.
	Scores map[string]Estimate
	// Findings compare the arm with the baseline; they are empty for the baseline
	// itself.
	Findings []Finding
}

// Results compares the versions of a test by the requests since its split was last
// changed, or since another time. Of a test that its guard has stopped, they are
// those that the guard has seen.
func (s *Service) Results(ctx context.Context, workspace, id int64, since *time.Time) (*Results, error) {
	test, err := s.tests.ABTest(ctx, workspace, id)
	if err != nil {
		return nil, err
	}
	r := &Results{Test: test, From: test.Entity.UpdatedAt, Until: s.clock()}
	if stopped := test.Split.Stopped; stopped != nil {
		r.From, r.Until = stopped.From, stopped.At
	}
	if since != nil {
		r.From = *since
	}
	versions := versionsOf(test.Split)
	if r.Baseline, err = s.baseline(ctx, workspace, test, versions); err != nil {
		return nil, err
	}
	m := measurement{service: s, ctx: ctx, workspace: workspace, results: r, arms: map[int64]*Arm{}, priced: map[int64]int64{}}
	for _, version := range versions {
		m.arms[version] = &Arm{Version: version, Scores: map[string]Estimate{}}
	}
	if err := m.measure(); err != nil {
		return nil, err
	}
	for _, version := range versions {
		arm := m.arms[version]
		if version != r.Baseline {
			arm.Findings = compare(arm, m.arms[r.Baseline])
		}
		r.Arms = append(r.Arms, *arm)
	}
	return r, nil
}

// versionsOf returns the versions of a split in ascending order.
func versionsOf(split prompt.Split) []int64 {
	var versions []int64
	add := func(weights []prompt.Weight) {
		for _, w := range weights {
			versions = append(versions, w.Version)
		}
	}
	add(split.Weights)
	for _, segment := range split.Segments {
		add(segment.Weights)
	}
	slices.Sort(versions)
	return slices.Compact(versions)
}

// baseline returns the version that the label of the test points at, or the oldest
// one if that is not part of the test.
func (s *Service) baseline(ctx context.Context, workspace int64, test *prompt.ABTest, versions []int64) (int64, error) {
	labels, err := s.tests.Labels(ctx, workspace, strconv.FormatInt(test.PromptID, 10))
	if err != nil {
		return 0, err
	}
	for _, label := range labels {
		if label.ID == test.LabelID && slices.Contains(versions, label.VersionNumber) {
			return label.VersionNumber, nil
		}
	}
	return versions[0], nil
}
