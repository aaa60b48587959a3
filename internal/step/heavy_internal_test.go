package step

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// TestLargeTextsWaitForSlot takes all slots, so it is not parallel.
func TestLargeTextsWaitForSlot(t *testing.T) {
	for range cap(heavySlots) {
		heavySlots <- struct{}{}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	ran := false
	work := func() error {
		ran = true
		return nil
	}
	if err := onText(ctx, strings.Repeat("x", heavySize), work); !errors.Is(err, context.Canceled) || ran {
		t.Errorf("a large text without a slot: %v, ran %v", err, ran)
	}
	if err := onText(ctx, "small", work); err != nil || !ran {
		t.Errorf("a small text: %v, ran %v", err, ran)
	}
	for range cap(heavySlots) {
		<-heavySlots
	}
	if err := onText(t.Context(), strings.Repeat("x", heavySize), func() error { panic("broken") }); !errors.Is(err, errPanicked) {
		t.Errorf("a panic became %v", err)
	}
	if len(heavySlots) != 0 {
		t.Error("a turn was not given back")
	}
}
