package access

import (
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/fault"
)

// Role is a named set of permissions. Keys and members have any number of
// roles and act with all permissions of them together.
type Role string

// The roles.
const (
	// Viewer reads.
	Viewer Role = "Viewer"
	// Logger logs requests and annotates them, as a program in production does.
	Logger Role = "Logger"
	// Contributor creates, edits, deletes and runs.
	Contributor Role = "Contributor"
	// Publisher decides what is released, by moving labels.
	Publisher Role = "Publisher"
	// Editor is Contributor and Publisher.
	Editor Role = "Editor"
	// Developer manages API keys.
	Developer Role = "Developer"
	// Administrator does everything within the workspace.
	Administrator Role = "Admin"
	// Owner does everything in every workspace. People are made owners of the
	// installation instead of being given this role; a key can have it.
	Owner Role = "Owner"
)

// Roles returns all roles, those that may do less first.
func Roles() []Role {
	return []Role{Viewer, Logger, Contributor, Publisher, Editor, Developer, Administrator, Owner}
}

// Permissions returns what the role allows.
func (r Role) Permissions() Permissions {
	contribute, publish := endingWith("_CREATE", "_EDIT", "_DELETE", "_RUN"), endingWith("_DEPLOY")
	switch r {
	case Logger:
		return SetOf(RequestCreate, MetadataEdit)
	case Contributor:
		return contribute
	case Publisher:
		return publish
	case Editor:
		return contribute | publish
	case Developer:
		return SetOf(ManageKeys)
	case Administrator:
		return all
	case Owner:
		return all | SetOf(Own)
	}
	return 0
}

// ParseRole returns the role of that name, however it is capitalised. The
// fault is Invalid when there is none.
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
	return "", fault.New(fault.Invalid, "there is no role %q, only %s", name, strings.Join(names, ", "))
}

// permissionsOf returns what a caller with the roles may do. Without any, that
// is everything but to administer, unless the workspace demands roles.
func permissionsOf(roles []Role, required bool) Permissions {
	if len(roles) == 0 && !required {
		return unassigned
	}
	var set Permissions
	for _, role := range roles {
		set |= role.Permissions()
	}
	return set
}

// normalRoles returns the roles in their order, each once.
func normalRoles(roles []Role) []Role {
	known := Roles()
	return slices.DeleteFunc(known, func(role Role) bool { return !slices.Contains(roles, role) })
}
