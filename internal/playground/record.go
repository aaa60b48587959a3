package playground

import (
	"context"

	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/record"
)

// record logs a call, even a cancelled one, and returns the id of the log, 0
// if it could not be written, and the price.
func (t *trial) record(ctx context.Context, done *provider.Completion, failure *provider.Error) (int64, reqlog.Price) {
	in := record.Log(done, failure)
	in.Log.Tags, in.Log.Source = []string{Tag}, reqlog.SourcePlayground
	in.Log.Variables = t.variables
	if t.link != nil {
		in.Prompt, in.PromptGiven = *t.link, true
	}
	id := t.service.records.Record(ctx, t.workspace, in)
	return id, in.Log.Price
}
