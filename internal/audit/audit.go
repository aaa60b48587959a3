// Package audit reads the audit log: who did what, when and to what. The
// catalog writes an entry in the transaction of every change.
package audit

import (
	"context"
	"encoding/json"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/entity"
)

// ActorKind is how an actor is authenticated.
type ActorKind string

// The kinds of actors.
const (
	ByKey     ActorKind = "key"
	ByUser    ActorKind = "user"
	ByCommand ActorKind = "command"
	ByProgram ActorKind = "program"
)

// Actor is who did something.
type Actor struct {
	Kind ActorKind
	// ID is the id of the key or the user, nil for other actors.
	ID *int64
	// Name is the email address of a person, the name of a key, or the
	// command.
	Name string
}

// ActorOf returns the actor of a context.
func ActorOf(ctx context.Context) Actor {
	caller := access.CallerOf(ctx)
	switch {
	case caller.UserID != 0:
		return Actor{Kind: ByUser, ID: &caller.UserID, Name: caller.Email}
	case caller.KeyID != 0:
		return Actor{Kind: ByKey, ID: &caller.KeyID, Name: caller.Name}
	case caller.Name != "":
		return Actor{Kind: ByCommand, Name: caller.Name}
	}
	return Actor{Kind: ByProgram, Name: "promptuary"}
}

// Action is what was done.
type Action string

// The actions.
const (
	Create   Action = "create"
	Rename   Action = "rename"
	Change   Action = "change"
	Move     Action = "move"
	Delete   Action = "delete"
	Publish  Action = "publish"
	Label    Action = "label"
	Unlabel  Action = "unlabel"
	Tag      Action = "tag"
	Attach   Action = "attach external id"
	Detach   Action = "detach external id"
	Revoke   Action = "revoke"
	Rotate   Action = "rotate"
	Invite   Action = "invite"
	Import   Action = "import"
	Cancel   Action = "cancel"
	Revert   Action = "revert"
	Exclude  Action = "remove from workspace"
	Disable  Action = "disable"
	Enable   Action = "enable"
	SignIn   Action = "sign in"
	Password Action = "set password"
	Link     Action = "make sign-in link"
	// Wrong is an attempt to sign in, or to set a password, with a wrong one.
	Wrong Action = "wrong password"
	// Backup is an attempt to back up the installation, also one that failed.
	Backup Action = "back up"
	// Export is the start of an export, whether it succeeds or not.
	Export Action = "export"
)

// The kinds of subjects that are not entities.
const (
	SubjectKey       = "KEY"
	SubjectUser      = "USER"
	SubjectRole      = "ROLE"
	SubjectWorkspace = "WORKSPACE"
	SubjectEnvVar    = "ENV_VAR"
	SubjectView      = "VIEW"
	SubjectDashboard = "DASHBOARD"
	SubjectPrice     = "PRICE"
	SubjectRepricing = "REPRICING"
	SubjectRedaction = "REDACTION"
	SubjectDeletion  = "DELETION"
	SubjectRetention = "RETENTION"
	SubjectBackup    = "BACKUP"
	SubjectWebhook   = "WEBHOOK"
	SubjectRequests  = "REQUESTS"
	SubjectTraces    = "TRACES"
	SubjectAudit     = "AUDIT"
	SubjectAlert     = "ALERT"
	SubjectImport    = "IMPORT"
	SubjectExport    = "EXPORT"
)

// Subject is what something was done to.
type Subject struct {
	// Kind is the kind of an entity or one of the subjects above.
	Kind string
	ID   int64
	Name string
}

// SubjectOf returns an entity as a subject.
func SubjectOf(e entity.Entity) Subject { return Subject{Kind: string(e.Kind), ID: e.ID, Name: e.Name} }

// Entry is an entry of the audit log.
type Entry struct {
	ID int64
	// WorkspaceID is nil for the whole installation.
	WorkspaceID *int64
	At          time.Time
	Actor       Actor
	Action      Action
	Subject     Subject
	// Detail is an object with details, such as the number of the published
	// version. It never contains secrets.
	Detail json.RawMessage
}

// Query selects entries of one workspace or of the installation. All set
// fields must match.
type Query struct {
	// WorkspaceID is nil for the whole installation.
	WorkspaceID *int64
	ActorKind   ActorKind
	ActorID     *int64
	ActorName   string
	Action      Action
	SubjectKind string
	SubjectID   *int64
	// SubjectUUID identifies a skill collection, whose id clients do not
	// know.
	SubjectUUID string
	// From and Until are inclusive.
	From, Until *time.Time
	// Before selects entries with a smaller id, for the next page; 0 for the
	// first.
	Before int64
	// After selects entries with a higher id.
	After int64
	// OldestFirst reverses the order.
	OldestFirst bool
	// Limit is the maximum number of entries.
	Limit int
}

// Reader reads the audit log.
type Reader interface {
	// ListAudit returns the first matching entries: the newest, newest first, unless
	// the query wants the oldest first.
	ListAudit(ctx context.Context, query Query) ([]Entry, error)
}

// Service has the rules of the audit log.
type Service struct{ reader Reader }

// NewService returns a service over the reader.
func NewService(reader Reader) *Service { return &Service{reader} }

// List returns the first matching entries, newest first unless the query says
// otherwise. The fault is Forbidden unless the caller is an admin of the workspace or, for entries of
// the installation, an owner.
func (s *Service) List(ctx context.Context, query Query) ([]Entry, error) {
	if err := require(ctx, query); err != nil {
		return nil, err
	}
	return s.reader.ListAudit(ctx, query)
}

func require(ctx context.Context, query Query) error {
	if query.WorkspaceID == nil {
		return access.Require(ctx, access.Own)
	}
	return access.Require(ctx, access.Admin)
}

// exportPage is the number of entries held in memory during an export.
const exportPage = 500

// Export calls each for every matching entry, in the order of List, ignoring the
// limit of the query. Entries added during the export are left out unless the oldest
// come first. The fault is as for List, or the error of each.
func (s *Service) Export(ctx context.Context, query Query, each func(Entry) error) error {
	if err := require(ctx, query); err != nil {
		return err
	}
	query.Limit = exportPage
	for {
		page, err := s.reader.ListAudit(ctx, query)
		if err != nil {
			return err
		}
		for _, entry := range page {
			if err := each(entry); err != nil {
				return err
			}
		}
		if len(page) < exportPage {
			return nil
		}
		if last := page[len(page)-1].ID; query.OldestFirst {
			query.After = last
		} else {
			query.Before = last
		}
	}
}
