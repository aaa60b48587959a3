// Package api is the HTTP edge: it joins the operations of the families, each
// of which is a package with thin handlers and wire types. Rules live in the
// domains.
package api

import (
	_ "embed"
	"encoding/json"
	"slices"

	"github.com/promptuary/promptuary/internal/api/admin"
	"github.com/promptuary/promptuary/internal/api/data"
	"github.com/promptuary/promptuary/internal/api/logs"
	"github.com/promptuary/promptuary/internal/api/registry"
	"github.com/promptuary/promptuary/internal/api/traces"
	"github.com/promptuary/promptuary/internal/api/watch"
	"github.com/promptuary/promptuary/internal/api/work"
	"github.com/promptuary/promptuary/internal/rest"
)

// Services are the services that the operations call, by family.
type Services struct {
	Logs     logs.Services
	Traces   traces.Services
	Data     data.Services
	Watch    watch.Services
	Registry registry.Services
	Work     work.Services
	Admin    admin.Services
}

// Operations returns the whole table.
func Operations(s Services) []rest.Op {
	return slices.Concat(
		logs.Operations(s.Logs), traces.Operations(s.Traces), data.Operations(s.Data), watch.Operations(s.Watch),
		registry.Operations(s.Registry), work.Operations(s.Work), admin.Operations(s.Admin),
	)
}

//go:embed examples.json
var examples []byte

// Examples returns a body for each operation that takes one as JSON, by
// operation. Bodies that name nothing that must exist succeed as they are.
func Examples() map[string]json.RawMessage {
	var list map[string]json.RawMessage
	if err := json.Unmarshal(examples, &list); err != nil {
		panic("examples.json: " + err.Error()) // it is part of the program
	}
	return list
}
