package registry

import (
	"context"
	"net/http"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/envvar"
	"github.com/promptuary/promptuary/internal/rest"
	"github.com/promptuary/promptuary/internal/tool"
)

// toolEnvVars has the handlers of the variables of a tool.
type toolEnvVars struct {
	service *envvar.Service
	tools   *tool.Service
}

func (h toolEnvVars) operations() []rest.Op {
	ops := envVarOperations(envVarRoutes{
		base: "/api/public/v2/tool-registry/{identifier...}/env-vars", id: "ToolEnvVar", noun: "tool",
		list: rest.Handle(h.list), create: rest.Handle(h.create), change: rest.Handle(h.change), remove: rest.Handle(h.remove),
	})
	for i := range ops[:2] {
		ops[i].Also = append(ops[i].Also, http.StatusNotFound) // the tool may not exist
	}
	return ops
}

type toolIdentifier struct {
	Identifier string `path:"identifier" description:"The tool's name or id."`
}

type toolEnvVar struct {
	envVarItem
	ToolID int64 `json:"tool_registry_id" required:"true" description:"The id of the tool."`
}

func wireToolEnvVar(v envvar.Variable) toolEnvVar {
	return toolEnvVar{envVarItem: wireEnvVar(v), ToolID: v.Scope.Tool}
}

type toolEnvVarResponse struct {
	Success bool       `json:"success" required:"true" description:"Always true."`
	EnvVar  toolEnvVar `json:"tool_env_var" required:"true" description:"The variable."`
}

func answerToolEnvVar(v envvar.Variable, err error) (*toolEnvVarResponse, error) {
	return &toolEnvVarResponse{Success: true, EnvVar: wireToolEnvVar(v)}, err
}

type toolEnvVarList struct {
	Success bool         `json:"success" required:"true" description:"Always true."`
	EnvVars []toolEnvVar `json:"tool_env_vars" required:"true" description:"The variables, oldest first."`
}

func (h toolEnvVars) scope(ctx context.Context, identifier string) (envvar.Scope, error) {
	found, err := h.tools.Identify(ctx, kit.Workspace(ctx), identifier)
	return envvar.Scope{Workspace: kit.Workspace(ctx), Tool: found.ID}, err
}

func (h toolEnvVars) list(ctx context.Context, in *toolIdentifier) (*toolEnvVarList, error) {
	scope, err := h.scope(ctx, in.Identifier)
	if err != nil {
		return nil, err
	}
	found, err := h.service.List(ctx, scope)
	return &toolEnvVarList{Success: true, EnvVars: kit.Each(found, wireToolEnvVar)}, err
}

type createToolEnvVar struct {
	toolIdentifier
	newEnvVar
}

func (h toolEnvVars) create(ctx context.Context, in *createToolEnvVar) (*toolEnvVarResponse, error) {
	scope, err := h.scope(ctx, in.Identifier)
	if err != nil {
		return nil, err
	}
	return answerToolEnvVar(h.service.Create(ctx, scope, in.Key, in.value()))
}

type changeToolEnvVar struct {
	toolIdentifier
	envVarPath
	envVarValue
}

func (h toolEnvVars) change(ctx context.Context, in *changeToolEnvVar) (*toolEnvVarResponse, error) {
	scope, err := h.scope(ctx, in.Identifier)
	if err != nil {
		return nil, err
	}
	return answerToolEnvVar(h.service.Update(ctx, scope, in.VarID, in.Value))
}

type deleteToolEnvVar struct {
	toolIdentifier
	envVarPath
}

func (h toolEnvVars) remove(ctx context.Context, in *deleteToolEnvVar) (*kit.SuccessResponse, error) {
	scope, err := h.scope(ctx, in.Identifier)
	if err != nil {
		return nil, err
	}
	return kit.Succeeded(h.service.Delete(ctx, scope, in.VarID))
}
