package access

import (
	"context"
	"crypto/sha256"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
)

type keyTable struct {
	callers map[[sha256.Size]byte]Caller
	asked   int
	err     error
}

func (k *keyTable) FindCaller(_ context.Context, hash [sha256.Size]byte) (Caller, error) {
	k.asked++
	if k.err != nil {
		return Caller{}, k.err
	}
	if c, ok := k.callers[hash]; ok {
		return c, nil
	}
	return Caller{}, fault.NotFoundf("no such key")
}

func TestGuard(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	now := time.Unix(1000, 0)
	want := Caller{KeyID: 3, Workspace: 7}
	table := &keyTable{callers: map[[sha256.Size]byte]Caller{Hash("pl_a"): want}}
	guard := NewGuard(table, func() time.Time { return now })

	for range 3 {
		if got, err := guard.Identify(ctx, "pl_a"); err != nil || got != want {
			t.Fatalf("Identify = %v, %v", got, err)
		}
	}
	if table.asked != 1 {
		t.Errorf("the table was asked %d times for one key, want once", table.asked)
	}
	for _, key := range []string{"pl_b", "", "PL_A", "pl_a "} {
		if _, err := guard.Identify(ctx, key); !fault.Is(err, fault.Unauthorized) {
			t.Errorf("Identify(%q) = %v, want Unauthorized", key, err)
		}
	}
	delete(table.callers, Hash("pl_a"))
	now = now.Add(cacheFor)
	if _, err := guard.Identify(ctx, "pl_a"); !fault.Is(err, fault.Unauthorized) {
		t.Errorf("a revoked key still works: %v", err)
	}
	table.err = errors.New("the catalog is away")
	if _, err := guard.Identify(ctx, "pl_a"); err == nil || fault.Is(err, fault.Unauthorized) {
		t.Errorf("a failing catalog gives %v, want its own error", err)
	}
}

func TestNewKey(t *testing.T) {
	t.Parallel()
	a, b := NewKey(), NewKey()
	if a == b || !strings.HasPrefix(a, KeyPrefix) || len(a) < 35 {
		t.Errorf("keys %q and %q", a, b)
	}
}

func TestCallerTravelsInTheContext(t *testing.T) {
	t.Parallel()
	if got := CallerOf(context.Background()); got != (Caller{}) {
		t.Errorf("outside of a request the caller is %v", got)
	}
	want := Caller{KeyID: 1, Workspace: 2}
	if got := CallerOf(WithCaller(context.Background(), want)); got != want {
		t.Errorf("CallerOf = %v, want %v", got, want)
	}
}
