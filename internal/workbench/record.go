package workbench

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/llm"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/step"
)

// recordTime bounds how long a step waits for its log to be written.
const recordTime = 10 * time.Second

// logOf returns the log of a call. The failure is nil when it was answered,
// the prompt empty when the call was made for none of the registry.
func (s *scoped) logOf(done *llm.Completion, failure *llm.Error, p step.Prompt) *reqlog.LogInput {
	in := &reqlog.LogInput{Log: &reqlog.Log{
		Provider: done.Provider, Engine: done.Model, APIType: done.API, FunctionName: done.Function,
		Input: done.Input, Output: done.Output, Parameters: done.Parameters,
		Start: reqlog.At(done.Start), End: reqlog.At(done.End),
		InputTokens: done.InputTokens, OutputTokens: done.OutputTokens,
		CachedTokens: done.CachedTokens, ThinkingTokens: done.ThinkingTokens,
		Price: done.Price, Status: reqlog.StatusSuccess,
		Tags: slices.Clone(s.scope.Tags), SpanID: s.scope.SpanID,
		Notes: reqlog.Notes{Metadata: slices.Clone(s.scope.Metadata)},
	}}
	if failure != nil {
		in.Log.Status, in.Log.ErrorType, in.Log.ErrorMessage = reqlog.StatusError, failure.Type, failure.Message
	}
	if p.ID != 0 {
		in.Prompt, in.PromptGiven = reqlog.PromptRef{ID: p.ID, Version: p.Version}, true
		in.Variables = p.Variables.Raw()
	}
	return in
}

// record writes a log, in the name of the program: what a model was asked is
// kept also when who caused it may not write logs, or has given up meanwhile.
// The step has its answer, which was paid for; it is not lost with the log.
func (s *scoped) record(ctx context.Context, in *reqlog.LogInput) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTime)
	defer cancel()
	ctx = access.WithCaller(ctx, access.Caller{
		Workspace: s.scope.Workspace, Permissions: access.SetOf(access.RequestCreate),
	})
	err := s.write(ctx, in)
	if in.PromptGiven && fault.Is(err, fault.NotFound) {
		in.PromptGiven = false // the prompt was deleted while the model answered
		err = s.write(ctx, in)
	}
	if err != nil {
		s.bench.logger.ErrorContext(ctx, "a call to a model was not logged", "workspace", s.scope.Workspace,
			"provider", in.Log.Provider, "model", in.Log.Engine, "error", err)
	}
}

// write writes a log, again and again while the logs ask to come back later.
func (s *scoped) write(ctx context.Context, in *reqlog.LogInput) error {
	for {
		_, err := s.bench.logs.Log(ctx, s.scope.Workspace, in)
		var busy *fault.Error
		if !errors.As(err, &busy) || busy.RetryAfter <= 0 {
			return err
		}
		select {
		case <-time.After(busy.RetryAfter):
		case <-ctx.Done():
			return err
		}
	}
}
