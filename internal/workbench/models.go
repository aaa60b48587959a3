package workbench

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/provider/client"
	"github.com/promptuary/promptuary/internal/step"
)

// Complete implements step.Models.
func (s *scoped) Complete(ctx context.Context, p step.Prompt) (step.Completion, error) {
	if p.Provider == "" {
		return step.Completion{}, fault.BadRequestf("The prompt names no model, neither in its metadata nor in 'engine'")
	}
	done, err := s.converse(ctx, p)
	if err != nil {
		return step.Completion{}, err
	}
	completion := step.Completion{Text: done.Text, Structured: done.Structured != nil}
	if done.Text == "" && done.ToolCalls != nil {
		// Tool calls without a text are an answer, too.
		completion.Text, completion.Structured = string(done.ToolCalls), true
	}
	if response, err := jsontree.Parse(done.Raw); err == nil {
		completion.Response = response
	}
	return completion, nil
}

// Ask implements step.Models.
func (s *scoped) Ask(ctx context.Context, question step.Question) (string, error) {
	call, err := s.question(ctx, question)
	if err != nil {
		return "", explain(err)
	}
	done, err := s.call(ctx, call, step.Prompt{})
	if err != nil {
		return "", err
	}
	return done.Text, nil
}

func (s *scoped) question(ctx context.Context, q step.Question) (client.Call, error) {
	if q.Model.Provider == "" {
		return s.bench.models.Question(ctx, s.scope.Workspace, q.Instructions, q.Text)
	}
	model := client.Model{Provider: q.Model.Provider, Name: q.Model.Name}
	return s.bench.models.QuestionFor(ctx, s.scope.Workspace, model, q.Model.Parameters, q.Instructions, q.Text)
}

// call calls a model for a prompt, and logs the call if it was made.
func (s *scoped) call(ctx context.Context, call client.Call, p step.Prompt) (*provider.Completion, error) {
	done, err := s.bench.models.Complete(ctx, s.scope.Workspace, call)
	var failure *provider.Error
	if errors.As(err, &failure) {
		done = failure.Completion
	}
	if done != nil {
		s.record(ctx, done, failure, p)
	}
	return done, explain(err)
}

// Embed implements step.Embeddings. Models reject empty texts; those are
// compared without a model.
func (s *scoped) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if slices.ContainsFunc(texts, func(text string) bool { return strings.TrimSpace(text) == "" }) {
		return nil, step.ErrNoEmbeddings
	}
	vectors, err := s.bench.models.Embed(ctx, s.scope.Workspace, texts)
	if provider.NotConfigured(err) {
		return nil, step.ErrNoEmbeddings
	}
	return vectors, explain(err)
}
