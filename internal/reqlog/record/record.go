// Package record logs the calls of this program to language models as request
// logs.
package record

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
)

// timeout limits how long a caller waits for its log to be written.
const timeout = 10 * time.Second

// Log returns the log of a call, to which the caller adds its context. The
// failure is nil if the call succeeded.
func Log(done *provider.Completion, failure *provider.Error) *reqlog.LogInput {
	log := reqlog.LogOf(done.Record)
	log.Start, log.End = reqlog.At(done.Start), reqlog.At(done.End)
	log.Status = reqlog.StatusSuccess
	if failure != nil {
		log.Status, log.ErrorType, log.ErrorMessage = reqlog.StatusError, failure.Type, failure.Message
	}
	return &reqlog.LogInput{Log: log}
}

// Recorder writes the logs of calls.
type Recorder struct {
	Logs   *requests.Service
	Logger *slog.Logger
}

// Record writes the log of a call on behalf of the program, so that calls are
// logged even if their caller may not write logs or has disconnected. It
// returns the id of the log, or 0 if it could not be written: the caller still
// gets the answer, which has been paid for.
func (r Recorder) Record(ctx context.Context, workspace int64, in *reqlog.LogInput) int64 {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), timeout)
	defer cancel()
	in.Log.KeyID = access.CallerOf(ctx).KeyID
	ctx = access.WithCaller(ctx, access.Caller{Workspace: workspace, Permissions: access.SetOf(access.RequestCreate)})
	written, err := r.write(ctx, workspace, in)
	if in.PromptGiven && fault.Is(err, fault.NotFound) {
		in.PromptGiven = false // the prompt was deleted during the call
		written, err = r.write(ctx, workspace, in)
	}
	if err != nil {
		r.Logger.ErrorContext(ctx, "model call was not logged", "workspace", workspace,
			"provider", in.Log.Provider, "model", in.Log.Engine, "error", err)
		return 0
	}
	return written.ID
}

// write writes a log and retries as long as the store asks for it.
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
