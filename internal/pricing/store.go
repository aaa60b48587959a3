package pricing

import "context"

// MaxPrices is the maximum number of custom prices in a workspace, and of prices
// in one import.
const MaxPrices = 10_000

// Store stores custom prices. Names and rates are valid.
type Store interface {
	// Revision returns a number that is different after the prices of the
	// workspace have changed.
	Revision(ctx context.Context, workspace int64) (int64, error)

	// ListPrices returns the prices of a workspace, by provider, model and start,
	// the latest first.
	ListPrices(ctx context.Context, workspace int64) ([]Price, error)

	// GetPrice returns a price, or a NotFound fault.
	GetPrice(ctx context.Context, workspace, id int64) (Price, error)

	// CreatePrice adds a price. The fault is Conflict if there is one with the
	// same provider, model and start, and Invalid if there are too many.
	CreatePrice(ctx context.Context, workspace int64, content Content, createdBy *string) (Price, error)

	// ImportPrices adds prices, all or none. Those with the same provider, model
	// and start are replaced. The fault is Invalid if there are too many.
	ImportPrices(ctx context.Context, workspace int64, contents []Content, createdBy *string) error

	// UpdatePrice replaces the content of a price. The faults are NotFound, and
	// Conflict as for CreatePrice.
	UpdatePrice(ctx context.Context, workspace, id int64, content Content) (Price, error)

	// DeletePrice deletes a price. The fault is NotFound if there is none.
	DeletePrice(ctx context.Context, workspace, id int64) error
}
