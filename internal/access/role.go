package access

import (
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/fault"
)

// Role is a named set of permissions. Keys and members have any number of roles,
// whose permissions add up.
type Role string

// The roles.
const (
	// Ingest can log and annotate requests, and read nothing. Only keys have
	// this role.
	Ingest Role = "Ingest"
	// Viewer can read.
	Viewer Role = "Viewer"
	// Logger can read, and log and annotate requests, as a program that fetches
	// its prompts does.
	Logger Role = "Logger"
	// Contributor can create, edit, delete and run.
	Contributor Role = "Contributor"
	// Publisher can move release labels.
	Publisher Role = "Publisher"
	// Editor is Contributor and Publisher.
	Editor Role = "Editor"
	// Developer can manage API keys.
	Developer Role = "Developer"
	// Administrator can do everything within the workspace.
	Administrator Role = "Admin"
	// Owner can do everything in every workspace. Only keys have this role; a user
	// is made an owner of the installation instead.
	Owner Role = "Owner"
)

// The permissions that several roles share.
var (
	reading      = SetOf(Read)
	ingesting    = SetOf(RequestCreate, MetadataEdit)
	contributing = reading | ingesting | forAnyKind(Create) | forAnyKind(Edit) | forAnyKind(Delete) |
		SetOf(WorkflowRun, ReportRun)
	publishing = reading | forAnyKind(Deploy)
)

// roles lists what each role allows, the least powerful first.
var roles = []struct {
	role    Role
	allowed Permissions
}{
	{Ingest, ingesting},
	{Viewer, reading},
	{Logger, reading | ingesting},
	{Contributor, contributing},
	{Publisher, publishing},
	{Editor, contributing | publishing},
	{Developer, reading | SetOf(ManageKeys)},
	{Administrator, all},
	{Owner, all | SetOf(Own)},
}

// Roles returns all roles, the least powerful first.
func Roles() []Role {
	names := make([]Role, len(roles))
	for i, known := range roles {
		names[i] = known.role
	}
	return names
}

// Permissions returns what the role allows, nothing for an unknown role.
func (r Role) Permissions() Permissions {
	for _, known := range roles {
		if known.role == r {
			return known.allowed
		}
	}
	return 0
}

// ParseRole returns the role with that name, ignoring case. The fault is
// Invalid when there is none.
func ParseRole(name string) (Role, error) {
	known := Roles()
	for _, role := range known {
		if strings.EqualFold(string(role), name) {
			return role, nil
		}
	}
	names := make([]string, len(known))
	for i, role := range known {
		names[i] = string(role)
	}
	return "", fault.New(fault.Invalid, "Unknown role %q: use one of %s", name, strings.Join(names, ", "))
}

// permissionsOf returns what a caller with the roles may do. Without any role
// that is everything except administration, or reading if the workspace
// requires roles.
func permissionsOf(held []Role, required bool) Permissions {
	switch {
	case len(held) == 0 && required:
		return reading
	case len(held) == 0:
		return unassigned
	}
	var set Permissions
	for _, role := range held {
		set |= role.Permissions()
	}
	return set
}

// normalRoles returns the roles in the order of the table, without duplicates.
func normalRoles(held []Role) []Role {
	return slices.DeleteFunc(Roles(), func(role Role) bool { return !slices.Contains(held, role) })
}
