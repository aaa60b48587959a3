// Package audit tells who did what to which thing when. The catalog writes an
// entry in the transaction of every change; here they are read.
package audit

import (
	"context"
	"encoding/json"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/entity"
)

// ActorKind says through what somebody acted.
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
	// ID is the key's or the user's id, nil for others.
	ID *int64
	// Name is a person's address, a key's name, or the command.
	Name string
}

// ActorOf returns who acts in the context.
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

// Action says what was done.
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
	Exclude  Action = "remove from workspace"
	Disable  Action = "disable"
	Enable   Action = "enable"
	SignIn   Action = "sign in"
	Password Action = "set password"
	Link     Action = "make sign-in link"
)

// The kinds of subjects that are no entities.
const (
	SubjectKey       = "KEY"
	SubjectUser      = "USER"
	SubjectWorkspace = "WORKSPACE"
	SubjectEnvVar    = "ENV_VAR"
	SubjectView      = "VIEW"
	SubjectDashboard = "DASHBOARD"
)

// Subject is what something was done to.
type Subject struct {
	// Kind is that of an entity or one of the subjects.
	Kind string
	ID   int64
	Name string
}

// SubjectOf returns an entity as a subject.
func SubjectOf(e entity.Entity) Subject { return Subject{Kind: string(e.Kind), ID: e.ID, Name: e.Name} }

// Entry is one thing that was done.
type Entry struct {
	ID int64
	// WorkspaceID is nil for what concerns the whole installation.
	WorkspaceID *int64
	At          time.Time
	Actor       Actor
	Action      Action
	Subject     Subject
	// Detail is an object with what else there is to know, such as the number
	// of the version that was published. It never has a secret.
	Detail json.RawMessage
}

// Query selects entries of one workspace, or of the installation. Each part
// that is set narrows it further.
type Query struct {
	// WorkspaceID is nil for what concerns the whole installation.
	WorkspaceID *int64
	ActorKind   ActorKind
	ActorID     *int64
	ActorName   string
	Action      Action
	SubjectKind string
	SubjectID   *int64
	// SubjectUUID names a skill collection, which has no number for clients.
	SubjectUUID string
	// From and Until are inclusive.
	From, Until *time.Time
	// Before selects entries with a smaller id, for the next page; 0 for the
	// first.
	Before int64
	// Limit is how many entries are returned at most.
	Limit int
}

// Reader reads the audit log.
type Reader interface {
	// ListAudit returns the newest entries that match, newest first.
	ListAudit(ctx context.Context, query Query) ([]Entry, error)
}

// Service has the rules of the audit log.
type Service struct{ reader Reader }

// NewService returns a service over the reader.
func NewService(reader Reader) *Service { return &Service{reader} }

// List returns the newest entries that match, newest first. The fault is
// Forbidden unless the caller administers the workspace, or owns the
// installation where the query is about that.
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

// exportPage is how many entries are held at once while exporting.
const exportPage = 500

// Export calls each with every entry that matches, newest first, whatever the
// limit of the query. Entries that are added meanwhile are left out. The fault
// is as for List, or the error of each.
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
		query.Before = page[len(page)-1].ID
	}
}
