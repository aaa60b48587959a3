package api_test

import "github.com/promptuary/promptuary/internal/access"

const pricesPath = "/api/public/v2/prices"

func priceSamples() []sample {
	const one = pricesPath + "/$price"
	manage := all(access.ManagePrices)
	return []sample{
		{op: "listPrices", may: anyone, path: pricesPath},
		{op: "createPrice", may: manage, body: `{"provider":"openai","model":"$new","input":1,"output":2}`, status: 201, audit: "create PRICE"},
		{op: "updatePrice", may: manage, path: one, body: `{"input":3}`, audit: "change PRICE"},
		{op: "deletePrice", may: manage, path: one, audit: "delete PRICE"},
		{op: "importPrices", may: manage, path: pricesPath + "/import", body: `{"prices":[{"provider":"openai","model":"$new","input":1,"output":2}]}`, audit: "import PRICE"},
		{op: "listUnpricedModels", may: anyone, path: pricesPath + "/unpriced"},
		{op: "exportPrices", may: anyone, path: pricesPath + "/export"},
	}
}

// makePrice creates a custom price.
func (s *subjects) makePrice(name string) {
	s.t.Helper()
	if name == "$price" {
		s.post(name, pricesPath, `{"provider":"openai","model":"`+s.unique()+`","input":1,"output":2}`, "price", "id")
	}
}
