package registry

import (
	"context"
	"net/http"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/envvar"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/rest"
)

const envVarTag = "Environment variables"

// envVarRoutes has the path, description and handlers of the variables of one
// scope.
type envVarRoutes struct {
	// base is the path of the list.
	base string
	// id is the suffix of the operations' ids; noun describes the scope.
	id, noun string

	list, create, change, remove rest.Handler
}

// envVarOperations returns the operations on the variables of one scope.
func envVarOperations(routes envVarRoutes) []rest.Op {
	one := routes.base + "/{var_id}"
	return kit.Tagged(envVarTag, []rest.Op{
		{
			Method: http.MethodGet, Path: routes.base, ID: "list" + routes.id + "s", Handler: routes.list,
			Summary:     "List environment variables of a " + routes.noun,
			Description: "Returns the environment variables of the " + routes.noun + ", oldest first. Only the last characters of a value are ever shown.",
		},
		{
			Method: http.MethodPost, Path: routes.base, ID: "create" + routes.id, Handler: routes.create,
			Summary: "Create an environment variable of a " + routes.noun,
			Description: "Creates an environment variable of the " + routes.noun + ". Without a value it is a placeholder that is hidden from code. " +
				"A key that the " + routes.noun + " already has is rejected with 409. " +
				"The value is encrypted and never returned. A tool's variable takes precedence over the workspace's variable with the same key.",
			Status: http.StatusCreated, Also: []int{http.StatusConflict},
		},
		{
			Method: http.MethodPatch, Path: one, ID: "update" + routes.id, Handler: routes.change,
			Summary: "Set an environment variable of a " + routes.noun, Description: "Replaces the value of an environment variable.",
			Also: []int{http.StatusNotFound},
		},
		{
			Method: http.MethodDelete, Path: one, ID: "delete" + routes.id, Handler: routes.remove,
			Summary: "Delete an environment variable of a " + routes.noun, Description: "Deletes an environment variable and its value.",
			Also: []int{http.StatusNotFound},
		},
	})
}

// newEnvVar is a variable to create.
type newEnvVar struct {
	Key   string  `json:"key" required:"true" minLength:"1" maxLength:"255" pattern:"^[A-Za-z_][A-Za-z0-9_]*$" description:"Name of the variable. Some names, such as PATH, are reserved."`
	Value *string `json:"value" maxLength:"8192" description:"Value; without one the variable is a placeholder."`
}

// Validate rejects reserved names.
func (in *newEnvVar) Validate(problems *fault.Problems) {
	if envvar.Reserved(in.Key) {
		problems.Add(fault.At(kit.BodyLoc, "key"), "value_error", envvar.ReservedMessage)
	}
}

func (in *newEnvVar) value() string {
	if in.Value == nil {
		return ""
	}
	return *in.Value
}

type envVarPath struct {
	VarID int64 `path:"var_id" minimum:"1" description:"The id of the variable."`
}

type envVarValue struct {
	Value string `json:"value" required:"true" minLength:"1" maxLength:"8192" description:"New value."`
}

// envVarItem is what variables of all scopes have in common.
type envVarItem struct {
	ID        int64     `json:"id" required:"true" description:"The id of the variable."`
	Key       string    `json:"key" required:"true" description:"Name."`
	Suffix    *string   `json:"value_suffix" required:"true" description:"Last four characters of the value; null if there is no value or it is not longer than that."`
	IsEmpty   bool      `json:"is_empty" required:"true" description:"Whether it is a placeholder without a value."`
	CreatedAt rest.Time `json:"created_at" required:"true" description:"When it was created."`
	UpdatedAt rest.Time `json:"updated_at" required:"true" description:"When the value was last set."`
}

func wireEnvVar(v envvar.Variable) envVarItem {
	item := envVarItem{
		ID: v.ID, Key: v.Key, IsEmpty: v.Hint.Empty,
		CreatedAt: kit.Time(v.CreatedAt), UpdatedAt: kit.Time(v.UpdatedAt),
	}
	if v.Hint.Suffix != "" {
		item.Suffix = &v.Hint.Suffix
	}
	return item
}

// workspaceEnvVars has the handlers of the variables of a workspace.
type workspaceEnvVars struct{ service *envvar.Service }

func (h workspaceEnvVars) operations() []rest.Op {
	return envVarOperations(envVarRoutes{
		base: "/api/public/v2/env-vars", id: "WorkspaceEnvVar", noun: "workspace",
		list: rest.Handle(h.list), create: rest.Handle(h.create), change: rest.Handle(h.change), remove: rest.Handle(h.remove),
	})
}

type workspaceEnvVar struct {
	envVarItem
	WorkspaceID int64 `json:"workspace_id" required:"true" description:"The id of the workspace."`
}

func wireWorkspaceEnvVar(v envvar.Variable) workspaceEnvVar {
	return workspaceEnvVar{envVarItem: wireEnvVar(v), WorkspaceID: v.Scope.Workspace}
}

type workspaceEnvVarResponse struct {
	Success bool            `json:"success" required:"true" description:"Always true."`
	EnvVar  workspaceEnvVar `json:"workspace_env_var" required:"true" description:"The variable."`
}

func answerWorkspaceEnvVar(v envvar.Variable, err error) (*workspaceEnvVarResponse, error) {
	return &workspaceEnvVarResponse{Success: true, EnvVar: wireWorkspaceEnvVar(v)}, err
}

type workspaceEnvVarList struct {
	Success bool              `json:"success" required:"true" description:"Always true."`
	EnvVars []workspaceEnvVar `json:"workspace_env_vars" required:"true" description:"The variables, oldest first."`
}

func (h workspaceEnvVars) scope(ctx context.Context) envvar.Scope {
	return envvar.Scope{Workspace: kit.Workspace(ctx)}
}

func (h workspaceEnvVars) list(ctx context.Context, _ *struct{}) (*workspaceEnvVarList, error) {
	found, err := h.service.List(ctx, h.scope(ctx))
	return &workspaceEnvVarList{Success: true, EnvVars: kit.Each(found, wireWorkspaceEnvVar)}, err
}

func (h workspaceEnvVars) create(ctx context.Context, in *newEnvVar) (*workspaceEnvVarResponse, error) {
	return answerWorkspaceEnvVar(h.service.Create(ctx, h.scope(ctx), in.Key, in.value()))
}

type changeWorkspaceEnvVar struct {
	envVarPath
	envVarValue
}

func (h workspaceEnvVars) change(ctx context.Context, in *changeWorkspaceEnvVar) (*workspaceEnvVarResponse, error) {
	return answerWorkspaceEnvVar(h.service.Update(ctx, h.scope(ctx), in.VarID, in.Value))
}

func (h workspaceEnvVars) remove(ctx context.Context, in *envVarPath) (*kit.SuccessResponse, error) {
	return kit.Succeeded(h.service.Delete(ctx, h.scope(ctx), in.VarID))
}
