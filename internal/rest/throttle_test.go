package rest

import (
	"testing"
	"time"
)

func TestThrottle(t *testing.T) {
	t.Parallel()
	var refusals throttle
	start := time.Unix(1_700_000_000, 0)
	for _, step := range []struct {
		after time.Duration
		held  int64
		ok    bool
	}{
		{0, 0, true},
		{time.Second, 0, false},
		{9 * time.Second, 0, false},
		{throttlePause, 2, true},
		{throttlePause, 0, false},
		{time.Hour, 1, true},
	} {
		if held, ok := refusals.pass(start.Add(step.after)); held != step.held || ok != step.ok {
			t.Errorf("after %v: %d, %v; want %d, %v", step.after, held, ok, step.held, step.ok)
		}
	}
}
