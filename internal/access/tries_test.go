package access

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
)

const home, away = "203.0.113.1", "198.51.100.1"

func newTestTries() (*tries, *check.Clock) {
	clock := check.NewClock(time.Unix(1000, 0))
	return newTries(clock.Now), clock
}

// allowed returns how many wrong passwords are accepted before the first that
// is not.
func (t *tries) allowed(address, account func(i int) string) int {
	for i := range 1000 {
		if t.begin(address(i), account(i)) != nil {
			return i
		}
	}
	return 1000
}

func always(text string) func(int) string { return func(int) string { return text } }

func counting(format string) func(int) string {
	return func(i int) string { return fmt.Sprintf(format, i) }
}

func TestWrongPasswordLimits(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		address, account func(int) string
		want             int
	}{
		"one address, one account":        {always(home), always("ann@example.com"), maxTries},
		"any spelling of the account":     {always(home), func(i int) string { return []string{"ann@example.com", "ANN@example.com"}[i%2] }, maxTries},
		"one address, many accounts":      {always(home), counting("user%d@example.com"), maxWide},
		"many addresses, one account":     {counting("10.0.0.%d"), always("ann@example.com"), maxWide},
		"one network, one account":        {counting("2001:db8::%x"), always("ann@example.com"), maxTries},
		"many networks, one account":      {counting("2001:db8:0:%x::1"), always("ann@example.com"), maxWide},
		"many addresses and accounts":     {counting("10.0.%d.1"), counting("user%d@example.com"), 1000},
		"a client that has no address":    {always(""), always("ann@example.com"), maxTries},
		"no address, many accounts":       {always(""), counting("user%d@example.com"), maxWide},
		"an IPv4 address written as IPv6": {counting("::ffff:10.0.0.%d"), always("ann@example.com"), maxWide},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			counts, _ := newTestTries()
			check.Equal(t, "accepted", counts.allowed(test.address, test.account), test.want)
		})
	}
}

// TestOwnerIsNotLockedOut attacks an account from many addresses, and from the
// address of its owner with other accounts.
func TestOwnerIsNotLockedOut(t *testing.T) {
	t.Parallel()
	counts, _ := newTestTries()
	check.OK(t, counts.begin(home, "ann@example.com"))
	counts.succeed(home, "ann@example.com")
	counts.allowed(counting("10.0.0.%d"), always("ann@example.com"))
	counts.allowed(always(home), counting("user%d@example.com"))
	check.Fault(t, counts.begin(away, "ann@example.com"), fault.RateLimited)
	check.Fault(t, counts.begin(home, "bob@example.com"), fault.RateLimited)
	for range 100 {
		check.OK(t, counts.begin(home, "Ann@example.com"))
		counts.succeed(home, "Ann@example.com")
	}
	check.Equal(t, "wrong passwords from home", counts.allowed(always(home), always("ann@example.com")), maxTries)
}

// TestOwnAccountDoesNotResetTheAddress has an attacker who signs in to their own
// account between guesses.
func TestOwnAccountDoesNotResetTheAddress(t *testing.T) {
	t.Parallel()
	counts, _ := newTestTries()
	guesses := 0
	for i := range 1000 {
		if counts.begin(away, "mallory@example.com") == nil {
			counts.succeed(away, "mallory@example.com")
		}
		if counts.begin(away, fmt.Sprint(i%100)) == nil {
			guesses++
		}
	}
	check.Equal(t, "guesses", guesses, maxWide)
}

func TestWrongPasswordsExpire(t *testing.T) {
	t.Parallel()
	counts, clock := newTestTries()
	counts.allowed(always(home), always("ann@example.com"))
	clock.Advance(time.Minute)
	err := counts.begin(home, "ann@example.com")
	check.Fault(t, err, fault.RateLimited)
	var refused *fault.Error
	if !errors.As(err, &refused) || refused.RetryAfter != triesPer-time.Minute {
		t.Errorf("got %+v, want a retry delay of %s", refused, triesPer-time.Minute)
	}
	clock.Advance(triesPer - time.Minute)
	check.OK(t, counts.begin(home, "ann@example.com"))
}

func TestNewPasswordEndsTheLimits(t *testing.T) {
	t.Parallel()
	counts, _ := newTestTries()
	counts.allowed(counting("10.0.0.%d"), always("ann@example.com"))
	counts.forget("ANN@example.com")
	check.OK(t, counts.begin(away, "ann@example.com"))
}

// TestFloodDoesNotResetCounters tries more accounts from more addresses than
// are counted.
func TestFloodDoesNotResetCounters(t *testing.T) {
	t.Parallel()
	counts, _ := newTestTries()
	counts.allowed(always(away), always("ann@example.com"))
	for i := range maxTrying {
		check.OK(t, counts.begin(fmt.Sprintf("10.%d.%d.1", i/250, i%250), fmt.Sprintf("user%d@example.com", i)))
		if len(counts.wrong) > maxTrying {
			t.Fatalf("%d counters", len(counts.wrong))
		}
	}
	check.Fault(t, counts.begin(away, "ann@example.com"), fault.RateLimited)
}

func TestKnownClientsAreBounded(t *testing.T) {
	t.Parallel()
	counts, clock := newTestTries()
	for i := range maxTrying + 10 {
		counts.succeed(home, fmt.Sprint(i))
		clock.Advance(time.Second)
	}
	check.Equal(t, "known", len(counts.known), maxTrying)
	if _, ok := counts.known[pair(home, "9")]; ok {
		t.Error("the oldest is still known")
	}
}
