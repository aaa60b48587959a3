package tool

import (
	"context"
	"errors"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/script"
)

const (
	// MaxTime limits the running time of the code of a tool, because a caller
	// waits.
	MaxTime = time.Minute
	// MaxAnswer is the maximum number of bytes of a result for a model, which
	// reads it again with every request.
	MaxAnswer = 256 << 10
)

// Trial is a test run of a tool.
type Trial struct {
	Version registry.Selector
	// Inputs is an object, nil for an empty one.
	Inputs []byte
	// Execution and Definition, if given, replace those of the version.
	Execution  Execution
	Definition []byte
}

// Outcome is the result of a run.
type Outcome struct {
	// Value is what the code returned, in JSON, nil if it failed.
	Value []byte
	// Failure is the error of the code, nil if it returned.
	Failure        *script.Error
	Stdout, Stderr string
	Duration       time.Duration
}

// Try runs a version of a tool, with the replacements of the trial, in the
// tool's environment. It needs the permission to edit tools, because code can
// print that environment. The fault is NotFound for an unknown tool, version or
// label, Forbidden if the caller lacks the permission, BadRequest if there is
// no code or no function name, and BadGateway if this server cannot run the
// code.
func (s *Service) Try(ctx context.Context, workspace int64, identifier string, trial Trial) (*Outcome, error) {
	found, err := s.Select(ctx, workspace, identifier, trial.Version)
	if err != nil {
		return nil, err
	}
	if err := access.RequireFor(ctx, entity.KindTool, access.Edit); err != nil {
		return nil, err
	}
	content, err := decode(&found.Version)
	if err != nil {
		return nil, err
	}
	if trial.Execution.Given() {
		content.Execution = trial.Execution
	}
	if trial.Definition != nil {
		content.Definition = trial.Definition
	}
	return s.execute(ctx, workspace, found.Entity.ID, content, trial.Inputs, script.Limits{Time: MaxTime})
}

// Run runs a version of a tool that a model called, with the arguments of the
// call, a JSON object. It needs no permission: anyone who may run the prompt may
// run its tools. The faults are those of Try.
func (s *Service) Run(ctx context.Context, workspace, id, number int64, arguments []byte) (*Outcome, error) {
	found, err := s.SelectOf(ctx, workspace, id, registry.Selector{Number: number})
	if err != nil {
		return nil, err
	}
	content, err := decode(&found.Version)
	if err != nil {
		return nil, err
	}
	return s.execute(ctx, workspace, id, content, arguments, script.Limits{Time: MaxTime, Output: MaxAnswer})
}

func (s *Service) execute(
	ctx context.Context, workspace, id int64, content Content, inputs []byte, limits script.Limits,
) (*Outcome, error) {
	name := content.FunctionName()
	switch {
	case !content.Execution.runnable():
		return nil, fault.BadRequestf("The tool has no execution body")
	case name == "":
		return nil, fault.BadRequestf("The tool definition has no function name")
	case s.scripts == nil:
		return nil, unavailable(nil)
	}
	environment, err := s.environment.Resolve(ctx, workspace, id)
	if err != nil {
		return nil, err
	}
	start := s.clock()
	result, err := s.scripts.Run(ctx, script.Program{
		Workspace: workspace, Language: script.Language(content.Execution.Language), Code: content.Execution.Code, Entry: name,
		Data: inputs, Env: environment, Limits: limits,
	})
	outcome := &Outcome{Stdout: result.Stdout, Stderr: result.Stderr, Duration: s.clock().Sub(start)}
	switch {
	case errors.As(err, &outcome.Failure):
	case fault.Is(err, fault.Unavailable):
		return nil, unavailable(err)
	case err != nil:
		return nil, err
	default:
		outcome.Value = result.Value
	}
	return outcome, nil
}

// unavailable returns the fault for code that this server cannot run.
func unavailable(cause error) error {
	return fault.Wrap(fault.BadGateway, cause, "Code execution is not available")
}
