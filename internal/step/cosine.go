package step

import (
	"context"
	"errors"
	"math"
	"strings"
	"unicode"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// maxWords is the maximum size of texts whose words are counted.
const maxWords = 2 << 20

var cosineSpec = Spec{
	Name: "COSINE_SIMILARITY", Label: "Similarity", Group: groupNumbers, Icon: "scale",
	Doc:     "How similar two texts are, from 0 to 1.",
	Summary: "{sources}",
	Initial: []byte(`{"sources":["$source","$source"]}`),
	Work:    Slow,
	Fields:  []Field{pairField, source1Field, source2Field},
	read:    readCosine,
}

// readCosine reads COSINE_SIMILARITY: the similarity of two texts, from 0 to 1.
// Without an embedding model their words are compared.
func readCosine(c *settings) runner {
	first, second := c.pair()
	return func(ctx context.Context, env *Env) (jsontree.Value, error) {
		a, b := env.text(first), env.text(second)
		vectors, err := embed(ctx, env, a, b)
		if errors.Is(err, ErrNoEmbeddings) {
			if len(a) > maxWords || len(b) > maxWords {
				return jsontree.Value{}, failf("the texts are larger than %d MiB", maxWords>>20)
			}
			return floatValue(wordSimilarity(a, b))
		}
		if err != nil {
			return jsontree.Value{}, err
		}
		if len(vectors) != 2 || len(vectors[0]) != len(vectors[1]) {
			return jsontree.Value{}, failf("the embedding model returned vectors of different lengths")
		}
		return floatValue(cosine(vectors[0], vectors[1]))
	}
}

func embed(ctx context.Context, env *Env, texts ...string) ([][]float32, error) {
	if env.Embeddings == nil {
		return nil, ErrNoEmbeddings
	}
	return env.Embeddings.Embed(ctx, texts)
}

func cosine(a, b []float32) float64 {
	var product, squareA, squareB float64
	for i := range a {
		x, y := float64(a[i]), float64(b[i])
		product += x * y
		squareA += x * x
		squareB += y * y
	}
	return similarity(product, squareA, squareB)
}

// similarity returns the cosine, 0 if one of the vectors has no length.
func similarity(product, squareA, squareB float64) float64 {
	if squareA == 0 || squareB == 0 {
		return 0
	}
	return min(max(product/math.Sqrt(squareA*squareB), 0), 1)
}

// wordSimilarity returns the cosine of the word counts, ignoring case.
func wordSimilarity(a, b string) float64 {
	left, right := wordCounts(a), wordCounts(b)
	var product, squareA, squareB float64
	for word, count := range left {
		product += count * right[word]
		squareA += count * count
	}
	for _, count := range right {
		squareB += count * count
	}
	return similarity(product, squareA, squareB)
}

func wordCounts(text string) map[string]float64 {
	counts := map[string]float64{}
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), isNoWord) {
		counts[word]++
	}
	return counts
}

func isNoWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' }
