package workbench

import (
	"context"
	"slices"

	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/record"
	"github.com/promptuary/promptuary/internal/runtrace"
	"github.com/promptuary/promptuary/internal/step"
)

// record logs a call of a step for the span of the context. The failure is nil
// when it was answered, the prompt empty when the call was made for none of the
// registry.
func (s *scoped) record(ctx context.Context, done *provider.Completion, failure *provider.Error, p step.Prompt) {
	in := record.Log(done, failure)
	around := runtrace.From(ctx)
	span := around.Call(runtrace.Model{Provider: in.Log.Provider, Name: in.Log.Engine}, done.Start)
	in.Log.Source, in.Log.Tags, in.Log.SpanID = s.scope.Source, slices.Clone(s.scope.Tags), span.ID()
	in.Log.Metadata = slices.Clone(s.scope.Metadata)
	if p.ID != 0 {
		in.Prompt, in.PromptGiven = reqlog.PromptRef{ID: p.ID, Version: p.Version}, true
	}
	in.Log.Variables = reqlog.VariablesOf(p.Variables)
	s.bench.records.Record(ctx, s.scope.Workspace, in)
	if span != around { // otherwise the step finishes it
		span.Finish(runtrace.Result{End: done.End, Error: in.Log.ErrorMessage})
	}
}
