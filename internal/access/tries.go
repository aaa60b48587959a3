package access

import (
	"cmp"
	"maps"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
)

// Wrong passwords are counted by client address and account together, and, for
// clients that have not signed in to the account before, by each of them.
// Nobody can therefore keep people from signing in where they usually do, and
// neither many accounts nor many addresses allow for more guesses.
const (
	maxTries = 10 // per address and account
	maxWide  = 50 // per address, and per account
	triesPer = 5 * time.Minute
	// maxTrying limits how many counters, and how many known clients, are kept.
	maxTrying = 10_000
)

// target is what wrong passwords are counted by.
type target struct {
	scope            scope
	address, account string
}

type scope uint8

const (
	byBoth scope = iota
	byAddress
	byAccount
)

func (t target) limit() int {
	if t.scope == byBoth {
		return maxTries
	}
	return maxWide
}

// tries counts wrong passwords.
type tries struct {
	clock func() time.Time
	mu    sync.Mutex
	wrong map[target]tried
	known map[target]time.Time // when clients last signed in to accounts
}

type tried struct {
	count int
	since time.Time
}

func newTries(clock func() time.Time) *tries {
	return &tries{clock: clock, wrong: map[target]tried{}, known: map[target]time.Time{}}
}

// begin counts a password before it is checked, so that concurrent attempts are
// counted as well. It returns a RateLimited fault after too many.
func (t *tries) begin(address, account string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	now, targets := t.clock(), t.targets(address, account)
	for _, one := range targets {
		if so := t.wrong[one]; so.count >= one.limit() && now.Sub(so.since) < triesPer {
			refused := fault.New(fault.RateLimited, "Too many wrong passwords: retry later")
			refused.RetryAfter = triesPer - now.Sub(so.since)
			return refused
		}
	}
	for _, one := range targets {
		t.count(one, now)
	}
	return nil
}

// targets returns what an attempt is counted by.
func (t *tries) targets(address, account string) []target {
	both := pair(address, account)
	if _, ok := t.known[both]; ok {
		return []target{both}
	}
	return []target{both, {byAddress, both.address, ""}, {byAccount, "", both.account}}
}

func pair(address, account string) target {
	return target{byBoth, network(address), strings.ToLower(account)}
}

// network returns what stands for one client: of an IPv6 address the network,
// because every client has a whole one.
func network(address string) string {
	addr, err := netip.ParseAddr(address)
	if err != nil || !addr.Is6() || addr.Is4In6() {
		return address
	}
	return netip.PrefixFrom(addr, 64).Masked().String()
}

func (t *tries) count(one target, now time.Time) {
	so, ok := t.wrong[one]
	if now.Sub(so.since) >= triesPer {
		so = tried{since: now}
	}
	if !ok {
		t.makeRoom(now)
	}
	so.count++
	t.wrong[one] = so
}

// makeRoom drops counters that have ended, and if that does not help, the lowest:
// a flood of attempts does not reset the counters that matter. It drops many at a
// time, so that a flood does not cost a look at all of them each time.
func (t *tries) makeRoom(now time.Time) {
	if len(t.wrong) < maxTrying {
		return
	}
	maps.DeleteFunc(t.wrong, func(_ target, so tried) bool { return now.Sub(so.since) >= triesPer })
	if len(t.wrong) < maxTrying {
		return
	}
	lowest := slices.SortedFunc(maps.Keys(t.wrong), func(a, b target) int { return cmp.Compare(t.wrong[a].count, t.wrong[b].count) })
	for _, one := range lowest[:maxTrying/16] {
		delete(t.wrong, one)
	}
}

// succeed takes back what begin counted, and remembers the client.
func (t *tries) succeed(address, account string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.clock()
	for _, one := range t.targets(address, account) {
		if so, ok := t.wrong[one]; ok {
			so.count--
			t.wrong[one] = so
		}
	}
	both := pair(address, account)
	delete(t.wrong, both)
	if len(t.known) >= maxTrying {
		t.forgetOldest(now)
	}
	t.known[both] = now
}

// forgetOldest drops the known clients whose sessions have ended, and at least
// the oldest one.
func (t *tries) forgetOldest(now time.Time) {
	var oldest target
	since := now
	for one, at := range t.known {
		if now.Sub(at) >= SessionFor {
			delete(t.known, one)
		} else if !at.After(since) {
			oldest, since = one, at
		}
	}
	delete(t.known, oldest)
}

// forget drops all counters of an account whose password was replaced.
func (t *tries) forget(account string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	account = strings.ToLower(account)
	maps.DeleteFunc(t.wrong, func(one target, _ tried) bool { return one.account == account })
}
