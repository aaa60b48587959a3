package deletion

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/job"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// Rule says how long some logs are kept. It matches by a status, a tag, or both.
type Rule struct {
	Status string `json:"status,omitempty"`
	Tag    string `json:"tag,omitempty"`
	// Days is how many days the logs are kept, 0 forever.
	Days int `json:"days"`
}

// Rules say how long the logs of a workspace are kept, counted from their start.
type Rules struct {
	// Rules are in their order: the first that matches a log decides.
	Rules []Rule `json:"rules"`
	// Days is how many days logs are kept that no rule matches, 0 forever.
	Days int `json:"days"`
	// TextDays is how many days the texts of logs are kept, 0 as long as the logs.
	TextDays int `json:"text_days"`
}

// Empty reports whether everything is kept.
func (r Rules) Empty() bool { return len(r.Rules) == 0 && r.Days == 0 && r.TextDays == 0 }

// Retention is how long a workspace keeps logs.
type Retention struct {
	Workspace int64
	Rules
	// Texts is how far texts were deleted.
	Texts TextProgress
	// DueAt is when the rules are followed next.
	DueAt     time.Time
	UpdatedBy *string
	// UpdatedAt is nil if there never were rules.
	UpdatedAt *time.Time
}

// TextProgress is how far texts were deleted: those of logs up to an id that began
// before a time.
type TextProgress struct {
	Upto   int64     `json:"upto"`
	Before time.Time `json:"before"`
}

// RetentionStore stores rules of retention. Its methods join the transaction of the
// context.
type RetentionStore interface {
	// GetRetention returns the rules of a workspace, without any if there are none.
	GetRetention(ctx context.Context, workspace int64) (Retention, error)

	// PutRetention stores the rules of a workspace with an audit entry, and returns
	// them.
	PutRetention(ctx context.Context, r Retention) (Retention, error)

	// DueRetentions returns rules that are due, of any workspace.
	DueRetentions(ctx context.Context, now time.Time, limit int) ([]Retention, error)

	// AdvanceRetention stores when rules are due next and how far texts were deleted.
	// It reports whether they were still due at the time that r has, which is so for
	// one of several servers only, and after no change of the rules.
	AdvanceRetention(ctx context.Context, r Retention, due time.Time, texts TextProgress) (bool, error)
}

const (
	maxRules = 20
	maxDays  = 36_500
	maxTag   = 1_000
	// retentionEvery is the time between two times that rules are followed, and
	// retentionSoon the time after which new rules are followed first: enough to
	// correct a mistake.
	retentionEvery = 24 * time.Hour
	retentionSoon  = 10 * time.Minute
	// lookEvery is the time between two looks for rules that are due.
	lookEvery = time.Minute
)

// check returns an Invalid fault if rules cannot be followed.
func (r *Rules) check() error {
	if len(r.Rules) > maxRules {
		return fault.New(fault.Invalid, "At most %d rules are allowed", maxRules)
	}
	for i, rule := range r.Rules {
		switch {
		case rule.Status == "" && rule.Tag == "":
			return fault.New(fault.Invalid, "Rule %d needs a status or a tag", i+1)
		case rule.Status != "" && rule.Status != reqlog.StatusSuccess && rule.Status != reqlog.StatusWarning && rule.Status != reqlog.StatusError:
			return fault.New(fault.Invalid, "Rule %d: the status must be SUCCESS, WARNING or ERROR", i+1)
		case len(rule.Tag) > maxTag || strings.ContainsRune(rule.Tag, 0):
			return fault.New(fault.Invalid, "Rule %d: the tag is not valid", i+1)
		case rule.Days < 0 || rule.Days > maxDays:
			return fault.New(fault.Invalid, "Rule %d: the days must be between 0 and %d", i+1, maxDays)
		}
	}
	if r.Days < 0 || r.Days > maxDays || r.TextDays < 0 || r.TextDays > maxDays {
		return fault.New(fault.Invalid, "Days must be between 0 and %d", maxDays)
	}
	return nil
}

// filter is a part of the filter of a query.
type filter = map[string]any

func group(logic string, filters []filter) filter { return filter{"logic": logic, "filters": filters} }

// conditions returns the filters of a rule, or those that it is not met.
func (r *Rule) conditions(met bool) (filters []filter) {
	status, contains := query.OpIs, query.OpContains
	if !met {
		status, contains = query.OpIsNot, query.OpNotContains
	}
	if r.Status != "" {
		filters = append(filters, filter{"field": string(query.FieldStatus), "operator": string(status), "value": r.Status})
	}
	if r.Tag != "" {
		filters = append(filters, filter{"field": string(query.FieldTags), "operator": string(contains), "value": r.Tag})
	}
	return filters
}

func before(at time.Time) filter {
	return filter{"field": string(query.FieldStart), "operator": string(query.OpBefore), "value": at.UTC().Format(time.RFC3339Nano)}
}

func notBefore(at time.Time) filter {
	// Ends of ranges count, and times have microseconds.
	return filter{"field": string(query.FieldStart), "operator": string(query.OpAfter), "value": at.UTC().Add(-time.Microsecond).Format(time.RFC3339Nano)}
}

// due returns the deletions that rules ask for: for each rule, the logs that meet it
// and none before it and are too old, and the texts of all logs that are too old.
func (r *Retention) due(now time.Time, lastID int64) (deletions []Deletion) {
	add := func(days int, filters []filter) {
		if days == 0 {
			return
		}
		filters = append(filters, before(now.AddDate(0, 0, -days)))
		deletions = append(deletions, Deletion{Workspace: r.Workspace, Source: ByRetention, Query: filterQuery(filters...), Last: lastID, State: Running})
	}
	var earlier []filter
	for i := range r.Rules.Rules {
		rule := &r.Rules.Rules[i]
		add(rule.Days, append(rule.conditions(true), earlier...))
		earlier = append(earlier[:len(earlier):len(earlier)], group("OR", rule.conditions(false)))
	}
	add(r.Days, earlier)
	if r.TextDays == 0 {
		return deletions
	}
	texts := Deletion{Workspace: r.Workspace, Source: ByRetention, TextsOnly: true, State: Running}
	cutoff := now.AddDate(0, 0, -r.TextDays)
	if r.Texts.Upto > 0 && cutoff.After(r.Texts.Before) {
		old := texts // of the logs that were there the last time, those that are old enough now
		old.Query, old.Last = filterQuery(notBefore(r.Texts.Before), before(cutoff)), r.Texts.Upto
		deletions = append(deletions, old)
	}
	texts.Query, texts.After, texts.Last = filterQuery(before(cutoff)), r.Texts.Upto, lastID
	return append(deletions, texts)
}

// Retention returns the rules of a workspace.
func (s *Service) Retention(ctx context.Context, workspace int64) (Retention, error) {
	return s.retention.GetRetention(ctx, workspace)
}

// SetRetention replaces the rules of a workspace. They are followed ten minutes
// later for the first time, and then once a day. The fault is Invalid or Forbidden.
func (s *Service) SetRetention(ctx context.Context, workspace int64, rules Rules, author *string) (Retention, error) {
	if err := rules.check(); err != nil {
		return Retention{}, err
	}
	if err := access.Require(ctx, access.ManageData); err != nil {
		return Retention{}, err
	}
	now := s.clock()
	return s.retention.PutRetention(ctx, Retention{Workspace: workspace, Rules: rules, DueAt: now.Add(retentionSoon), UpdatedBy: author, UpdatedAt: &now})
}

// RetentionPreview is what rules would delete now.
type RetentionPreview struct {
	// Rules are the numbers of logs of the rules, in their order, and Rest that of
	// logs that no rule matches. Those of rules that keep logs forever are 0.
	Rules []int64
	Rest  int64
	// Texts is the number of logs whose texts are too old.
	Texts int64
}

// PreviewRetention counts what rules would delete now. The faults are those of
// SetRetention.
func (s *Service) PreviewRetention(ctx context.Context, workspace int64, rules Rules) (p RetentionPreview, err error) {
	if err := rules.check(); err != nil {
		return p, err
	}
	if err := access.Require(ctx, access.ManageData); err != nil {
		return p, err
	}
	r := Retention{Workspace: workspace, Rules: rules}
	due := r.due(s.clock(), s.logs.LastID())
	next := func(days int) (count int64, err error) {
		if days == 0 {
			return 0, nil
		}
		d := due[0]
		due = due[1:]
		query, err := d.query()
		if err != nil {
			return 0, err
		}
		return s.logs.Count(ctx, workspace, query)
	}
	p.Rules = make([]int64, len(rules.Rules))
	for i := range rules.Rules {
		if p.Rules[i], err = next(rules.Rules[i].Days); err != nil {
			return p, err
		}
	}
	if p.Rest, err = next(rules.Days); err != nil {
		return p, err
	}
	p.Texts, err = next(rules.TextDays)
	return p, err
}

// FollowRetention follows the rules of all workspaces that are due, until the
// context ends. Several servers may do so: one of them follows each.
func (s *Service) FollowRetention(ctx context.Context, log *slog.Logger) {
	for {
		if err := s.FollowDue(ctx); err != nil && ctx.Err() == nil {
			log.Error("cannot delete expired request logs; will retry", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(lookEvery):
		}
	}
}

// dueAtOnce is the number of workspaces whose rules are read at once.
const dueAtOnce = 100

// FollowDue starts the deletions that rules ask for which are due.
func (s *Service) FollowDue(ctx context.Context) error {
	due, err := s.retention.DueRetentions(ctx, s.clock(), dueAtOnce)
	if err != nil {
		return err
	}
	for i := range due {
		err = errors.Join(err, s.follow(ctx, due[i]))
	}
	return err
}

// follow starts the deletions that the rules of a workspace ask for. If it is
// interrupted, the rest follows the next day.
func (s *Service) follow(ctx context.Context, r Retention) error {
	now := s.clock()
	due, last := now.Add(retentionEvery).Truncate(time.Millisecond), s.logs.LastID()
	ours, err := s.retention.AdvanceRetention(ctx, r, due, r.Texts)
	if err != nil || !ours {
		return err
	}
	for _, d := range r.due(now, last) {
		q, err := d.query()
		var some []query.LogUsage
		if err == nil {
			some, err = s.logs.Usages(ctx, r.Workspace, q, d.After, d.Last, 1)
		}
		if err == nil && len(some) > 0 {
			if d.Total, err = s.logs.Count(ctx, r.Workspace, q); err == nil {
				_, err = s.start(ctx, d)
			}
		}
		if err != nil {
			return fmt.Errorf("retention of workspace %d: %w", r.Workspace, err)
		}
	}
	if r.TextDays == 0 {
		return nil
	}
	r.DueAt = due
	_, err = s.retention.AdvanceRetention(ctx, r, due, TextProgress{Upto: last, Before: now.AddDate(0, 0, -r.TextDays)})
	return err
}

var _ job.Worker = (*Service)(nil)
