package access

import (
	"net/mail"
	"strings"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
)

// User is a person who can sign in.
type User struct {
	ID    int64
	Email string
	// Password is the hash of the password, "" until one was set.
	Password string
	// Owner says that the person may do everything in every workspace.
	Owner bool
	// OpenedBy is the workspace whose administrators opened the account, nil
	// where an owner did: who opened it may be who signs in with it.
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

// Workspace is one team's space; nothing in it is visible from another.
type Workspace struct {
	ID   int64
	Name string
	// RolesRequired says that callers without a role may only read. Otherwise
	// they may do everything but administer.
	RolesRequired bool
	CreatedAt     time.Time
	// DisabledAt is since when nobody gets in, nil where everybody does.
	DisabledAt *time.Time
}

// maxEmail bounds an address, as the mail standards do.
const maxEmail = 254

// checkEmail records what is wrong with an address.
func checkEmail(email string, problems *fault.Problems) {
	parsed, err := mail.ParseAddress(email)
	if err != nil || parsed.Address != email || len(email) > maxEmail || strings.ContainsAny(email, "\x00\r\n") {
		problems.Add([]any{"body", "email"}, "value_error", "This is not an email address")
	}
}
