package step

import (
	"context"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// maxDiffed is the maximum size of a text that is split into lines.
const maxDiffed = 4 << 20

var applyDiffSpec = Spec{
	Name: "APPLY_DIFF", Label: "Apply diff", Group: groupData, Icon: "diff",
	Doc:     "Applies a unified diff to a text.",
	Summary: "{diff_source} onto {original_source}",
	Initial: []byte(`{"original_source":"$source","diff_source":"$source"}`),
	Fields: []Field{
		{Name: "original_source", Kind: FieldSource, Label: "Original"},
		{Name: "diff_source", Kind: FieldSource, Label: "Diff"},
		{Name: "sources", Kind: FieldJSON, Label: "Original and diff", Optional: true},
		source1Field, source2Field,
	},
	read: readApplyDiff,
}

// readApplyDiff reads APPLY_DIFF: a text with a unified diff applied.
func readApplyDiff(c *settings) runner {
	original, diff := "", ""
	if c.has("original_source", "diff_source") {
		original, diff = c.source("original_source"), c.source("diff_source")
	} else {
		original, diff = c.pair()
	}
	return func(_ context.Context, env *Env) (jsontree.Value, error) {
		text, changes := env.text(original), env.text(diff)
		if len(text) > maxDiffed || len(changes) > maxDiffed {
			return jsontree.Value{}, failf("the text or the diff is larger than %d MiB", maxDiffed>>20)
		}
		patched, err := applyDiff(text, changes)
		if err != nil {
			return jsontree.Value{}, err
		}
		return textValue(patched)
	}
}
