package openai

import (
	"math"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
)

// Embeddings is the API that embeds texts.
var Embeddings = (&Dialect{}).caller("embeddings", provider.Caller{})

// EmbeddingArguments returns the arguments that embed texts.
func EmbeddingArguments(model string, texts []string) []byte {
	var input provider.List
	for _, text := range texts {
		input.Add(provider.Text(text))
	}
	return provider.NewObject().Set("input", input).Str("encoding_format", "float").Str("model", model).Bytes()
}

// ReadEmbeddings returns the vectors of an answer. There must be want vectors
// of the same length.
func ReadEmbeddings(answer jsontree.Value, want int) ([][]float32, *provider.Error) {
	vectors := make([][]float32, want)
	for i, v := range answer.Get("data").Elems() {
		at := int64(i)
		if index, ok := v.Get("index").Int(); ok {
			at = index
		}
		vector, ok := readVector(v.Get("embedding"))
		if !ok || at < 0 || at >= int64(want) || vectors[at] != nil {
			return nil, provider.Malformed("embedding %d is invalid or has a wrong index", i)
		}
		vectors[at] = vector
	}
	for i, vector := range vectors {
		if len(vector) == 0 || len(vector) != len(vectors[0]) {
			return nil, provider.Malformed("the embedding of text %d is missing or has a different length", i)
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
