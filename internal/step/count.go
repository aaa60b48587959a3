package step

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/jsontree"
)

var counters = map[string]func(string) int{
	"chars": utf8.RuneCountInString, "characters": utf8.RuneCountInString,
	"words": countWords, "sentences": countSentences, "paragraphs": countParagraphs,
}

var countSpec = Spec{
	Name: "COUNT", Label: "Count", Group: groupNumbers, Icon: "hash",
	Doc:     "Counts characters, words, sentences or paragraphs.",
	Summary: "{type} of {source}",
	Initial: []byte(`{"source":"$source","type":"words"}`),
	Fields: []Field{
		sourceField,
		{Name: "type", Aliases: []string{"count_type"}, Kind: FieldChoice, Label: "Count", Choices: append(words("chars", "words", "sentences", "paragraphs"), Choice{Value: "characters"})},
		{Name: "min_count", Kind: FieldNumber, Label: "At least", Optional: true, Hint: "With a limit, the result is whether the count is within it."},
		{Name: "max_count", Kind: FieldNumber, Label: "At most", Optional: true},
	},
	read: readCount,
}

// readCount reads COUNT: the length of a text, or whether it is within limits.
func readCount(c *settings) runner {
	source := c.source("source")
	count := counters[c.choice("type")]
	least, hasLeast := c.number("min_count")
	most, hasMost := c.number("max_count")
	return func(_ context.Context, env *Env) (jsontree.Value, error) {
		result, err := integerValue(count(env.text(source)))
		if err != nil || !hasLeast && !hasMost {
			return result, err
		}
		n, _ := numeric(result)
		within := (!hasLeast || n.compare(least) >= 0) && (!hasMost || n.compare(most) <= 0)
		return boolean(within), nil
	}
}

func countWords(text string) int {
	count := 0
	for range strings.FieldsSeq(text) {
		count++
	}
	return count
}

// countSentences counts sentences: they end with a full stop, a question mark
// or an exclamation mark that is followed by white space or the end of the text.
func countSentences(text string) int {
	count, open := 0, false
	ended := false
	for _, r := range text {
		switch {
		case unicode.IsSpace(r):
			if ended && open {
				count++
				open = false
			}
			ended = false
		case strings.ContainsRune(".!?…", r):
			ended = true
		case strings.ContainsRune("。！？", r):
			ended = true
			if open {
				count++
				open = false
			}
		case ended && strings.ContainsRune(`"'”’»)]`, r): // closes what was said
		default:
			open, ended = true, false
		}
	}
	if open {
		count++
	}
	return count
}

// countParagraphs counts the blocks of lines between empty lines.
func countParagraphs(text string) int {
	count, inside := 0, false
	for line := range strings.Lines(text) {
		blank := strings.TrimSpace(line) == ""
		if !blank && !inside {
			count++
		}
		inside = !blank
	}
	return count
}
