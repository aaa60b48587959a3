package client

import (
	"context"
	"errors"
	"testing"
	"time"
)

func TestWaitEndsWithTheContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	if err := wait(ctx, time.Nanosecond); err != nil {
		t.Errorf("a short wait ended with %v", err)
	}
	time.AfterFunc(time.Millisecond, cancel)
	if err := wait(ctx, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("a long wait ended with %v", err)
	}
}

func TestGateLimitsEachDoor(t *testing.T) {
	t.Parallel()
	g := gate{limit: 2, doors: map[string]*door{}}
	enter := func(ctx context.Context, name string) func() {
		t.Helper()
		leave, err := g.enter(ctx, name)
		if err != nil {
			t.Fatal(err)
		}
		return leave
	}
	first, second := enter(t.Context(), "a"), enter(t.Context(), "a")
	other := enter(t.Context(), "b")

	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := g.enter(gone, "a"); !errors.Is(err, context.Canceled) {
		t.Fatalf("a third came in: %v", err)
	}
	first()
	third := enter(t.Context(), "a")
	for _, leave := range []func(){second, third, other} {
		leave()
	}
	if len(g.doors) != 0 {
		t.Errorf("%d doors are left", len(g.doors))
	}
}
