package chart

import "github.com/promptuary/promptuary/internal/reqlog/query"

// chartUnit is how charts show numbers with a unit.
type chartUnit struct {
	name string
	// bin is the default width of a histogram bin.
	bin float64
	// divisor converts a stored number to the displayed one.
	divisor float64
}

var chartUnits = map[query.Unit]chartUnit{
	"":                {name: "number", bin: 1, divisor: 1},
	query.UnitTokens:  {name: "tokens", bin: 1000, divisor: 1},
	query.UnitDollars: {name: "currency", bin: 0.01, divisor: 1},
	query.UnitMillis:  {name: "duration_seconds", bin: 1000, divisor: 1000},
	query.UnitPoints:  {name: "number", bin: 10, divisor: 1},
}
