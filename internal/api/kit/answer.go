// Package kit has what the families of operations share: lists and paging,
// external ids and release labels of any kind, common responses, and
// conversions between wire types and domain types.
package kit

import (
	"github.com/promptuary/promptuary/internal/rest"
)

// SuccessResponse is the response of operations that return nothing else.
type SuccessResponse struct {
	Success bool `json:"success" required:"true" description:"Always true."`
}

// Succeeded returns a SuccessResponse, or err.
func Succeeded(err error) (*SuccessResponse, error) {
	if err != nil {
		return nil, err
	}
	return &SuccessResponse{Success: true}, nil
}

// DoneResponse is the response of operations that return only a message.
type DoneResponse struct {
	Success bool   `json:"success" required:"true" description:"Always true."`
	Message string `json:"message" required:"true" description:"Result message."`
}

// Done returns a DoneResponse with the message, or err.
func Done(message string, err error) (*DoneResponse, error) {
	if err != nil {
		return nil, err
	}
	return &DoneResponse{Success: true, Message: message}, nil
}

// Tagged sets the tag of operations, which is their heading in the documentation.
func Tagged(tag string, ops []rest.Op) []rest.Op {
	for i := range ops {
		ops[i].Tag = tag
	}
	return ops
}
