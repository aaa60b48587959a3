package client

import "testing"

// TestModelsHaveTheirPrice looks up each model that is offered under the name
// it is called by.
func TestModelsHaveTheirPrice(t *testing.T) {
	t.Parallel()
	used := 0
	for name, p := range providers {
		seen := map[string]bool{}
		for _, model := range p.models() {
			price, ok := listPrices.find(p.prices, model)
			if !ok || model != price.Model && calledNames[price.Model] != model {
				t.Errorf("%s: %s has the price of %q", name, model, price.Model)
			}
			if seen[model] {
				t.Errorf("%s: %s is offered twice", name, model)
			}
			if model != price.Model && name == p.prices {
				used++
			}
			seen[model] = true
		}
		if (p.prices != "") != (len(seen) > 0) {
			t.Errorf("%s offers %d models", name, len(seen))
		}
	}
	if used != len(calledNames) {
		t.Errorf("%d of %d names are used", used, len(calledNames))
	}
}
