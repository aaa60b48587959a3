package provider

import (
	"regexp"
	"strings"
)

// Price is what a model costs, in US dollars for a million tokens.
type Price struct {
	// Provider is the provider it is for, "" for any.
	Provider string
	// Model is the model's name. It also stands for dated and preview releases
	// of the model, and with a * at its end for all names that begin with it.
	Model string
	// Called is the name to call the model by if its own name is none.
	Called string
	// Input and Output are for what is sent and generated, Cached for the part
	// of the input that the provider read from its cache.
	Input, Cached, Output float64
	// Embeds says that the model embeds texts rather than answers.
	Embeds bool
}

// Prices is a list of prices. Where a provider has no lower price for cached
// input, Cached repeats Input.
type Prices []Price

// storing is how much more input costs that is written to the cache.
const storing = 1.25

// Cost returns what a bill comes to.
func (p Price) Cost(b Bill) float64 {
	sum := float64(b.Input)*p.Input + float64(b.Cached)*p.Cached +
		float64(b.Stored)*p.Input*storing + float64(b.Output)*p.Output
	return sum / 1e6
}

// Find returns the price with the longest name that stands for the model.
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

// release matches what may follow the name of a model in the name of a release.
var release = regexp.MustCompile(`^[-@:](?:\d{3,4}|\d{6,8}|\d{4}-\d{2}-\d{2}|latest|preview.*|exp.*)$`)

func standsFor(name, model string) bool {
	if begin, ok := strings.CutSuffix(name, "*"); ok {
		return strings.HasPrefix(model, begin)
	}
	rest, ok := strings.CutPrefix(model, name)
	return ok && (rest == "" || release.MatchString(rest))
}

// Models returns the names of the models that answer, in the list's order.
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
