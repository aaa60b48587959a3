package engine_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/check"
)

// TestSettledIDs compares the settled id with all reservations: none that is younger
// than the time to settle, each that is older than three times that.
func TestSettledIDs(t *testing.T) {
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) {
		c := catalogtest.Open(t, dsn)
		clock := catalogtest.StopClock(t, dsn, time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
		settled := func(sequence string) int64 { return check.Must(c.Sequences.SettledID(t.Context(), sequence))(t) }
		check.Equal(t, "without reservations", settled("request"), int64(0))
		check.OK(t, c.Sequences.EnsureIDsAbove(t.Context(), "request", 100)) // logs that are there
		check.Equal(t, "what is there", settled("request"), int64(100))

		type reservation struct {
			at   time.Time
			last int64
		}
		reservations := []reservation{{last: 100}}
		before := int64(100)
		random := rand.New(rand.NewPCG(1, 2))
		for range 300 {
			clock.Advance(time.Duration(random.IntN(int(catalog.SettleTime / 2))))
			if random.IntN(20) == 0 {
				clock.Advance(2 * catalog.SettleTime)
			}
			if random.IntN(3) > 0 {
				n := random.Int64N(10) + 1
				first := check.Must(c.Sequences.ReserveIDs(t.Context(), "request", n))(t)
				reservations = append(reservations, reservation{clock.Now(), first + n - 1})
			}
			var surely, possibly int64
			for _, r := range reservations {
				age := clock.Now().Sub(r.at)
				if age >= 3*catalog.SettleTime {
					surely = r.last
				}
				if age >= catalog.SettleTime {
					possibly = r.last
				}
			}
			got := settled("request")
			if got < surely || got > possibly || got < before {
				t.Fatalf("settled = %d, want %d to %d, and not less than before, %d", got, surely, possibly, before)
			}
			before = got
		}
		clock.Advance(catalog.SettleTime)
		check.Equal(t, "after a pause", settled("request"), reservations[len(reservations)-1].last)
		check.Equal(t, "another sequence", settled("span"), int64(0))
	})
}
