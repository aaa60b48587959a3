package ingest

import (
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/reqlog"
)

// laggard is a store that is behind when it is first asked.
type laggard struct {
	Store
	asked int
}

func (l *laggard) Backlog() float64 {
	l.asked++
	return float64(2 - l.asked)
}

// TestTimerIsNotMissed lets the timer for which a large call waits fire before the
// queue begins to wait. Nobody else comes to wake it.
func TestTimerIsNotMissed(t *testing.T) {
	t.Parallel()
	g := newIngester(&laggard{}, nil, time.Now, Options{}.withDefaults())
	defer g.abort()
	g.afterFunc = func(_ time.Duration, wake func()) *time.Timer {
		go wake()
		time.Sleep(20 * time.Millisecond) // enough for it to run, unless it waits for the queue
		return nil
	}
	large := &submission{workspace: 1, logs: []*reqlog.Log{{}}, bytes: 2 * smallCall}
	g.queue.push(large)
	taken := make(chan []*submission)
	go func() { taken <- g.take() }()
	select {
	case batch := <-taken:
		if len(batch) != 1 || batch[0] != large {
			t.Errorf("took %v", batch)
		}
	case <-time.After(10 * time.Second):
		t.Error("the queue sleeps although a call waits")
	}
}
