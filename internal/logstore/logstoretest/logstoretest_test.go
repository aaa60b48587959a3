package logstoretest

import (
	"testing"

	"github.com/promptuary/promptuary/internal/reqlog/requests"
)

// TestNaive runs the suite on the store that engines are compared with. It
// shows that the suite asks for nothing impossible, and checks what does not
// depend on that store.
func TestNaive(t *testing.T) {
	t.Parallel()
	Run(t, func(*testing.T) Harness {
		store := &naive{}
		return Harness{Store: store, Reopen: func() requests.Store { return store }}
	})
}
