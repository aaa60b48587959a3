package embedded

import (
	"testing"

	"github.com/promptuary/promptuary/internal/check"
)

// TestGathers checks when operations that came during a transaction wait for more.
// While logs keep arriving, there always are some: each would get a transaction of
// its own, which costs as much as a thousand rows.
func TestGathers(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		pending         int
		wanted, applied uint64
		stopping, want  bool
	}{
		"a few":              {pending: 3, wanted: 7, applied: 7, want: true},
		"nothing":            {wanted: 7, applied: 7},
		"a reader waits":     {pending: 3, wanted: 8, applied: 7},
		"many":               {pending: applyRows, wanted: 7, applied: 7},
		"the store is ended": {pending: 3, wanted: 7, applied: 7, stopping: true},
	} {
		stopping := make(chan struct{})
		if test.stopping {
			close(stopping)
		}
		q := &queue{pending: make([]operation, test.pending), wanted: test.wanted, applied: test.applied}
		a := &applier{queue: q, stopping: stopping}
		check.Equal(t, name, a.gathers(), test.want)
	}
}
