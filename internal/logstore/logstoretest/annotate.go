package logstoretest

import (
	"encoding/json"
	"fmt"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/chart"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

func members(pairs ...string) reqlog.Annotation {
	var change reqlog.Annotation
	for i := 0; i < len(pairs); i += 2 {
		change.Metadata = append(change.Metadata, reqlog.Member{Key: pairs[i], Value: json.RawMessage(pairs[i+1])})
	}
	return change
}

func score(name string, value int64) reqlog.Annotation {
	return reqlog.Annotation{Score: &reqlog.Score{Name: name, Value: value}}
}

func linked(id, version int64, variables string, referenced ...string) reqlog.Annotation {
	return reqlog.Annotation{
		Prompt: &reqlog.PromptLink{ID: id, Version: version, Referenced: referenced}, Variables: json.RawMessage(variables),
	}
}

// testAnnotations changes one log in every way and looks at its notes each
// time. The wanted notes are written out here, not computed.
func testAnnotations(s *suite) {
	l := plain(1, "refund")
	l.Metadata = []reqlog.Member{{Key: "a", Value: json.RawMessage(`1`)}, {Key: "b", Value: json.RawMessage(`"x"`)}}
	reqlog.Derive(l)
	s.append(l, plain(2, "another"))
	raw := func(pairs ...string) []reqlog.Member { return members(pairs...).Metadata }
	var notes reqlog.Notes
	notes.Metadata = l.Metadata
	for _, step := range []struct {
		name   string
		change reqlog.Annotation
		want   func()
	}{
		{"a key is added behind the others", members("c", `true`), func() { notes.Metadata = raw("a", "1", "b", `"x"`, "c", "true") }},
		{"a key keeps its place", members("a", `{"n": [1]}`, "d", `null`), func() { notes.Metadata = raw("a", `{"n": [1]}`, "b", `"x"`, "c", "true", "d", "null") }},
		{"a key of two spellings", members("A", `"<&>"`, "a", `2`), func() { notes.Metadata = raw("a", "2", "b", `"x"`, "c", "true", "d", "null", "A", `"<&>"`) }},
		{"a named score", score("tone", 0), func() { notes.Scores = []reqlog.Score{{Name: "tone", Value: 0}} }},
		{"the default score", score("default", 80), func() { notes.Scores, notes.Score = append(notes.Scores, reqlog.Score{Name: "default", Value: 80}), 80 }},
		{"a score again", score("tone", 7), func() { notes.Scores[0].Value = 7 }},
		{"the default score again", score("default", 0), func() { notes.Scores[1].Value, notes.Score = 0, 0 }},
		{"a prompt", linked(5, 2, `{ "v" : "<w>" , "u": 1 }`, "v"), func() {
			notes.Prompt = &reqlog.PromptLink{ID: 5, Version: 2, Referenced: []string{"v"}}
			notes.Variables = json.RawMessage(`{ "v" : "<w>" , "u": 1 }`)
		}},
		{"another prompt without variables", linked(6, 1, ``), func() { notes.Prompt, notes.Variables = &reqlog.PromptLink{ID: 6, Version: 1}, nil }},
		{"a key is removed", reqlog.Annotation{RemovedKeys: []string{"b", "unknown"}}, func() { notes.Metadata = raw("a", "2", "c", "true", "d", "null", "A", `"<&>"`) }},
		{"a removed key returns behind the others", members("b", `3`), func() { notes.Metadata = raw("a", "2", "c", "true", "d", "null", "A", `"<&>"`, "b", "3") }},
		{"a score is removed", reqlog.Annotation{RemovedScores: []string{"tone"}}, func() { notes.Scores = notes.Scores[1:] }},
		{"the default score is set and removed", score("default", 9), func() { notes.Scores[0].Value, notes.Score = 9, 9 }},
		{"the last score is removed", reqlog.Annotation{RemovedScores: []string{"default"}}, func() { notes.Scores, notes.Score = nil, 0 }},
		{"a group", reqlog.Annotation{GroupID: 4}, func() { notes.GroupID = 4 }},
		{"another group", reqlog.Annotation{GroupID: 1 << 60}, func() { notes.GroupID = 1 << 60 }},
	} {
		step.want()
		s.annotate(Home, 1, step.change)
		got, err := s.Store.Get(s.ctx, Home, 1)
		s.ok(err)
		s.equal(step.name, got.Notes, notes, exact)
		s.finds(query.SearchQuery{Query: home(nil, ""), Page: 1, PerPage: 5})
	}
	s.ok(s.Store.Exists(s.ctx, Home, 1))
	s.fails(s.Store.Exists(s.ctx, Home, 3), fault.NotFound)
	s.fails(s.Store.Exists(s.ctx, Away, 1), fault.NotFound)
	s.annotate(Home, 3, score("x", 1)) // ignored: no such log
	s.annotate(Away, 1, score("x", 1)) // ignored: the log of another workspace
	s.sameLogs()
}

// testMixedBatch annotates logs in the batch that brings them, beside older
// ones.
func testMixedBatch(s *suite) {
	s.append(plain(1, "refund"))
	batch := reqlog.Batch{Logs: []*reqlog.Log{plain(2, "second"), plain(3, "third")}}
	for i, id := range []int64{3, 1, 2, 3} {
		batch.Changes = append(batch.Changes, reqlog.Change{Workspace: Home, ID: id, Annotation: score("default", int64(i))})
	}
	batch.Changes = append(batch.Changes, reqlog.Change{Workspace: Away, ID: 2, Annotation: score("default", 9)})
	s.ok(s.want.Write(s.ctx, batch))
	s.ok(s.Store.Write(s.ctx, batch))
	s.sameLogs()
	s.Store = s.Reopen()
	s.sameLogs()
}

// testAnnotationsSeen asks every kind of question right after each annotation.
func testAnnotationsSeen(s *suite) {
	logs := Corpus()[:120]
	s.append(logs...)
	g := newGenerator(logs, 9)
	for i := range 25 {
		l := pick(&g.maker, logs)
		for _, change := range []reqlog.Annotation{
			members("env", string(quote(fmt.Sprint("late ", i))), "step", fmt.Sprint(i)),
			linked(int64(500+i%3), int64(i), `{"city": "late", "other": 1}`, "city"),
			{RemovedKeys: []string{[]string{"env", "step"}[i%2]}},
		} {
			s.annotate(l.Workspace, l.ID, change)
		}
		switch i % 5 {
		case 0:
			s.analyzes(chart.AnalyzeQuery{Query: home(nil, ""), Bucket: chart.BucketMonth})
		case 1:
			s.suggests(query.SuggestQuery{Query: home(nil, ""), Field: query.FieldMetadata, Key: "env", Limit: 100})
		case 2:
			s.aggregates(chart.AggregateQuery{Query: home(nil, ""), By: []chart.Dimension{{Field: query.FieldPromptID}}, Measures: []chart.Measure{count}})
		case 3:
			s.selects(home(query.Cond{Field: query.FieldVariables, Op: query.OpKeyEquals, Key: "city", Texts: []string{"late"}}, ""))
		case 4:
			s.finds(query.SearchQuery{Query: home(nil, ""), SortBy: query.FieldPromptVersion, Page: 1, PerPage: 25})
		}
		s.selects(home(query.Cond{Field: query.FieldMetadata, Op: query.OpKeyEquals, Key: "step", Texts: []string{fmt.Sprint(i)}}, ""))
	}
	s.sameLogs()
}

// testAnnotateAtOnce annotates logs whose writing has only just returned.
func testAnnotateAtOnce(s *suite) {
	for id := int64(1); id <= 40; id++ {
		s.append(plain(id, "refund"))
		s.annotate(Home, id, members("step", fmt.Sprint(id)))
		if id%3 == 0 {
			s.annotate(Home, id/2, score("default", id))
			s.selects(home(query.Cond{Field: query.FieldScores, Op: query.OpIn, Key: reqlog.DefaultScore, Texts: []string{fmt.Sprint(id), "3"}}, ""))
			s.selects(home(query.Cond{Field: query.FieldScores, Op: query.OpIsEmpty, Key: reqlog.DefaultScore}, ""))
		}
		got, err := s.Store.Get(s.ctx, Home, id)
		s.ok(err)
		s.equal(fmt.Sprint("log ", id), got.Metadata, members("step", fmt.Sprint(id)).Metadata, exact)
		if id%4 == 0 {
			s.selects(home(query.Cond{Field: query.FieldMetadata, Op: query.OpIn, Key: "step", Texts: []string{fmt.Sprint(id), fmt.Sprint(id - 1)}}, ""))
		}
	}
	s.sameLogs()
}
