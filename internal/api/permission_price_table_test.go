package api_test

import "github.com/promptuary/promptuary/internal/access"

const (
	pricesPath     = "/api/public/v2/prices"
	repricingsPath = pricesPath + "/repricings"
)

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
		{op: "previewRepricing", may: manage, body: `{}`},
		{op: "createRepricing", may: manage, body: `{"filter_group":{"filters":[{"field":"engine","operator":"is","value":"$new"}]}}`, status: 201, audit: "create REPRICING"},
		{op: "listRepricings", may: anyone},
		{op: "getRepricing", may: anyone, path: repricingsPath + "/$repricing"},
		{op: "cancelRepricing", may: manage, path: repricingsPath + "/$repricing/cancel", status: 202, silent: "it has ended"},
		{op: "revertRepricing", may: manage, path: repricingsPath + "/$repricing/revert", status: 202, audit: "revert REPRICING"},
	}
}

// makePrice creates a custom price or a re-pricing that has ended.
func (s *subjects) makePrice(name string) {
	s.t.Helper()
	switch name {
	case "$price":
		s.post(name, pricesPath, `{"provider":"openai","model":"`+s.unique()+`","input":1,"output":2}`, "price", "id")
	case "$repricing":
		s.awaitRuns() // a workspace has one at a time
		s.post(name, repricingsPath, `{"filter_group":{"filters":[{"field":"engine","operator":"is","value":"none"}]}}`, "repricing", "id")
		s.awaitRuns()
	case "$deletion":
		s.post(name, deletionsPath, `{"request_ids":[1]}`, "deletion", "id")
		s.awaitRuns()
	}
}
