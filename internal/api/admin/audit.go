package admin

import (
	"context"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/swaggest/jsonschema-go"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/export"
	"github.com/promptuary/promptuary/internal/export/format"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/rest"
)

// auditLog has the handlers of the audit log.
type auditLog struct {
	service *audit.Service
	exports *export.Service
}

func (h auditLog) operations() []rest.Op {
	const path = adminBase + "/audit"
	return kit.Tagged(adminTag, []rest.Op{
		{
			Method: http.MethodGet, Path: path, ID: "listAuditEntries", Handler: rest.Handle(h.list),
			Summary:     "List audit entries",
			Description: "Returns who changed what in a workspace, newest first. Entries are written in the same transaction as the change and cannot be modified or deleted.",
			Also:        []int{http.StatusNotFound},
		},
		{
			Method: http.MethodGet, Path: path + "/export", ID: "exportAuditEntries", Handler: rest.RawBound(nil, h.export),
			Summary: "Export audit entries", Description: "Returns all matching entries, newest first." + kit.ExportAbout,
			Produces: format.MediaTypes, Also: []int{http.StatusNotFound, http.StatusServiceUnavailable},
		},
	})
}

type auditFilter struct {
	kit.WorkspaceQuery
	Installation bool       `query:"installation" description:"Whether to return entries about the whole installation (workspaces, accounts, sign-ins) instead of one workspace. Owners only."`
	ActorKind    string     `query:"actor_kind" enum:"key,user,command,program" description:"Kind of actor."`
	ActorID      *int64     `query:"actor_id" minimum:"1" description:"The id of the key or the account that acted."`
	Actor        string     `query:"actor" maxLength:"255" description:"Name of the key or email address of the person that acted."`
	Action       string     `query:"action" maxLength:"100" description:"Action, such as publish."`
	SubjectKind  string     `query:"subject_kind" maxLength:"100" description:"Kind of the subject, such as prompt or KEY."`
	SubjectID    subjectID  `query:"subject_id" description:"The id of the subject, or the UUID of a skill collection."`
	From         *rest.Time `query:"from" description:"Earliest time of the action, inclusive."`
	Until        *rest.Time `query:"until" description:"Latest time of the action, inclusive."`
}

// subjectID is the id of the subject of an audit entry, or the UUID of a
// skill collection, whose id clients do not know.
type subjectID struct {
	number *int64
	uuid   string
}

var uuidForm = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// BindText reads a positive integer or a UUID.
func (s *subjectID) BindText(text string, loc []any, problems *fault.Problems) {
	if uuidForm.MatchString(text) {
		s.uuid = strings.ToLower(text)
		return
	}
	number, err := strconv.ParseInt(text, 10, 64)
	if err != nil || number < 1 || text[0] == '+' {
		problems.Add(loc, "value_error", "Input should be a positive integer, or the UUID of a skill collection")
	}
	s.number = &number
}

// JSONSchema allows both forms.
func (subjectID) JSONSchema() (jsonschema.Schema, error) { return kit.NumberOrText() }

// InlineJSONSchema keeps the type out of the named schemas.
func (subjectID) InlineJSONSchema() {}

type listAuditQuery struct {
	auditFilter
	kit.Cursor
}

type exportAuditQuery struct {
	auditFilter
	kit.ExportFormat
	Format string `query:"format" enum:"jsonl,csv,parquet,ndjson" default:"jsonl" description:"Format of the file: JSON lines, which are also called ndjson, CSV or Parquet."`
}

// File returns how to write the export.
func (in *exportAuditQuery) File() export.File { return in.ExportFormat.File(in.Format) }

type auditItem struct {
	ID          int64          `json:"id" required:"true" description:"The id of the entry."`
	WorkspaceID *int64         `json:"workspace_id" required:"true" description:"The id of the workspace; null for the whole installation."`
	At          rest.Time      `json:"at" required:"true" description:"Time of the action."`
	ActorKind   string         `json:"actor_kind" required:"true" description:"Kind of actor: a key, a signed-in user, a command, or the program itself."`
	ActorID     *int64         `json:"actor_id" required:"true" description:"The id of the key or the account."`
	Actor       string         `json:"actor" required:"true" description:"Name of the key, email address of the person, or the command."`
	Action      string         `json:"action" required:"true" description:"Result message."`
	SubjectKind string         `json:"subject_kind" required:"true" description:"Kind of the subject."`
	SubjectID   int64          `json:"subject_id" required:"true" description:"The id of the subject. For skill collections, detail has the UUID."`
	SubjectName string         `json:"subject_name" required:"true" description:"Name of the subject at the time."`
	Detail      rest.RawObject `json:"detail" required:"true" description:"Details, such as the version number."`
}

func wireAudit(e audit.Entry) auditItem {
	return auditItem{
		ID: e.ID, WorkspaceID: e.WorkspaceID, At: kit.Time(e.At),
		ActorKind: string(e.Actor.Kind), ActorID: e.Actor.ID, Actor: e.Actor.Name, Action: string(e.Action),
		SubjectKind: e.Subject.Kind, SubjectID: e.Subject.ID, SubjectName: e.Subject.Name, Detail: rest.RawObject(e.Detail),
	}
}

// query returns the filter in the form of the service.
func (in *auditFilter) query(ctx context.Context) audit.Query {
	query := audit.Query{
		ActorKind: audit.ActorKind(in.ActorKind), ActorID: in.ActorID, ActorName: in.Actor, Action: audit.Action(in.Action),
		SubjectKind: in.SubjectKind, SubjectID: in.SubjectID.number, SubjectUUID: in.SubjectID.uuid, From: kit.Instant(in.From), Until: kit.Instant(in.Until),
	}
	if !in.Installation {
		query.WorkspaceID = new(kit.Workspace(ctx))
	}
	return query
}

type auditList struct {
	Success bool        `json:"success" required:"true" description:"Always true."`
	Entries []auditItem `json:"entries" required:"true" description:"The entries, newest first."`
	kit.NextCursor
}

func (h auditLog) list(ctx context.Context, in *listAuditQuery) (*auditList, error) {
	query := in.query(ctx)
	query.Before, query.Limit = in.Before, in.Wanted()
	found, err := h.service.List(ctx, query)
	if err != nil {
		return nil, err
	}
	found, next := kit.Cut(in.Cursor, found, func(e *audit.Entry) int64 { return e.ID })
	return &auditList{Success: true, Entries: kit.Each(found, wireAudit), NextCursor: next}, nil
}

func (h auditLog) export(w http.ResponseWriter, r *rest.Request, in *exportAuditQuery) error {
	if in.Format == "ndjson" {
		in.Format = string(format.JSONL)
	}
	made, err := h.exports.Audit(r.Context(), in.query(r.Context()), in.File())
	if err != nil {
		return err
	}
	return kit.Download(w, r, made)
}
