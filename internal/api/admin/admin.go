// Package admin has the operations on workspaces, people, keys, sessions, the
// audit log and the server's health, and authenticates callers.
package admin

import (
	"slices"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/export"
	"github.com/promptuary/promptuary/internal/rest"
)

// Services are the services that the operations call.
type Services struct {
	Access  *access.Service
	Audit   *audit.Service
	Health  HealthSource
	Exports *export.Service
}

// Operations returns the operations of the package.
func Operations(s Services) []rest.Op {
	return slices.Concat(
		administration{service: s.Access}.operations(),
		auditLog{service: s.Audit, exports: s.Exports}.operations(), health{source: s.Health}.operations(),
	)
}
