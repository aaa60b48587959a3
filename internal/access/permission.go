package access

import (
	"context"
	"math/bits"
	"strings"

	"github.com/promptuary/promptuary/internal/fault"
)

// Permission is something a caller may do.
type Permission uint8

// The permissions.
const (
	// Read is for all operations that return what is stored.
	Read Permission = iota
	PromptCreate
	PromptEdit
	PromptDelete
	PromptDeploy
	WorkflowCreate
	WorkflowEdit
	WorkflowDelete
	WorkflowDeploy
	WorkflowRun
	DatasetCreate
	DatasetEdit
	DatasetDelete
	ReportCreate
	ReportEdit
	ReportDelete
	ReportRun
	ToolCreate
	ToolEdit
	ToolDelete
	ToolDeploy
	SkillCreate
	SkillEdit
	SkillDelete
	SkillDeploy
	// RequestCreate is for logging requests, MetadataEdit for annotating them.
	RequestCreate
	MetadataEdit
	ManageEnvVars
	ManageKeys
	// ManagePrices is for custom prices of models.
	ManagePrices
	// ManageData is for what becomes of request logs: what is redacted.
	ManageData
	// ManageWebhooks is for webhooks, also to see them: an address may be a
	// credential.
	ManageWebhooks
	// ManageAlerts is for alerts and budgets, which everyone may see.
	ManageAlerts
	// Admin is for members, roles and the audit log of a workspace.
	Admin
	// Own is for everything beyond one workspace: the workspaces themselves and
	// the owners of the installation.
	Own

	permissionCount = iota
)

var permissionNames = [permissionCount]string{
	Read: "READ", PromptCreate: "PROMPT_CREATE", PromptEdit: "PROMPT_EDIT", PromptDelete: "PROMPT_DELETE", PromptDeploy: "PROMPT_DEPLOY",
	WorkflowCreate: "WORKFLOW_CREATE", WorkflowEdit: "WORKFLOW_EDIT", WorkflowDelete: "WORKFLOW_DELETE", WorkflowDeploy: "WORKFLOW_DEPLOY", WorkflowRun: "WORKFLOW_RUN",
	DatasetCreate: "DATASET_CREATE", DatasetEdit: "DATASET_EDIT", DatasetDelete: "DATASET_DELETE",
	ReportCreate: "REPORT_CREATE", ReportEdit: "REPORT_EDIT", ReportDelete: "REPORT_DELETE", ReportRun: "REPORT_RUN",
	ToolCreate: "TOOL_CREATE", ToolEdit: "TOOL_EDIT", ToolDelete: "TOOL_DELETE", ToolDeploy: "TOOL_DEPLOY",
	SkillCreate: "SKILL_CREATE", SkillEdit: "SKILL_EDIT", SkillDelete: "SKILL_DELETE", SkillDeploy: "SKILL_DEPLOY",
	RequestCreate: "REQUEST_CREATE", MetadataEdit: "METADATA_EDIT", ManageEnvVars: "MANAGE_ENV_VARS", ManageKeys: "MANAGE_API_KEYS", ManagePrices: "MANAGE_PRICES", ManageData: "MANAGE_DATA", ManageWebhooks: "MANAGE_WEBHOOKS", ManageAlerts: "MANAGE_ALERTS", Admin: "ADMIN", Own: "OWN",
}

// String returns the permission's name on the wire.
func (p Permission) String() string { return permissionNames[p] }

// Permissions is a set of permissions.
type Permissions uint64

// SetOf returns the set of the permissions.
func SetOf(permissions ...Permission) Permissions {
	var set Permissions
	for _, p := range permissions {
		set |= 1 << p
	}
	return set
}

// NamedPermissions returns the set of the permissions with the names. Unknown
// names are ignored.
func NamedPermissions(names []string) Permissions {
	var set Permissions
	for _, name := range names {
		if p, known := permissionsByName[name]; known {
			set |= SetOf(p)
		}
	}
	return set
}

// Has reports whether the permission is in the set.
func (s Permissions) Has(p Permission) bool { return s&(1<<p) != 0 }

// Covers reports whether the set contains the other set.
func (s Permissions) Covers(other Permissions) bool { return other&^s == 0 }

// Names returns the permissions' names in their order.
func (s Permissions) Names() []string {
	names := make([]string, 0, bits.OnesCount64(uint64(s)))
	for p := range Permission(permissionCount) {
		if s.Has(p) {
			names = append(names, p.String())
		}
	}
	return names
}

const (
	// all is every permission within a workspace.
	all = Permissions(1)<<Own - 1
	// unassigned are the permissions of a caller without roles in a workspace that
	// does not require roles: everything except administration.
	unassigned = all &^ (1<<Admin | 1<<ManageData | 1<<ManageWebhooks)
)

// Require returns a Forbidden fault unless the caller of ctx has all of the
// permissions. A context without a caller has none: work that the program does
// on its own says so with AsSystem.
func Require(ctx context.Context, needed ...Permission) error {
	set := SetOf(needed...)
	if CallerOf(ctx).Permissions.Covers(set) {
		return nil
	}
	return forbidden(set, " and ")
}

func forbidden(needed Permissions, separator string) error {
	return fault.New(fault.Forbidden, "You do not have permission to do this: it needs %s",
		strings.Join(needed.Names(), separator))
}
