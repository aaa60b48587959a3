package reqlog

import (
	"cmp"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/jsontree/shape"
	"github.com/promptuary/promptuary/internal/provider"
)

// maxScores is the maximum number of scores of an imported log.
const maxScores = 1000

// DecodeImported is DecodeLog for a row of an import, which can also have the span
// and several scores of a log.
func DecodeImported(body jsontree.Value, loc []any, problems *fault.Problems) *LogInput {
	r := shape.New(loc, problems)
	in := decodeLog(&r, body, nil)
	if body.Kind() != jsontree.Object {
		return in
	}
	d := logDecoder{shape.Object{Reader: &r, Value: body}}
	in.Log.SpanID = d.String("span_id")
	if d.Given("token_counts") {
		in.Log.Usage = d.tokenCounts()
	}
	if d.Given("scores") {
		d.scores(&in.Log.Notes)
	}
	return in
}

// scores reads a list of scores. Of several with one name, the last counts.
func (d logDecoder) scores(notes *Notes) {
	notes.Scores, notes.Score = nil, 0
	for object := range d.Objects("scores", maxScores) {
		score := Score{Name: cmp.Or(object.String("name"), DefaultScore), Value: object.Required().Int("score", 0, MaxScore, 0)}
		notes.Scores = setScore(notes.Scores, score)
		if score.Name == DefaultScore {
			notes.Score = score.Value
		}
	}
}

// tokenCounts reads the token counts of an exported log.
func (d logDecoder) tokenCounts() provider.Usage {
	d.Enter("token_counts")
	defer d.Leave()
	object, ok := d.Reader.Object(d.Value.Get("token_counts"))
	if !ok {
		return provider.Usage{}
	}
	counts := logDecoder{object}
	return provider.Usage{
		Input: counts.count("input"), Output: counts.count("output"), CacheRead: counts.count("cache_read"), CacheWrite: counts.count("cache_write"),
		CacheWriteLong: counts.count("cache_write_long"), Reasoning: counts.count("reasoning"), Batch: counts.Bool("batch"),
	}
}
