package llm

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// recordTime bounds how long a caller waits for its log to be written.
const recordTime = 10 * time.Second

// LogOf returns the log of a call, to which the caller adds what it was made
// for. The failure is nil when the call was answered.
func LogOf(done *Completion, failure *Error) *reqlog.LogInput {
	in := &reqlog.LogInput{Log: &reqlog.Log{
		Provider: done.Provider, Engine: done.Model, APIType: done.API, FunctionName: done.Function,
		Input: done.Input, Output: done.Output, Parameters: done.Parameters,
		Start: reqlog.At(done.Start), End: reqlog.At(done.End),
		InputTokens: done.InputTokens, OutputTokens: done.OutputTokens,
		CachedTokens: done.CachedTokens, ThinkingTokens: done.ThinkingTokens,
		Price: done.Price, Status: reqlog.StatusSuccess,
	}}
	if failure != nil {
		in.Log.Status, in.Log.ErrorType, in.Log.ErrorMessage = reqlog.StatusError, failure.Type, failure.Message
	}
	return in
}

// Recorder keeps calls as request logs.
type Recorder struct {
	Logs   *reqlog.Service
	Logger *slog.Logger
}

// Record writes the log of a call in the name of the program: what a model was
// asked is kept also when who caused it may not write logs, or has given up
// meanwhile. It returns the log's id, or 0 when it could not be written: who
// waits for the answer gets it nevertheless, as it was paid for.
func (r Recorder) Record(ctx context.Context, workspace int64, in *reqlog.LogInput) int64 {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTime)
	defer cancel()
	ctx = access.WithCaller(ctx, access.Caller{Workspace: workspace, Permissions: access.SetOf(access.RequestCreate)})
	written, err := r.write(ctx, workspace, in)
	if in.PromptGiven && fault.Is(err, fault.NotFound) {
		in.PromptGiven = false // the prompt was deleted while the model answered
		written, err = r.write(ctx, workspace, in)
	}
	if err != nil {
		r.Logger.ErrorContext(ctx, "a call to a model was not logged", "workspace", workspace,
			"provider", in.Log.Provider, "model", in.Log.Engine, "error", err)
		return 0
	}
	return written.ID
}

// write writes a log, again and again while the logs ask to come back later.
func (r Recorder) write(ctx context.Context, workspace int64, in *reqlog.LogInput) (*reqlog.Log, error) {
	for {
		written, err := r.Logs.Log(ctx, workspace, in)
		var busy *fault.Error
		if !errors.As(err, &busy) || busy.RetryAfter <= 0 {
			return written, err
		}
		select {
		case <-time.After(busy.RetryAfter):
		case <-ctx.Done():
			return nil, err
		}
	}
}
