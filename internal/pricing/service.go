package pricing

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/revised"
)

// Service has the rules of prices. Everyone may read them.
type Service struct {
	store Store
	cache *revised.Cache[*Table]
}

// NewService returns a service over the store. The clock is time.Now if nil.
func NewService(store Store, clock func() time.Time) *Service {
	s := &Service{store: store}
	s.cache = revised.New(revised.Source[*Table]{Revision: store.Revision, Load: s.load}, clock)
	return s
}

// load returns the prices of a workspace as they are stored.
func (s *Service) load(ctx context.Context, workspace int64) (*Table, error) {
	prices, err := s.store.ListPrices(ctx, workspace)
	if err != nil {
		return nil, err
	}
	return NewTable(prices), nil
}

// Cost returns the cost of a usage in US dollars at the prices of a workspace,
// and whether it is known. It does not wait for the store as long as it has
// looked for changes recently.
func (s *Service) Cost(
	ctx context.Context, workspace int64, providerName, model string, at time.Time, usage provider.Usage,
) (quote Quote, known bool, err error) {
	if !usage.Known() {
		return Quote{}, false, nil
	}
	table, err := s.Table(ctx, workspace)
	if err != nil {
		return Quote{}, false, err
	}
	quote, known = table.Cost(providerName, model, at, usage)
	return quote, known, nil
}

// Table returns the prices of a workspace.
func (s *Service) Table(ctx context.Context, workspace int64) (*Table, error) {
	return s.cache.Get(ctx, workspace)
}

// Models returns the names of the known models of a provider that generate
// text.
func (s *Service) Models(providerName string) []string { return Models(providerName) }

// Query selects prices.
type Query struct {
	// Source and Provider select all if "".
	Source   Source
	Provider string
}

// List returns prices, custom ones first, by provider, model and start, the
// latest first.
func (s *Service) List(ctx context.Context, workspace int64, q Query) ([]Price, error) {
	var all []Price
	if q.Source != Builtin {
		custom, err := s.store.ListPrices(ctx, workspace)
		if err != nil {
			return nil, err
		}
		all = custom
	}
	if q.Source != Custom {
		all = append(all, sortedList()...)
	}
	return slices.DeleteFunc(all, func(p Price) bool { return q.Provider != "" && p.Provider != q.Provider }), nil
}

func sortedList() []Price {
	list := List()
	slices.SortStableFunc(list, func(a, b Price) int {
		return cmp.Or(cmp.Compare(a.Provider, b.Provider), cmp.Compare(a.Model, b.Model), b.ValidFrom.Compare(a.ValidFrom))
	})
	return list
}

// Create adds a custom price. The fault is Invalid if it breaks a rule or there
// are too many, and Conflict if one with the same provider, model and start
// exists.
func (s *Service) Create(ctx context.Context, workspace int64, content Content, createdBy *string) (Price, error) {
	if err := checked(&content); err != nil {
		return Price{}, err
	}
	if err := access.Require(ctx, access.ManagePrices); err != nil {
		return Price{}, err
	}
	defer s.cache.Forget(workspace)
	return s.store.CreatePrice(ctx, workspace, content.normal(), createdBy)
}

func checked(content *Content) error {
	var problems fault.Problems
	content.check(fault.In(), &problems)
	return problems.Err()
}

// Update changes a custom price. The faults are those of Create, and NotFound if
// there is none.
func (s *Service) Update(ctx context.Context, workspace, id int64, change func(*Content)) (Price, error) {
	found, err := s.store.GetPrice(ctx, workspace, id)
	if err != nil {
		return Price{}, err
	}
	content := found.Content
	change(&content)
	if err := checked(&content); err != nil {
		return Price{}, err
	}
	if err := access.Require(ctx, access.ManagePrices); err != nil {
		return Price{}, err
	}
	defer s.cache.Forget(workspace)
	return s.store.UpdatePrice(ctx, workspace, id, content.normal())
}

// Delete deletes a custom price. The fault is NotFound if there is none.
func (s *Service) Delete(ctx context.Context, workspace, id int64) error {
	if _, err := s.store.GetPrice(ctx, workspace, id); err != nil {
		return err
	}
	if err := access.Require(ctx, access.ManagePrices); err != nil {
		return err
	}
	defer s.cache.Forget(workspace)
	return s.store.DeletePrice(ctx, workspace, id)
}

// Import adds custom prices, all or none; those with the same provider, model and
// start are replaced. The fault is Invalid if one of them breaks a rule, if two
// are for the same provider, model and start, or if there are too many.
func (s *Service) Import(ctx context.Context, workspace int64, contents []Content, createdBy *string) error {
	if err := checkAll(contents); err != nil {
		return err
	}
	if err := access.Require(ctx, access.ManagePrices); err != nil {
		return err
	}
	if len(contents) == 0 {
		return nil
	}
	defer s.cache.Forget(workspace)
	return s.store.ImportPrices(ctx, workspace, contents, createdBy)
}

// checkAll checks prices and brings them into the stored form.
func checkAll(contents []Content) error {
	var problems fault.Problems
	at := fault.In("prices")
	if len(contents) > MaxPrices {
		problems.Report(at, fault.MaxItems(MaxPrices, len(contents)))
		return problems.Err()
	}
	seen := make(map[key]bool, len(contents))
	for i := range contents {
		c := &contents[i]
		c.check(fault.At(at, i), &problems)
		*c = c.normal()
		if seen[c.key()] {
			problems.Report(fault.At(at, i), fault.Rulef("value_error", "Another price has the same provider, model and start"))
		}
		seen[c.key()] = true
	}
	return problems.Err()
}
