package reqlog

// Price is the cost of a request in US dollars.
type Price struct {
	USD float64
	// Source is where the price comes from, 0 if it is not known.
	Source PriceSource
	// Repricing is the id of the re-pricing that set the price, 0 if none did.
	Repricing int64
}

// PriceSource is where the price of a log comes from.
type PriceSource uint8

// The sources of prices. A price that a client sent is replaced only by a
// re-pricing that asks for it.
const (
	PriceSent PriceSource = iota + 1
	PriceListed
	PriceCustom
	PriceRepriced
)

var priceSources = [...]string{"", "sent", "listed", "custom", "repriced"}

// String returns the name of the source, "" for an unknown price.
func (s PriceSource) String() string { return priceSources[s] }

// PriceSourceOf returns the source with a name, 0 if there is none.
func PriceSourceOf(name string) PriceSource {
	for i := range priceSources {
		if priceSources[i] == name {
			return PriceSource(i)
		}
	}
	return 0
}

// Known reports whether there is a price. It may be 0.
func (p Price) Known() bool { return p.Source != 0 }

// PriceChange is a part of a re-pricing: new prices for some logs of a
// workspace, or the return to the prices that logs had when they were written.
type PriceChange struct {
	Workspace int64
	// Repricing is the id of the re-pricing, which is not 0.
	Repricing int64
	// Prices are the new prices, in the order of the ids. Logs that the workspace
	// does not have are ignored.
	Prices []NewPrice
	// First and Last, if Prices is empty, limit the ids of the logs that return to
	// the price they were written with. Logs whose price was not set by this
	// re-pricing, or has been replaced since, are left as they are.
	First, Last int64
}

// NewPrice is the new price of a log in US dollars.
type NewPrice struct {
	ID  int64
	USD float64
}
