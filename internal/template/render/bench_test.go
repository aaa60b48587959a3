package render

import (
	"context"
	"strings"
	"testing"
)

// benchmarkText is about 2 KB with five variables.
func benchmarkText(open, shut string) string {
	sentence := "You are a careful assistant who answers in the voice of the customer's own team. "
	var text strings.Builder
	for _, name := range []string{"product", "customer", "tone", "history", "question"} {
		text.WriteString(strings.Repeat(sentence, 5) + open + name + shut + "\n")
	}
	return text.String()
}

func benchmark(b *testing.B, format Format, text string) {
	values := valuesOf(b, `{"product":"Lamp","customer":"Ann","tone":"warm","history":["a","b"],"question":"Why?","docs":[{"title":"A","body":"x"},{"title":"B","body":"y"}]}`)
	ctx := context.Background()
	b.ReportAllocs()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := Text(format, text, values, NewBudget(ctx, nil)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFString(b *testing.B) { benchmark(b, FString, benchmarkText("{", "}")) }

func BenchmarkJinja(b *testing.B) { benchmark(b, Jinja2, benchmarkText("{{ ", " }}")) }

func BenchmarkJinjaLoop(b *testing.B) {
	benchmark(b, Jinja2, benchmarkText("{{ ", " }}")+
		"{% for doc in docs %}{{ loop.index }}. {{ doc.title|upper }}: {{ doc.body }}\n{% else %}nothing{% endfor %}")
}

func BenchmarkPlainText(b *testing.B) { benchmark(b, Jinja2, benchmarkText("<", ">")) }

func BenchmarkParseJinja(b *testing.B) {
	text := benchmarkText("{{ ", " }}") + "{% for doc in docs %}{{ loop.index }}. {{ doc.title|upper }}{% endfor %}"
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := parseNew(Jinja2, text); err != nil {
			b.Fatal(err)
		}
	}
}
