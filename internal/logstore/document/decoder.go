package document

import (
	"encoding/json"
	"fmt"
	"iter"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// decoder reads the values of a document, and keeps the first error. Like null, a
// value of another kind than the one that is expected reads as nothing.
type decoder struct{ err error }

// newDecoder returns a decoder of a document and its tree.
func newDecoder(encoded []byte) (*decoder, jsontree.Value) {
	tree, err := jsontree.ParseWrapped(encoded)
	if err != nil {
		return &decoder{err: fmt.Errorf("%w: %w", ErrMalformed, err)}, jsontree.Value{}
	}
	return &decoder{}, tree
}

// is reports whether a value is of a kind. One of another kind is an error, unless it
// is null.
func (d *decoder) is(v jsontree.Value, kind jsontree.Kind) bool {
	switch {
	case v.Kind() == kind:
		return true
	case v.Given() && d.err == nil:
		d.err = fmt.Errorf("%w: %s is no %v", ErrMalformed, v.Key(), kind)
	}
	return false
}

// members returns the members of an object, null among them.
func (d *decoder) members(v jsontree.Value) iter.Seq[jsontree.Value] {
	d.is(v, jsontree.Object)
	return v.Fields()
}

func (d *decoder) text(v jsontree.Value) string {
	d.is(v, jsontree.String)
	return v.Str()
}

func (d *decoder) bool(v jsontree.Value) bool {
	d.is(v, jsontree.Bool)
	return v.Bool()
}

func (d *decoder) int(v jsontree.Value) int64 {
	n, ok := v.Int()
	if d.is(v, jsontree.Number) && !ok && d.err == nil {
		d.err = fmt.Errorf("%w: %s is not an integer", ErrMalformed, v.Key())
	}
	return n
}

func (d *decoder) float(v jsontree.Value) float64 {
	f, ok := v.Float()
	if d.is(v, jsontree.Number) && !ok && d.err == nil {
		d.err = fmt.Errorf("%w: %s is out of range", ErrMalformed, v.Key())
	}
	return f
}

func (d *decoder) texts(v jsontree.Value) (texts []string) {
	if d.is(v, jsontree.Array) {
		texts = make([]string, 0, v.Len())
	}
	for _, element := range v.Elems() {
		texts = append(texts, d.text(element))
	}
	return texts
}

// pairs returns the members of an object, with their values as they were written.
func (d *decoder) pairs(v jsontree.Value) []reqlog.Member {
	if !d.is(v, jsontree.Object) || v.Len() == 0 {
		return nil
	}
	pairs := make([]reqlog.Member, 0, v.Len())
	for key, value := range v.Members() {
		pairs = append(pairs, reqlog.Member{Key: key, Value: value.Raw()})
	}
	return pairs
}

func (d *decoder) scores(v jsontree.Value) (scores []reqlog.Score) {
	d.is(v, jsontree.Array)
	for _, element := range v.Elems() {
		scores = append(scores, d.score(element))
	}
	return scores
}

func (d *decoder) score(v jsontree.Value) (score reqlog.Score) {
	for member := range d.members(v) {
		switch member.KeyView() {
		case "name":
			score.Name = d.text(member)
		case "score":
			score.Value = d.int(member)
		}
	}
	return score
}

// link returns the prompt, nil without one, and the input variables.
func (d *decoder) link(v jsontree.Value) (link *reqlog.PromptLink, variables json.RawMessage) {
	var found reqlog.PromptLink
	for member := range d.members(v) {
		switch member.KeyView() {
		case "ID":
			found.ID = d.int(member)
		case "Version":
			found.Version = d.int(member)
		case "Variables":
			variables = member.Raw()
		case "Referenced":
			found.Referenced = d.texts(member)
		}
	}
	if found.ID == 0 {
		return nil, variables
	}
	return &found, variables
}

func (d *decoder) notes(v jsontree.Value) (notes reqlog.Notes) {
	for member := range d.members(v) {
		switch member.KeyView() {
		case "metadata":
			notes.Metadata = d.pairs(member)
		case "prompt":
			notes.Prompt, notes.Variables = d.link(member)
		case "scores":
			notes.Scores = d.scores(member)
		case "score":
			notes.Score = d.int(member)
		case "group_id":
			notes.GroupID = d.int(member)
		}
	}
	return notes
}
