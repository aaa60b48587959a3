package access

import (
	"context"
	"errors"
	"strconv"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
)

// everybody is a directory in which every secret is a key.
type everybody struct{ Directory }

func (everybody) FindKey(_ context.Context, hash Hash) (Key, error) {
	return Key{ID: 1, WorkspaceID: 1, Hash: hash}, nil
}

func (everybody) GetWorkspace(_ context.Context, id int64) (Workspace, error) {
	return Workspace{ID: id}, nil
}

func TestGuardCacheIsBounded(t *testing.T) {
	t.Parallel()
	guard := NewGuard(everybody{}, time.Now)
	most := 0
	for i := range 3 * maxCached {
		if _, err := guard.Identify(t.Context(), strconv.Itoa(i)); err != nil {
			t.Fatal(err)
		}
		most = max(most, len(guard.recent))
	}
	if most != 10_000 {
		t.Errorf("up to %d callers are cached, want 10000", most)
	}
	if len(guard.used) != 1 {
		t.Errorf("%d keys are recorded as used, want 1", len(guard.used))
	}
}

func TestWrongPasswordsAreLimitedByAddress(t *testing.T) {
	t.Parallel()
	now := time.Unix(1000, 0)
	counts := tries{clock: func() time.Time { return now }}
	for i := range maxTries {
		if err := counts.begin([]string{"ann@example.com", "ANN@example.com"}[i%2]); err != nil {
			t.Fatalf("try %d: %v", i, err)
		}
	}
	now = now.Add(time.Minute)
	err := counts.begin("Ann@example.com")
	if !fault.Is(err, fault.RateLimited) {
		t.Fatalf("got %v, want RateLimited", err)
	}
	var refused *fault.Error
	if !errors.As(err, &refused) || refused.RetryAfter != triesPer-time.Minute {
		t.Errorf("got %+v, want a retry delay of %s", refused, triesPer-time.Minute)
	}
	if err := counts.begin("bob@example.com"); err != nil {
		t.Errorf("another address: %v", err)
	}
	now = now.Add(triesPer - time.Minute)
	if err := counts.begin("ann@example.com"); err != nil {
		t.Errorf("after the delay: %v", err)
	}
	counts.forget("ANN@example.com")
	for range maxTries {
		if err := counts.begin("ann@example.com"); err != nil {
			t.Errorf("after a right password: %v", err)
		}
	}
}

func TestWrongPasswordCountsAreBounded(t *testing.T) {
	t.Parallel()
	counts := tries{clock: time.Now}
	for i := range 3 * maxTrying {
		if err := counts.begin(strconv.Itoa(i)); err != nil || len(counts.wrong) > maxTrying {
			t.Fatalf("%d addresses are counted, %v", len(counts.wrong), err)
		}
	}
}
