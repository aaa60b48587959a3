package access

import (
	"net/mail"
	"strings"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
)

// User is someone who can sign in.
type User struct {
	ID    int64
	Email string
	// Password is the hash of the password, "" until one is set.
	Password string
	// Owner grants all permissions in every workspace.
	Owner bool
	// OpenedBy is the workspace whose administrators created the account, nil if
	// an owner did. Its administrators may be the ones who use the account.
	OpenedBy     *int64
	CreatedAt    time.Time
	LastSignInAt *time.Time
}

// Member is a user in a workspace.
type Member struct {
	User
	WorkspaceID int64
	Roles       []Role
	JoinedAt    time.Time
}

// Membership is a workspace that a user is a member of.
type Membership struct {
	Workspace Workspace
	Roles     []Role
}

// Workspace is the space of a team; its contents are not visible from others.
type Workspace struct {
	ID   int64
	Name string
	// RolesRequired restricts callers without a role to reading. Otherwise they
	// may do everything except administration.
	RolesRequired bool
	CreatedAt     time.Time
	// DisabledAt is when access was disabled, nil if the workspace is enabled.
	DisabledAt *time.Time
}

// maxEmail is the maximum length of an address in the mail standards.
const maxEmail = 254

// checkEmail reports the problems of an address.
func checkEmail(email string, problems *fault.Problems) {
	parsed, err := mail.ParseAddress(email)
	if err != nil || parsed.Address != email || len(email) > maxEmail || strings.ContainsAny(email, "\x00\r\n") {
		problems.Add(fault.In("email"), "value_error", "Input should be a valid email address")
	}
}
