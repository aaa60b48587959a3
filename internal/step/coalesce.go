package step

import (
	"context"

	"github.com/promptuary/promptuary/internal/jsontree"
)

var coalesceSpec = Spec{
	Name: "COALESCE", Label: "First value", Group: groupValues, Icon: "git-merge",
	Doc:     "Returns the first source that is not null. Joins branches.",
	Summary: "{sources}",
	Initial: []byte(`{"sources":["$source","$source"]}`),
	Fields: []Field{
		{Name: "sources", Kind: FieldSources, Label: "First value of", Hint: "Checked in this order. Skipped nodes count as null."},
		source1Field, source2Field,
	},
	read: readCoalesce,
}

// readCoalesce reads COALESCE: the first value that is not null.
func readCoalesce(c *settings) runner {
	names := c.sourceList()
	if len(names) < 2 {
		c.fail("'sources' must name at least two sources")
	}
	return func(_ context.Context, env *Env) (jsontree.Value, error) {
		for _, name := range names {
			if v := env.value(name); v.Given() {
				return v, nil
			}
		}
		return null, nil
	}
}
