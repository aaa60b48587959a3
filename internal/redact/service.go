package redact

import (
	"context"
	"encoding/binary"
	"sync"
	"sync/atomic"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/revised"
)

// Settings are the rules of a workspace as they are stored.
type Settings struct {
	Rules []Rule
	// UpdatedBy and UpdatedAt tell who set the rules and when, nil if nobody ever
	// did or, for UpdatedBy, if it was a key without an owner.
	UpdatedBy *string
	UpdatedAt *time.Time
}

// Store stores the rules of workspaces.
type Store interface {
	// Revision returns a number that is different after the rules of the workspace
	// have changed.
	Revision(ctx context.Context, workspace int64) (int64, error)
	// GetRedaction returns the rules of a workspace, none if they were never set.
	GetRedaction(ctx context.Context, workspace int64) (Settings, error)
	// PutRedaction replaces the rules of a workspace. The fault is NotFound if there
	// is no such workspace.
	PutRedaction(ctx context.Context, workspace int64, rules []Rule, updatedBy *string) (Settings, error)
}

// Service has the rules of workspaces. Everyone may read them.
type Service struct {
	store Store
	key   []byte
	cache *revised.Cache[*Rules]

	mu     sync.Mutex
	counts map[ruleKey]*counter
}

// ruleKey identifies a rule for as long as its name and kind stay.
type ruleKey struct {
	workspace int64
	name      string
	kind      string
}

type counter = atomic.Int64

// NewService returns a service over the store. Hashes depend on the key.
func NewService(store Store, key []byte, clock func() time.Time) *Service {
	s := &Service{store: store, key: key, counts: map[ruleKey]*counter{}}
	s.cache = revised.New(revised.Source[*Rules]{Revision: store.Revision, Load: s.load}, clock)
	return s
}

// Rules returns the rules of a workspace.
func (s *Service) Rules(ctx context.Context, workspace int64) (*Rules, error) {
	return s.cache.Get(ctx, workspace)
}

func (s *Service) load(ctx context.Context, workspace int64) (*Rules, error) {
	settings, err := s.store.GetRedaction(ctx, workspace)
	if err != nil {
		return nil, err
	}
	rules, err := s.Compile(workspace, settings.Rules)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range rules.list {
		rules.counts[i] = s.counter(workspace, &rules.list[i])
	}
	return rules, nil
}

// Compile returns rules that hash as those of the workspace do. What they replace is
// not counted.
func (s *Service) Compile(workspace int64, list []Rule) (*Rules, error) {
	return Compile(list, binary.BigEndian.AppendUint64(s.key[:len(s.key):len(s.key)], uint64(workspace)))
}

// counter returns the counter of a rule. The caller holds the lock.
func (s *Service) counter(workspace int64, rule *Rule) *counter {
	key := ruleKey{workspace, rule.Name, rule.Kind()}
	known := s.counts[key]
	if known == nil {
		known = new(counter)
		s.counts[key] = known
	}
	return known
}

// Get returns the stored rules of a workspace, and how much each of them has
// replaced since the process started.
func (s *Service) Get(ctx context.Context, workspace int64) (Settings, []int64, error) {
	settings, err := s.store.GetRedaction(ctx, workspace)
	if err != nil {
		return Settings{}, nil, err
	}
	return settings, s.countsOf(workspace, settings.Rules), nil
}

func (s *Service) countsOf(workspace int64, rules []Rule) []int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	counts := make([]int64, len(rules))
	for i := range rules {
		counts[i] = s.counter(workspace, &rules[i]).Load()
	}
	return counts
}

// Set replaces the rules of a workspace. When it returns, this process applies them
// to everything that arrives; others do within a second. The fault is Invalid if a
// rule is.
func (s *Service) Set(ctx context.Context, workspace int64, rules []Rule, updatedBy *string) (Settings, []int64, error) {
	var problems fault.Problems
	Check(rules, fault.In("rules"), &problems)
	if err := problems.Err(); err != nil {
		return Settings{}, nil, err
	}
	if err := access.Require(ctx, access.ManageData); err != nil {
		return Settings{}, nil, err
	}
	defer s.cache.Forget(workspace)
	settings, err := s.store.PutRedaction(ctx, workspace, rules, updatedBy)
	if err != nil {
		return Settings{}, nil, err
	}
	return settings, s.countsOf(workspace, settings.Rules), nil
}

// Total returns how much the rules of a kind have replaced since the process
// started.
func (s *Service) Total(kind string) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	total := int64(0)
	for key, count := range s.counts {
		if key.kind == kind {
			total += count.Load()
		}
	}
	return total
}
