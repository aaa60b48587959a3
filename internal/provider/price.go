package provider

import (
	"regexp"
	"strings"
)

// Price is the price of a model in US dollars per million tokens.
type Price struct {
	// Provider is the provider, "" for any.
	Provider string
	// Model is the name of the model. It also matches dated and preview
	// releases of the model and, with a trailing *, all names with that prefix.
	Model string
	// Called is the name for calls if Model cannot be called.
	Called string
	// Input and Output are the prices of input and output, Cached that of input
	// read from the cache.
	Input, Cached, Output float64
	// Embeds says that the model is for embeddings.
	Embeds bool
}

// Prices is a list of prices. Where a provider has no lower price for cached
// input, Cached repeats Input.
type Prices []Price

// storing is the price factor of input written to the cache.
const storing = 1.25

// Cost returns the cost of a usage.
func (p Price) Cost(u Usage) float64 {
	read := min(u.CacheRead.N, u.Input.N)
	written := min(u.CacheWrite.N, u.Input.N-read)
	sum := float64(u.Input.N-read-written)*p.Input + float64(read)*p.Cached +
		float64(written)*p.Input*storing + float64(u.Output.N)*p.Output
	return sum / 1e6
}

// Find returns the price with the longest name that matches the model.
func (prices Prices) Find(provider, model string) (Price, bool) {
	model = model[strings.LastIndexByte(model, '/')+1:]
	best, found := Price{}, false
	for _, price := range prices {
		if price.Provider != "" && price.Provider != provider || !standsFor(price.Model, model) {
			continue
		}
		if !found || len(price.Model) > len(best.Model) {
			best, found = price, true
		}
	}
	return best, found
}

// release matches the suffix of a release of a model.
var release = regexp.MustCompile(`^[-@:](?:\d{3,4}|\d{6,8}|\d{4}-\d{2}-\d{2}|latest|preview.*|exp.*)$`)

func standsFor(name, model string) bool {
	if begin, ok := strings.CutSuffix(name, "*"); ok {
		return strings.HasPrefix(model, begin)
	}
	rest, ok := strings.CutPrefix(model, name)
	return ok && (rest == "" || release.MatchString(rest))
}

// Models returns the names of the models that generate text, in order.
func (prices Prices) Models() []string {
	var names []string
	for _, price := range prices {
		switch {
		case price.Embeds:
		case price.Called != "":
			names = append(names, price.Called)
		default:
			names = append(names, price.Model)
		}
	}
	return names
}
