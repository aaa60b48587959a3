package playground

import (
	"context"
	"errors"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/llm"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// recordTime bounds how long a call waits for its log to be written.
const recordTime = 10 * time.Second

// logOf returns the log of a call. The failure is nil when it was answered.
func (t *trial) logOf(done *llm.Completion, failure *llm.Error) *reqlog.LogInput {
	in := &reqlog.LogInput{Log: &reqlog.Log{
		Provider: done.Provider, Engine: done.Model, APIType: done.API, FunctionName: done.Function,
		Input: done.Input, Output: done.Output, Parameters: done.Parameters,
		Start: reqlog.At(done.Start), End: reqlog.At(done.End),
		InputTokens: done.InputTokens, OutputTokens: done.OutputTokens,
		CachedTokens: done.CachedTokens, ThinkingTokens: done.ThinkingTokens,
		Price: done.Price, Status: reqlog.StatusSuccess, Tags: []string{Tag},
	}}
	if failure != nil {
		in.Log.Status, in.Log.ErrorType, in.Log.ErrorMessage = reqlog.StatusError, failure.Type, failure.Message
	}
	if t.link != nil {
		in.Prompt, in.PromptGiven, in.Variables = *t.link, true, t.variables
	}
	return in
}

// record logs a call, also one that was given up, and returns the id of the
// log, 0 when it could not be written. Who waits for the answer gets it
// nevertheless: it was paid for.
func (t *trial) record(ctx context.Context, done *llm.Completion, failure *llm.Error) int64 {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTime)
	defer cancel()
	in := t.logOf(done, failure)
	log, err := t.write(ctx, in)
	if in.PromptGiven && fault.Is(err, fault.NotFound) {
		in.PromptGiven = false // the prompt was deleted while the model answered
		log, err = t.write(ctx, in)
	}
	if err != nil {
		t.service.logger.ErrorContext(ctx, "a call to a model was not logged", "workspace", t.workspace,
			"provider", in.Log.Provider, "model", in.Log.Engine, "error", err)
		return 0
	}
	return log.ID
}

// write writes a log, again and again while the logs ask to come back later.
func (t *trial) write(ctx context.Context, in *reqlog.LogInput) (*reqlog.Log, error) {
	for {
		log, err := t.service.logs.Log(ctx, t.workspace, in)
		var busy *fault.Error
		if !errors.As(err, &busy) || busy.RetryAfter <= 0 {
			return log, err
		}
		select {
		case <-time.After(busy.RetryAfter):
		case <-ctx.Done():
			return nil, err
		}
	}
}
