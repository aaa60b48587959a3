package embedded

import (
	"math"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// TestPriceChangeRecord writes and reads changes of prices, and expects every
// record that is cut short or too long to be refused.
func TestPriceChangeRecord(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]reqlog.PriceChange{
		"prices": {Workspace: 3, Repricing: 9, Prices: []reqlog.NewPrice{{ID: 1, USD: 0}, {ID: 700, USD: 1e-12}, {ID: math.MaxInt64, USD: 1e9}}},
		"return": {Workspace: 1, Repricing: math.MaxInt64, Prices: []reqlog.NewPrice{}, First: 1, Last: math.MaxInt64},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			encoded := appendPriceChange(nil, &change)
			decoded, err := decodePriceChange(encoded)
			check.OK(t, err)
			check.Equal(t, "change", *decoded, change)
			for size := recordHeader; size < len(encoded); size++ {
				if _, err := decodePriceChange(encoded[:size]); err == nil {
					t.Errorf("%d of %d bytes are accepted", size, len(encoded))
				}
			}
			if _, err := decodePriceChange(append(encoded, 0)); err == nil {
				t.Error("a byte too many is accepted")
			}
		})
	}
}

// TestWholeTransactions limits what one transaction changes.
func TestWholeTransactions(t *testing.T) {
	t.Parallel()
	log := operation{log: &reqlog.Log{}}
	prices := operation{prices: &reqlog.PriceChange{Prices: make([]reqlog.NewPrice, 6)}}
	undo := operation{prices: &reqlog.PriceChange{First: 1, Last: 3}}
	for _, test := range []struct {
		operations []operation
		want       int
	}{
		{nil, 0}, {[]operation{log, log}, 2}, {[]operation{prices, log}, 1}, {[]operation{log, prices}, 1}, {[]operation{log, log, undo, log}, 3},
	} {
		check.Equal(t, "operations", len(upTo(test.operations, 5)), test.want)
	}
}
