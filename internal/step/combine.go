package step

import (
	"context"
	"strings"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// maxFormat is the maximum size of a format.
const maxFormat = 1 << 20

var combineSpec = Spec{
	Name: "COMBINE_COLUMNS", Label: "Combine", Group: groupValues, Icon: "combine",
	Doc:     "Combines several values into one object or text.",
	Summary: "{sources}",
	Initial: []byte(`{"sources":["$source"]}`),
	Fields: []Field{
		sourcesField, source1Field, source2Field,
		{Name: "separator", Kind: FieldText, Label: "Separator", Optional: true, Hint: "Joins the values into one text."},
		{Name: "format", Kind: FieldLong, Label: "Format", Optional: true, Hint: "Text with {name} placeholders for the values."},
	},
	read: readCombine,
}

// readCombine reads COMBINE_COLUMNS: several values as one object or one text.
func readCombine(c *settings) runner {
	names := c.sourceList()
	if len(names) == 0 {
		c.fail("'sources' must name at least one source")
	}
	if c.has("format") {
		format := c.optionalText("format")
		if len(format) > maxFormat {
			c.reportAt("format", fault.MaxBytes(maxFormat))
			return nil
		}
		layout := readLayout(format, names)
		return func(_ context.Context, env *Env) (jsontree.Value, error) {
			return joinTexts(env, layout)
		}
	}
	if c.has("separator") {
		layout := readSeparated(c.optionalText("separator"), names)
		return func(_ context.Context, env *Env) (jsontree.Value, error) {
			return joinTexts(env, layout)
		}
	}
	distinct := c.sources
	return func(_ context.Context, env *Env) (jsontree.Value, error) {
		return objectOf(func(yield func(string, jsontree.Value) bool) {
			for _, name := range distinct {
				if !yield(name, env.value(name)) {
					return
				}
			}
		})
	}
}

// piece is a literal text or the text of a source.
type piece struct{ text, source string }

// readLayout finds the sources that a format names in braces. Braces around
// anything else stay as they are.
func readLayout(format string, names []string) []piece {
	sources := make(map[string]bool, len(names))
	for _, name := range names {
		sources[name] = true
	}
	var layout []piece
	text := strings.Builder{}
	for {
		before, after, found := strings.Cut(format, "{")
		text.WriteString(before)
		if !found {
			return append(layout, piece{text: text.String()})
		}
		name, _, closed := strings.Cut(after[:min(len(after), maxName+1)], "}")
		if !closed || !sources[name] {
			text.WriteByte('{')
			format = after
			continue
		}
		if text.Len() > 0 {
			layout = append(layout, piece{text: text.String()})
			text.Reset()
		}
		layout = append(layout, piece{source: name})
		format = after[len(name)+1:]
	}
}

func readSeparated(separator string, names []string) []piece {
	var layout []piece
	for i, name := range names {
		if i > 0 {
			layout = append(layout, piece{text: separator})
		}
		layout = append(layout, piece{source: name})
	}
	return layout
}

// joinTexts fills in the texts. The text of each source is computed once.
func joinTexts(env *Env, layout []piece) (jsontree.Value, error) {
	texts := map[string]string{}
	out := strings.Builder{}
	for _, piece := range layout {
		text := piece.text
		if piece.source != "" {
			known, ok := texts[piece.source]
			if !ok {
				known = env.text(piece.source)
				texts[piece.source] = known
			}
			text = known
		}
		if out.Len()+len(text) > maxOutput {
			return jsontree.Value{}, tooLarge()
		}
		out.WriteString(text)
	}
	return textValue(out.String())
}
