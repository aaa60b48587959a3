// Package workflow is the registry of workflows: graphs of steps. It reads,
// checks and patches their definitions.
package workflow

import (
	"crypto/rand"
	"fmt"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/registry"
)

// Service is the registry. It is safe for concurrent use.
type Service struct {
	*registry.Registry[Definition]
	store entity.Store
	types Types
}

// Record is a version of a workflow with all that is attached to it.
type Record = registry.Record[Definition]

// NewService returns a registry over the store. The ids of nodes and edges come
// from newID, which is RandomID outside of tests.
func NewService(store entity.Store, types Types, newID func() string) *Service {
	return &Service{store: store, types: types, Registry: registry.New(store, registry.Kind[Definition]{
		Kind:      entity.KindWorkflow,
		Check:     func(d Definition, _ bool) error { return d.Check(types, d.edgesKept) },
		Normalize: func(d Definition) Definition { return d.withIDs(newID) },
		Encode:    func(d Definition) ([]byte, error) { return d.encode(), nil },
		Decode:    decode,
		MaxSize:   MaxSize,
		NameTaken: fault.BadRequest,
	})}
}

// RandomID returns a new random UUID.
func RandomID() string {
	var id [16]byte
	_, _ = rand.Read(id[:])   // never fails
	id[6] = id[6]&0x0f | 0x40 // version 4: random
	id[8] = id[8]&0x3f | 0x80 // the variant that all UUIDs in use have
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}
