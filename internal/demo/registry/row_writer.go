package registry

import (
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// rowWriter writes rows as a JSON array of objects.
type rowWriter struct{ text []byte }

// add adds a row. The cells alternate between column names and texts.
func (w *rowWriter) add(cells ...string) {
	if len(w.text) == 0 {
		w.text = append(w.text, '[')
	} else {
		w.text = append(w.text, ",\n"...)
	}
	for i := 0; i < len(cells); i += 2 {
		w.text = append(w.text, "{,"[min(i, 1)])
		w.text = append(jsontree.AppendQuoted(w.text, cells[i]), ':')
		w.text = jsontree.AppendQuoted(w.text, cells[i+1])
	}
	w.text = append(w.text, '}')
}

func (w *rowWriter) end() []byte { return append(w.text, ']') }

// fill inserts a product into a sentence.
func fill(sentence, product string) string { return strings.ReplaceAll(sentence, "{p}", product) }
