package access

import (
	"context"
	"strconv"
	"testing"
	"time"
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
