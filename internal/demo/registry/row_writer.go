package registry

import (
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// rowWriter writes rows as a JSON array of objects.
type rowWriter struct{ jsontree.List }

// add adds a row. The cells alternate between column names and texts.
func (w *rowWriter) add(cells ...string) {
	w.Add(func(w *jsontree.Writer) {
		w.Object(func() {
			for i := 0; i < len(cells); i += 2 {
				w.Key(cells[i]).String(cells[i+1])
			}
		})
	})
}

// fill inserts a product into a sentence.
func fill(sentence, product string) string { return strings.ReplaceAll(sentence, "{p}", product) }
