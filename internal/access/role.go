package access

import (
	"slices"
	"strings"
)

// Role is the name of a set of permissions, either one of the built-in ones below
// or a CustomRole. Keys and members have any number of roles, whose permissions
// add up.
type Role string

// The built-in roles.
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

// Roles returns the built-in roles, the least powerful first.
func Roles() []Role {
	names := make([]Role, len(roles))
	for i, known := range roles {
		names[i] = known.role
	}
	return names
}

// Permissions returns what a built-in role allows, nothing for any other role.
func (r Role) Permissions() Permissions {
	for _, known := range roles {
		if known.role == r {
			return known.allowed
		}
	}
	return 0
}

// custom reports whether the role is not built-in.
func (r Role) custom() bool { return !slices.Contains(Roles(), r) }

// RoleNamed returns the built-in role with that name, ignoring case, or else the
// name as that of a custom role.
func RoleNamed(name string) Role {
	for _, role := range Roles() {
		if strings.EqualFold(string(role), name) {
			return role
		}
	}
	return Role(name)
}

// permissionsOf returns what a caller with the roles may do, as far as they are
// built-in. Without any role that is everything except administration, or reading if the workspace
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

// normalRoles returns the roles without duplicates: first the built-in ones in the
// order of the table, then custom ones by name.
func normalRoles(held []Role) []Role {
	normal := slices.DeleteFunc(Roles(), func(role Role) bool { return !slices.Contains(held, role) })
	custom := slices.DeleteFunc(slices.Clone(held), func(role Role) bool { return !role.custom() })
	slices.Sort(custom)
	return append(normal, slices.Compact(custom)...)
}
