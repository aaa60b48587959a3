package render

import "strings"

// MaxGrowth is the most bytes that Escape writes for one.
const MaxGrowth = len(printedBrace)

// printedBrace prints a brace in Jinja2.
const printedBrace = "{{ '{' }}"

// Escape returns a text that renders to the given one, whatever the variables.
// It is the given text itself if that renders to itself.
func Escape(format Format, text string) string {
	switch {
	case format == Jinja2 && hasJinja(text):
		return escapeJinja(text)
	case format == FString && strings.ContainsAny(text, "{}") && !literal(text):
		return braces.Replace(text)
	default:
		return text
	}
}

var braces = strings.NewReplacer("{", "{{", "}", "}}")

// literal reports whether an f-string renders to itself: it is malformed, or
// has neither variables nor escaped braces.
func literal(text string) bool {
	f, ok := parseFields(text)
	return !ok || len(f.pieces) == 1 && f.pieces[0].field < 0 && f.pieces[0].literal == text
}

func hasJinja(text string) bool {
	return strings.Contains(text, "{{") || strings.Contains(text, "{%") || strings.Contains(text, "{#")
}

// escapeJinja prints every brace that would start a tag.
func escapeJinja(text string) string {
	var out strings.Builder
	from := 0
	for i := 0; i+1 < len(text); i++ {
		if text[i] == '{' && strings.IndexByte("{%#", text[i+1]) >= 0 {
			out.WriteString(text[from:i])
			out.WriteString(printedBrace)
			from = i + 1
		}
	}
	out.WriteString(text[from:])
	return out.String()
}
