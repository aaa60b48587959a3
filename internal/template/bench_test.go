package template

import (
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/template/render"
)

// benchTemplate is a normalised chat of about 2 KB.
func benchTemplate(b *testing.B, tag string) []byte {
	words := strings.Repeat("words that do not change ", 15)
	return Normalize(tree(b, chatOf(
		`{"role":"system","content":[`+textItem(words+tag)+`]},`+
			userMessage(textItem(words+"{question} and {answer}"))+`,{"role":"assistant","content":[`+textItem(words)+`]}`)))
}

func BenchmarkExpand(b *testing.B) {
	text := string(benchTemplate(b, "@@@hi@@@"))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Expand(tree(b, text), resolveSome)
	}
}

func BenchmarkRender(b *testing.B) {
	text := string(benchTemplate(b, ""))
	values := valuesOf(b, `{"question":"why","answer":"because"}`)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := Render(tree(b, text), values, render.NewBudget(b.Context(), nil)); err != nil {
			b.Fatal(err)
		}
	}
}
