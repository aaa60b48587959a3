// Package traces has the operations on traces: storing their spans, reading, closing,
// searching and charting them.
package traces

import (
	"github.com/promptuary/promptuary/internal/reqlog/requests"
	"github.com/promptuary/promptuary/internal/rest"
)

// Services are the services that the operations call.
type Services struct{ Logs *requests.Service }

// Operations returns the operations of the package.
func Operations(s Services) []rest.Op { return traces{service: s.Logs}.operations() }
