// Package requests is the service over request logs: who may write, annotate,
// query and delete them, with fair turns for the queries of workspaces.
package requests

import (
	"cmp"
	"context"
	"runtime"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/fair"
	"github.com/promptuary/promptuary/internal/pricing"
	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/ingest"
)

// Options configure a Service.
type Options struct {
	// Store, Groups and Sequence are required. Only the service may write
	// to the store.
	Store    Store
	Groups   Groups
	Sequence ingest.Sequence
	// Prompts is NoPrompts if nil.
	Prompts reqlog.Prompts
	// Keys has the names of API keys. If it is nil, there are none.
	Keys reqlog.KeyNames
	// Prices computes the prices of logs that come without one. If it is nil,
	// they have none.
	Prices Prices
	// Redactions has what must not be stored. If it is nil, everything is.
	Redactions Redactions
	// SpanIndex derives the index of a span, with its log if it is not nil. Only
	// redaction needs it.
	SpanIndex func(span *reqlog.Span, log *reqlog.Log) reqlog.SpanIndex
	// Clock returns the current time, time.Now if nil.
	Clock  func() time.Time
	Ingest ingest.Options
}

// Service implements the rules of request logs: how they are written, annotated
// and queried. It is safe for concurrent use.
type Service struct {
	store      sharedStore
	prompts    reqlog.Prompts
	keys       reqlog.KeyNames
	prices     Prices
	redactions Redactions
	spanIndex  func(*reqlog.Span, *reqlog.Log) reqlog.SpanIndex
	groups     Groups
	clock      func() time.Time
	ingest     *ingest.Ingester
}

// NewService returns a running service; Drain stops it.
func NewService(o Options) *Service {
	s := &Service{
		store: share(o.Store), prompts: o.Prompts, keys: o.Keys, prices: o.Prices, redactions: o.Redactions, spanIndex: o.SpanIndex, groups: o.Groups, clock: o.Clock,
	}
	if s.prompts == nil {
		s.prompts = reqlog.NoPrompts{}
	}
	if s.keys == nil {
		s.keys = func(context.Context, int64) (map[int64]string, error) { return nil, nil }
	}
	if s.clock == nil {
		s.clock = time.Now
	}
	s.ingest = ingest.New(o.Store, o.Sequence, s.clock, o.Ingest)
	return s
}

// Drain rejects new logs and annotations and returns when all accepted ones are
// answered, or when ctx ends. Reads continue to work.
func (s *Service) Drain(ctx context.Context) error { return s.ingest.Drain(ctx) }

// IngestStats returns the state of the ingest queue.
func (s *Service) IngestStats() ingest.Stats { return s.ingest.Stats() }

// Queries returns the queue of searches and analytics.
func (s *Service) Queries() *fair.Queue { return s.store.queries }

// Log stores the log and returns in.Log with everything the server adds. The
// fault is NotFound for an unknown prompt, and BadRequest for a contradictory
// reference; then nothing is stored.
func (s *Service) Log(ctx context.Context, workspace int64, in *reqlog.LogInput) (*reqlog.Log, error) {
	link, err := s.link(ctx, workspace, in)
	if err != nil {
		return nil, err
	}
	if err := access.Require(ctx, access.RequestCreate); err != nil {
		return nil, err
	}
	return s.append(ctx, workspace, in, link)
}

// Outcome is the result for one of several logs: exactly one field is set.
type Outcome struct {
	Log *reqlog.Log
	Err error
}

// LogMany does what Log does for each input, and returns the outcomes in the
// same order. A rejected input does not stop the others, which are stored in
// one commit, all or none. The fault is Forbidden if the caller may not log.
func (s *Service) LogMany(ctx context.Context, workspace int64, inputs []*reqlog.LogInput) ([]Outcome, error) {
	if err := access.Require(ctx, access.RequestCreate); err != nil {
		return nil, err
	}
	outcomes := make([]Outcome, len(inputs))
	resolver := promptResolver{prompts: s.prompts, workspace: workspace}
	var accepted []*reqlog.Log
	for i, in := range inputs {
		runtime.Gosched() // so that commits and short requests are not delayed
		link, err := resolver.link(ctx, in)
		if err == nil {
			err = s.complete(ctx, in, workspace, link)
		}
		if err != nil {
			outcomes[i].Err = err
			continue
		}
		outcomes[i].Log = in.Log
		accepted = append(accepted, in.Log)
	}
	if err := s.ingest.Append(ctx, accepted...); err != nil {
		for i := range outcomes {
			if outcomes[i].Log != nil {
				outcomes[i] = Outcome{Err: err}
			}
		}
	}
	return outcomes, nil
}

func (s *Service) link(ctx context.Context, workspace int64, in *reqlog.LogInput) (*reqlog.PromptLink, error) {
	resolver := promptResolver{prompts: s.prompts, workspace: workspace}
	return resolver.link(ctx, in)
}

func (s *Service) append(ctx context.Context, workspace int64, in *reqlog.LogInput, link *reqlog.PromptLink) (*reqlog.Log, error) {
	if err := s.complete(ctx, in, workspace, link); err != nil {
		return nil, err
	}
	if err := s.ingest.Append(ctx, in.Log); err != nil {
		return nil, err
	}
	return in.Log, nil
}

// complete removes what must not be stored, and adds what the client did not send.
func (s *Service) complete(ctx context.Context, in *reqlog.LogInput, workspace int64, link *reqlog.PromptLink) error {
	in.Log.Workspace, in.Log.Prompt = workspace, link
	in.Log.Source = cmp.Or(in.Log.Source, reqlog.SourceAPI)
	in.Log.KeyID = cmp.Or(in.Log.KeyID, access.CallerOf(ctx).KeyID)
	if err := s.redact(ctx, in); err != nil {
		return err
	}
	in.EnsureIndex()
	return s.price(ctx, in.Log)
}

// price computes the price of a log that came without one, if the price of its
// model is known.
func (s *Service) price(ctx context.Context, l *reqlog.Log) error {
	if l.Price.Known() || s.prices == nil {
		return nil
	}
	quote, known, err := s.prices.Cost(ctx, l.Workspace, l.Provider, l.Engine, l.Start.Time(), l.Usage)
	if known {
		l.Price = reqlog.Price{USD: quote.USD, Source: sourceOf(quote)}
	}
	return err
}

func sourceOf(quote pricing.Quote) reqlog.PriceSource {
	if quote.Source == pricing.Custom {
		return reqlog.PriceCustom
	}
	return reqlog.PriceListed
}

// promptResolver resolves references to prompts and caches them: the logs of
// one call mostly come from a few prompts.
type promptResolver struct {
	prompts   reqlog.Prompts
	workspace int64
	known     map[reqlog.PromptRef]resolvedPrompt
}

type resolvedPrompt struct {
	link reqlog.PromptLink
	err  error
}

// link returns the prompt link of the input, nil if it has no reference.
func (r *promptResolver) link(ctx context.Context, in *reqlog.LogInput) (*reqlog.PromptLink, error) {
	if !in.PromptGiven {
		return nil, nil
	}
	found, ok := r.known[in.Prompt]
	if !ok {
		found.link, found.err = r.prompts.Resolve(ctx, r.workspace, in.Prompt)
		if r.known == nil {
			r.known = map[reqlog.PromptRef]resolvedPrompt{}
		}
		r.known[in.Prompt] = found
	}
	if found.err != nil {
		return nil, found.err
	}
	return &found.link, nil
}

// Prices knows what models cost.
type Prices interface {
	// Cost returns the cost in US dollars of a usage of a model at a time, at the
	// prices of a workspace, and whether it is known.
	Cost(ctx context.Context, workspace int64, providerName, model string, at time.Time, usage provider.Usage) (quote pricing.Quote, known bool, err error)
}

// Groups stores groups of requests.
type Groups interface {
	// CreateGroup returns the id of a new group of the workspace.
	CreateGroup(ctx context.Context, workspace int64) (int64, error)
	// GroupExists reports whether the workspace has the group.
	GroupExists(ctx context.Context, workspace, id int64) (bool, error)
}
