// Package kit has what the families of operations share: lists and their
// paging, external ids and release labels of any kind, common answers, and
// helpers that convert between wire types and the domains' types.
package kit

import (
	"net/http"
	"time"

	"github.com/promptuary/promptuary/internal/rest"
)

// SuccessResponse is the answer of operations that return nothing else.
type SuccessResponse struct {
	Success bool `json:"success" required:"true" description:"Always true."`
}

// DoneResponse is the answer of operations that return only a message.
type DoneResponse struct {
	Success bool   `json:"success" required:"true" description:"Always true."`
	Message string `json:"message" required:"true" description:"What was done."`
}

// Done returns a successful answer with a message.
func Done(message string) *DoneResponse { return &DoneResponse{Success: true, Message: message} }

// Tagged sets the tag of operations, their heading in the documentation.
func Tagged(tag string, ops []rest.Op) []rest.Op {
	for i := range ops {
		ops[i].Tag = tag
	}
	return ops
}

// NoReadDeadline removes the deadline for reading the request from the
// connection, so that the server does not abort a long operation as a slow
// client.
func NoReadDeadline(w http.ResponseWriter) {
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // only some tests have no deadlines
}
