package client

import (
	"context"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/provider/builtin"
	"github.com/promptuary/promptuary/internal/provider/openai"
)

// maxEmbedded is the maximum number of texts that OpenAI embeds per call.
const maxEmbedded = 2048

// embedder is the provider of embeddings.
const embedder = "openai"

// Embed returns one vector for each text, all of the same length. It uses
// OpenAI or a compatible server; provider.NotConfigured reports whether neither
// is configured. Failures are those of Complete.
func (s *Service) Embed(ctx context.Context, workspace int64, texts []string) ([][]float32, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	if len(texts) > maxEmbedded {
		return nil, fault.BadRequestf("At most %d texts can be embedded at once", maxEmbedded)
	}
	known, listed := builtin.Providers.Find(embedder)
	model := s.options.EmbeddingModel
	p := &plan{name: embedder, provider: known, request: provider.Request{Model: model}}
	var err error
	if p.request.Arguments, err = jsontree.Parse(openai.EmbeddingArguments(model, texts)); err != nil {
		return nil, fault.Wrap(fault.BadRequest, err, "The texts cannot be embedded")
	}
	if err := s.findTarget(ctx, workspace, p, "", listed); err != nil {
		return nil, err
	}
	if err := p.write(openai.Embeddings); err != nil {
		return nil, err
	}
	vectors, failure := s.embed(ctx, p, len(texts))
	if failure != nil {
		p.target.hide(failure)
		return nil, failure
	}
	return vectors, nil
}

func (s *Service) embed(ctx context.Context, p *plan, count int) ([][]float32, *provider.Error) {
	raw, _, failure := s.send(ctx, p)
	if failure != nil {
		return nil, failure
	}
	answer, failure := parseAnswer(raw)
	if failure != nil {
		return nil, failure
	}
	return openai.ReadEmbeddings(answer, count)
}
