// Package table declares the tables of the catalog and builds the statements
// that write to them.
package table

import "strings"

// Table is a table of the catalog.
type Table struct {
	Name string
	// Revised tables belong to the entities of a workspace: a change is a new
	// revision of the workspace.
	Revised bool
	// Audited tables hold the work of people: a change needs an audit entry in
	// the same transaction.
	Audited bool
}

// The tables that belong to entities.
var (
	Entity           = declare(Table{Name: "entity", Revised: true, Audited: true})
	FormerName       = declare(Table{Name: "former_name", Revised: true, Audited: true})
	EntityTag        = declare(Table{Name: "entity_tag", Revised: true, Audited: true})
	Version          = declare(Table{Name: "version", Revised: true, Audited: true})
	VersionReference = declare(Table{Name: "version_reference", Revised: true, Audited: true})
	Label            = declare(Table{Name: "label", Revised: true, Audited: true})
	ExternalID       = declare(Table{Name: "external_id", Revised: true, Audited: true})
	ABTest           = declare(Table{Name: "ab_test", Revised: true, Audited: true})
	EnvVar           = declare(Table{Name: "env_var", Revised: true, Audited: true})
	Skill            = declare(Table{Name: "skill", Revised: true, Audited: true})
	// The version that refers to a content has the audit entry.
	SkillContent = declare(Table{Name: "skill_content", Revised: true})
	Dataset      = declare(Table{Name: "dataset", Revised: true, Audited: true})
	Report       = declare(Table{Name: "report", Revised: true, Audited: true})
	ReportColumn = declare(Table{Name: "report_column", Revised: true, Audited: true})
	SavedView    = declare(Table{Name: "saved_view", Revised: true, Audited: true})
	Price        = declare(Table{Name: "price", Revised: true, Audited: true})
	Redaction    = declare(Table{Name: "redaction", Revised: true, Audited: true})
)

// The tables of accounts, webhooks, alerts and saved exports. Signing in is audited as a change to the account.
var (
	Workspace  = declare(Table{Name: "workspace", Audited: true})
	APIKey     = declare(Table{Name: "api_key", Audited: true})
	Account    = declare(Table{Name: "account", Audited: true})
	Membership = declare(Table{Name: "membership", Audited: true})
	CustomRole = declare(Table{Name: "custom_role", Audited: true})
	Webhook    = declare(Table{Name: "webhook", Audited: true})
	Alert      = declare(Table{Name: "alert", Audited: true})
	Export     = declare(Table{Name: "saved_export", Audited: true})
	Session    = declare(Table{Name: "session"})
	SignInLink = declare(Table{Name: "sign_in_link"})
)

// The tables that hold rows of datasets, and the runs and their results.
var (
	DatasetContent  = declare(Table{Name: "dataset_content"})
	DatasetRow      = declare(Table{Name: "dataset_row"})
	DatasetPrompt   = declare(Table{Name: "dataset_prompt"})
	ReportRun       = declare(Table{Name: "report_run"})
	ReportRunColumn = declare(Table{Name: "report_run_column"})
	ReportRow       = declare(Table{Name: "report_row"})
	// ReportRunWorkflow has the versions of workflows that runs have run.
	ReportRunWorkflow = declare(Table{Name: "report_run_workflow"})
	PersonCell        = declare(Table{Name: "person_cell"})
	WorkflowRun       = declare(Table{Name: "workflow_run"})
	WorkflowRunNode   = declare(Table{Name: "workflow_run_node"})
	// WorkflowRunDefinition has what dry runs run.
	WorkflowRunDefinition = declare(Table{Name: "workflow_run_definition"})
	Job                   = declare(Table{Name: "job"})
	RequestGroup          = declare(Table{Name: "request_group"})
	Repricing             = declare(Table{Name: "repricing"})
	Import                = declare(Table{Name: "log_import"})
	ImportPart            = declare(Table{Name: "log_import_part"})
	Deletion              = declare(Table{Name: "deletion"})
	Retention             = declare(Table{Name: "retention"})
	WebhookDelivery       = declare(Table{Name: "webhook_delivery"})
	AlertStatus           = declare(Table{Name: "alert_status"})
	AlertChange           = declare(Table{Name: "alert_change"})
	ExportRun             = declare(Table{Name: "export_run"})
)

// The tables of the installation: what identifies it, and what its servers share.
var (
	Installation = declare(Table{Name: "installation"})
	Server       = declare(Table{Name: "server"})
	RateLimit    = declare(Table{Name: "rate_limit"})
)

// The tables that the engine itself writes to.
var (
	AuditEntry        = declare(Table{Name: "audit_entry"})
	IDBlock           = declare(Table{Name: "id_block"})
	SharedID          = declare(Table{Name: "shared_id"})
	WorkspaceRevision = declare(Table{Name: "workspace_revision"})
)

var declared []Table

func declare(t Table) Table {
	declared = append(declared, t)
	return t
}

// All returns all tables.
func All() []Table { return declared }

// Statement is a statement that writes to a table.
type Statement struct {
	Table Table
	SQL   string
}

// Insert returns an INSERT statement; rest begins with the columns.
func (t Table) Insert(rest string) Statement { return t.statement("INSERT INTO ", " ", rest) }

// Update returns an UPDATE statement; rest begins with SET.
func (t Table) Update(rest string) Statement { return t.statement("UPDATE ", "\n", rest) }

// Delete returns a DELETE statement; rest begins with WHERE.
func (t Table) Delete(rest string) Statement { return t.statement("DELETE FROM ", "\n", rest) }

func (t Table) statement(verb, space, rest string) Statement {
	return Statement{t, verb + t.Name + space + strings.TrimPrefix(rest, "\n")}
}
