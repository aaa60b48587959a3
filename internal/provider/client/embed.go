package client

import (
	"context"
	"math"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

var embeddingWire = wire{
	function: "embeddings.create", path: "embeddings", body: openAIBody, send: sendOpenAI, usage: openAIUsage,
}

// maxEmbedded is how many texts OpenAI embeds at once.
const maxEmbedded = 2048

// embedder is the provider of embeddings.
const embedder = "openai"

// Embed returns one vector for each text, all of one length, through OpenAI or
// the server that stands in for it. NotConfigured tells when there is neither;
// failures are those of Complete.
func (s *Service) Embed(ctx context.Context, workspace int64, texts []string) ([][]float32, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	if len(texts) > maxEmbedded {
		return nil, fault.BadRequestf("At most %d texts can be embedded at once", maxEmbedded)
	}
	p := &plan{
		name: embedder, provider: providers[embedder], wire: &embeddingWire, model: s.options.EmbeddingModel,
	}
	var err error
	if p.arguments, err = jsontree.Parse(embeddingArguments(p.model, texts)); err != nil {
		return nil, fault.Wrap(fault.BadRequest, err, "The texts cannot be embedded")
	}
	if p.target, err = s.findTarget(ctx, workspace, p, "", true); err != nil {
		return nil, err
	}
	if p.body, err = p.wire.body(p); err != nil {
		return nil, err
	}
	raw, _, failure := s.send(ctx, p)
	var vectors [][]float32
	if failure == nil {
		vectors, failure = readVectors(raw, len(texts))
	}
	if failure != nil {
		p.target.hide(failure)
		return nil, failure
	}
	return vectors, nil
}

func embeddingArguments(model string, texts []string) []byte {
	dst := []byte(`{"input":[`)
	for _, text := range texts {
		dst = jsontree.AppendQuoted(separated(dst), text)
	}
	dst = append(dst, `],"encoding_format":"float","model":`...)
	return append(jsontree.AppendQuoted(dst, model), '}')
}

func readVectors(raw []byte, want int) ([][]float32, *Error) {
	answer, err := jsontree.Parse(raw)
	if err != nil {
		return nil, malformed("it is not JSON (%v)", err)
	}
	if answer.Get("error").Given() {
		return nil, refused(0, answer)
	}
	vectors := make([][]float32, want)
	for i, v := range answer.Get("data").Elems() {
		at := int64(i)
		if index, ok := v.Get("index").Int(); ok {
			at = index
		}
		vector, ok := readVector(v.Get("embedding"))
		if !ok || at < 0 || at >= int64(want) || vectors[at] != nil {
			return nil, malformed("embedding %d is none", i)
		}
		vectors[at] = vector
	}
	for i, vector := range vectors {
		if len(vector) == 0 || len(vector) != len(vectors[0]) {
			return nil, malformed("text %d has no embedding, or one of another length", i)
		}
	}
	return vectors, nil
}

func readVector(list jsontree.Value) ([]float32, bool) {
	if list.Len() == 0 || list.Kind() != jsontree.Array {
		return nil, false
	}
	vector := make([]float32, 0, list.Len())
	for _, v := range list.Elems() {
		f, ok := v.Float()
		if !ok || math.Abs(f) > math.MaxFloat32 {
			return nil, false
		}
		vector = append(vector, float32(f))
	}
	return vector, true
}
