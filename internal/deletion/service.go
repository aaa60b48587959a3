package deletion

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/job"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// Kind is the kind of the jobs.
const Kind job.Kind = "deletion"

// Logs is the part of requests.Service that deletions use.
type Logs interface {
	Count(ctx context.Context, workspace int64, in query.Input) (int64, error)
	Usages(ctx context.Context, workspace int64, in query.Input, after, last int64, limit int) ([]query.LogUsage, error)
	TracesOfUser(ctx context.Context, workspace int64, user string, limit int) (ids []string, total int64, err error)
	Delete(ctx context.Context, d reqlog.Deletion) error
	Reclaim(ctx context.Context, progress reqlog.ReclaimProgress) (reqlog.Reclaimed, error)
	LastID() int64
}

// Options configure a Service.
type Options struct {
	// Jobs accepts the background work of the service, which is its worker.
	Jobs      job.Queue
	Store     Store
	Retention RetentionStore
	Logs      Logs
	// Clock is time.Now if nil.
	Clock func() time.Time
}

// Service has the rules of deletions. It is safe for concurrent use.
type Service struct {
	store     Store
	retention RetentionStore
	logs      Logs
	clock     func() time.Time
	jobs      job.Queue
	// partLogs is the number of logs that are hidden at once.
	partLogs int
}

// NewService returns a service.
func NewService(o Options) *Service {
	s := &Service{jobs: o.Jobs, store: o.Store, retention: o.Retention, logs: o.Logs, clock: o.Clock, partLogs: reqlog.MaxDeleted}
	if s.clock == nil {
		s.clock = time.Now
	}
	return s
}

// Input selects logs: those that meet all of a query, ids and a user, as far as they
// are given.
type Input struct {
	// Query is a JSON object with filter_group, filters and q, all of which may be
	// absent.
	Query string
	// IDs are those of logs.
	IDs []int64
	// User is a value of the metadata key user_id.
	User string
	// All says that a query without conditions, which selects all logs, is meant.
	All       bool
	TextsOnly bool
	// MetadataKey, ScoreName and WithTraces are those of a Deletion. With one of the
	// names, a query without conditions selects all logs that have it.
	MetadataKey, ScoreName string
	WithTraces             bool
	// Expected, if not nil, is the number of logs that the caller has seen in a
	// preview. If there are more now, nothing is deleted.
	Expected *int64
}

const (
	// maxQuery is the maximum size of a query in bytes. It is stored, also in the
	// audit log.
	maxQuery = 100_000
	// MaxIDs is the number of ids that a deletion can name, and maxName the length of
	// the id of a user, of a metadata key and of the name of a score, in bytes.
	MaxIDs  = 5_000
	maxName = 1_000
)

// plan returns the deletion that is asked for. The fault is BadRequest or Invalid.
func (in *Input) plan() (d Deletion, query query.Input, err error) {
	d = Deletion{
		Source: ByQuery, Query: in.Query, TextsOnly: in.TextsOnly, MetadataKey: in.MetadataKey, ScoreName: in.ScoreName, WithTraces: in.WithTraces, State: Running,
	}
	if d.Query == "" {
		d.Query = "{}"
	}
	if err := in.check(d.Query == "{}" && !d.Removes()); err != nil {
		return d, query, err
	}
	var more []filter
	if len(in.IDs) > 0 {
		d.Source, more = ByIDs, append(more, idsFilter(in.IDs))
	}
	if in.User != "" {
		d.Source, more = ByUser, append(more, userFilter(in.User))
		if len(more) == 1 && d.Query == "{}" && !d.Removes() {
			d.User = in.User // and with nothing else, the traces of the user go
		}
	}
	if d.Query, err = withFilters(d.Query, more); err != nil {
		return d, query, err
	}
	query, err = d.query()
	return d, query, err
}

// check returns what is wrong with an input, nil if nothing is. Without a query, it
// must say that all logs are meant.
func (in *Input) check(withoutQuery bool) error {
	switch {
	case len(in.IDs) > MaxIDs:
		return fault.New(fault.Invalid, "At most %d ids can be deleted at once", MaxIDs)
	case len(in.User) > maxName:
		return fault.New(fault.Invalid, "The id of the user is longer than %d bytes", maxName)
	case len(in.MetadataKey) > maxName:
		return fault.New(fault.Invalid, "The metadata key is longer than %d bytes", maxName)
	case len(in.ScoreName) > maxName:
		return fault.New(fault.Invalid, "The name of the score is longer than %d bytes", maxName)
	case in.MetadataKey != "" && in.ScoreName != "":
		return fault.New(fault.Invalid, "A deletion deletes a metadata key or a score, not both")
	case in.TextsOnly && in.MetadataKey+in.ScoreName != "":
		return fault.New(fault.Invalid, "A deletion deletes texts, a metadata key or a score, not several of them")
	case in.WithTraces && in.MetadataKey+in.ScoreName == "":
		return fault.New(fault.Invalid, "delete_traces is for deletions of a metadata key or a score: other deletions always delete traces")
	case withoutQuery && len(in.IDs) == 0 && in.User == "" && !in.All:
		return fault.New(fault.Invalid, "A query, ids or a user must select request logs, or all must be true")
	}
	return nil
}

// withFilters returns a query with more filters, all of which must match.
func withFilters(query string, more []filter) (string, error) {
	if len(more) == 0 {
		return query, nil
	}
	var members map[string]json.RawMessage
	var filters []json.RawMessage
	if err := json.Unmarshal([]byte(query), &members); err != nil || members == nil {
		return "", fault.BadRequestf("The query is not valid JSON")
	}
	if given := members["filters"]; len(given) > 0 {
		if err := json.Unmarshal(given, &filters); err != nil {
			return query, nil //nolint:nilerr // reading the query reports it
		}
	}
	for _, one := range more {
		text, err := json.Marshal(one)
		if err != nil {
			return "", err
		}
		filters = append(filters, text)
	}
	all, err := json.Marshal(filters)
	if err != nil {
		return "", err
	}
	members["filters"] = all
	text, err := json.Marshal(members)
	return string(text), err
}

func filterQuery(filters ...filter) string {
	text, err := json.Marshal(map[string]any{"filter_group": group("AND", filters)})
	if err != nil {
		panic(err) // strings and numbers only
	}
	return string(text)
}

func idsFilter(ids []int64) filter {
	return filter{"field": string(query.FieldID), "operator": string(query.OpIn), "value": slices.Compact(slices.Sorted(slices.Values(ids)))}
}

func userFilter(user string) filter {
	return filter{"field": string(query.FieldUserID), "operator": string(query.OpIs), "value": user}
}

// query reads the query. The fault is BadRequest or Invalid if it is not valid.
func (d *Deletion) query() (query.Input, error) {
	if len(d.Query) > maxQuery {
		return query.Input{}, fault.New(fault.Invalid, "The filters are larger than %d bytes", maxQuery)
	}
	body, err := jsontree.Parse([]byte(d.Query))
	if err != nil {
		return query.Input{}, fault.BadRequestf("The query is not valid JSON")
	}
	var problems fault.Problems
	query, err := query.Parse(body, &problems)
	if invalid := problems.Err(); invalid != nil {
		return query, invalid
	}
	if d.Removes() {
		query.Filter = both(d.having(), query.Filter)
	}
	return query, err
}

// having selects the logs that have what is deleted of them.
func (d *Deletion) having() query.Node {
	if d.MetadataKey != "" {
		return query.Cond{Field: query.FieldMetadataKeys, Op: query.OpUnder, Texts: []string{d.MetadataKey}}
	}
	return query.Cond{Field: query.FieldScoreNames, Op: query.OpContains, Texts: []string{d.ScoreName}}
}

// both joins two filters, the second of which may be nil.
func both(a, b query.Node) query.Node {
	if b == nil {
		return a
	}
	return query.Group{Nodes: []query.Node{a, b}}
}

// Preview is what a deletion would delete.
type Preview struct {
	Logs int64
	// Traces is the number of traces of the user, 0 for other deletions.
	Traces int64
}

// Preview counts what would be deleted. The faults are those of Start.
func (s *Service) Preview(ctx context.Context, workspace int64, in Input) (p Preview, err error) {
	d, query, err := in.plan()
	if err != nil {
		return p, err
	}
	if err := access.Require(ctx, access.ManageData); err != nil {
		return p, err
	}
	if p.Logs, err = s.logs.Count(ctx, workspace, query); err == nil && d.User != "" {
		_, p.Traces, err = s.logs.TracesOfUser(ctx, workspace, d.User, 1)
	}
	return p, err
}

// Start starts a deletion. The fault is BadRequest or Invalid for an invalid
// selection, Forbidden if the caller may not manage data, and Conflict if there are
// more logs than expected.
func (s *Service) Start(ctx context.Context, workspace int64, in Input, author *string) (Deletion, error) {
	d, query, err := in.plan()
	if err != nil {
		return d, err
	}
	if err := access.Require(ctx, access.ManageData); err != nil {
		return d, err
	}
	d.Workspace, d.CreatedBy, d.Last = workspace, author, s.logs.LastID()
	if d.Total, err = s.logs.Count(ctx, workspace, query); err != nil {
		return d, err
	}
	if in.Expected != nil && d.Total > *in.Expected {
		return d, fault.New(fault.Conflict, "%s request logs match now, and %s were expected", decimal(d.Total), decimal(*in.Expected))
	}
	return s.start(ctx, d)
}

func decimal(n int64) string { return strconv.FormatInt(n, 10) }

// start stores a deletion and its job.
func (s *Service) start(ctx context.Context, d Deletion) (Deletion, error) {
	d.CreatedAt = s.clock()
	err := s.jobs.Add(ctx, job.Job{Workspace: d.Workspace, Kind: Kind}, s.store.InTx, func(ctx context.Context) (int64, error) {
		created, err := s.store.CreateDeletion(ctx, d)
		d = created
		return created.ID, err
	})
	return d, err
}

// Get returns a deletion. The fault is NotFound, or Forbidden if the caller may not
// manage data: it says whose logs were deleted.
func (s *Service) Get(ctx context.Context, workspace, id int64) (Deletion, error) {
	d, err := s.store.GetDeletion(ctx, workspace, id)
	if err == nil {
		err = access.Require(ctx, access.ManageData)
	}
	if err != nil {
		return Deletion{}, err
	}
	return d, nil
}

// List returns deletions, the newest first, and their number. The fault is
// Forbidden if the caller may not manage data.
func (s *Service) List(ctx context.Context, workspace int64, offset, limit int) ([]Deletion, int64, error) {
	if err := access.Require(ctx, access.ManageData); err != nil {
		return nil, 0, err
	}
	return s.store.ListDeletions(ctx, workspace, offset, limit)
}

// Cancel ends a deletion that runs; others are left unchanged. What it has hidden is
// gone, and is still removed from the files. The fault is NotFound or Forbidden.
func (s *Service) Cancel(ctx context.Context, workspace, id int64) (Deletion, error) {
	d, err := s.Get(ctx, workspace, id)
	if err != nil || d.State != Running {
		return d, err
	}
	return d, s.store.InTx(ctx, func(ctx context.Context) error {
		found, err := s.jobs.Cancel(ctx, workspace, Kind, id)
		if err != nil || !found { // it has ended
			return err
		}
		return s.store.NoteDeletion(ctx, d, audit.Cancel)
	})
}

// Subject returns a few words about what a deletion deletes.
func (d *Deletion) Subject() string {
	var what strings.Builder
	what.WriteString("deletion " + decimal(d.ID))
	switch {
	case d.User != "":
		what.WriteString(" of user " + d.User)
	case d.MetadataKey != "":
		what.WriteString(" of the metadata key " + d.MetadataKey)
	case d.ScoreName != "":
		what.WriteString(" of the score " + d.ScoreName)
	}
	return what.String()
}
