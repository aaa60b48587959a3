package logstoretest

import (
	"encoding/json"
	"slices"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// Removing returns a batch that deletes what is under a metadata key of logs.
func Removing(workspace int64, path string, ids ...int64) reqlog.Batch {
	return reqlog.Batch{Deletions: []reqlog.Deletion{{Workspace: workspace, Logs: ids, RemovedPaths: []string{path}}}}
}

// RemovingScore returns a batch that deletes a score of logs.
func RemovingScore(workspace int64, name string, ids ...int64) reqlog.Batch {
	return reqlog.Batch{Deletions: []reqlog.Deletion{{Workspace: workspace, Logs: ids, RemovedScores: []string{name}}}}
}

// noted returns a log with metadata.
func noted(id int64, pairs ...string) *reqlog.Log {
	l := plain(id, "refund")
	l.Metadata = members(pairs...).Metadata
	reqlog.Derive(l)
	return l
}

// metadataOf returns the metadata of a log as text.
func (s *suite) metadataOf(id int64) string {
	s.t.Helper()
	l, err := s.Store.Get(s.ctx, Home, id)
	s.ok(err)
	text := ""
	for _, m := range l.Metadata {
		text += m.Key + "=" + string(m.Value) + " "
	}
	return text
}

// under returns the number of logs that have something under a metadata key.
func (s *suite) under(path string) int {
	s.t.Helper()
	return s.selects(home(query.Cond{Field: query.FieldMetadataKeys, Op: query.OpUnder, Texts: []string{path}}, ""))
}

func testRemovedMetadata(s *suite) {
	s.append(
		noted(1, "env", `"prod"`, "user", `"ann"`, "z", `1`),
		noted(2, "user", `{"id": 7, "name":"bob"}`, "z", `[2]`),
		noted(3, "user.mail", `"m"`, "username", `"cy"`),
		noted(4, "list", `[{"id":1,"n":[2]},{"id":{"a":3}},"id"]`, "user", `null`),
		noted(5, "customer", `{"id":5,"name":"dee"}`, "customer.id", `6`),
		noted(6),
	)
	away := noted(7, "user", `"eve"`)
	away.Workspace = Away
	s.append(away)
	s.annotate(Home, 1, members("user", `"anna"`, "late", `true`))
	s.annotate(Home, 6, members("user", `"fay"`))
	s.annotate(Home, 6, score("tone", 3))
	s.equal("logs with user", s.under("user"), 5, exact)
	s.equal("logs with user.id", s.under("user.id"), 1, exact)
	s.equal("logs with customer", s.under("customer"), 1, exact)
	s.write(Removing(Home, "user", 1, 2, 3, 4, 6, 7, 1<<40)) // the last two are not of this workspace, or nobody's
	s.write(Removing(Home, "list.id", 4))
	s.write(Removing(Home, "customer.id", 5))
	s.afterwards(func(s *suite) {
		for id, want := range map[int64]string{
			1: `env="prod" z=1 late=true `, 2: `z=[2] `, 3: `username="cy" `, 4: `list=[{"n":[2]},{},"id"] `, 5: `customer={"name":"dee"} `, 6: ``,
		} {
			s.equal("metadata", s.metadataOf(id), want, exact)
		}
		s.equal("logs with user", s.under("user"), 0, exact)
		s.equal("suggested values", len(s.suggests(query.SuggestQuery{Query: home(nil, ""), Field: query.FieldMetadata, Key: "user", Limit: 10})), 0, exact)
		l, err := s.Store.Get(s.ctx, Away, 7)
		s.ok(err)
		s.equal("metadata of another workspace", l.Metadata, away.Metadata, exact)
		s.sameAll()
	})
	// What is written later stays, also when the files are rewritten.
	s.annotate(Home, 1, members("user", `"again"`))
	s.append(noted(8, "user", `"new"`))
	s.write(reqlog.Batch{Logs: []*reqlog.Log{noted(9, "user", `"newer"`)}, Changes: Annotating(Home, 2, members("user", `"before"`)).Changes, Deletions: Removing(Home, "user", 2).Deletions})
	s.afterwards(func(s *suite) {
		for id, want := range map[int64]string{1: `env="prod" z=1 late=true user="again" `, 2: `z=[2] `, 8: `user="new" `, 9: `user="newer" `} {
			s.equal("metadata", s.metadataOf(id), want, exact)
		}
		s.sameAll()
	})
	s.write(Removing(Home, "user", 1, 8))
	s.write(Deleting(Home, 9))
	s.write(DeletingTexts(Home, 1, 2))
	s.afterwards(func(s *suite) {
		s.equal("metadata", s.metadataOf(1), `env="prod" z=1 late=true `, exact)
		s.sameAll()
	})
}

func testRemovedScores(s *suite) {
	s.append(plain(1, "refund"), plain(2, "refund"), plain(3, "refund"))
	for id := int64(1); id <= 3; id++ {
		s.annotate(Home, id, score("tone", 10*id))
		s.annotate(Home, id, score("default", id))
	}
	s.annotate(Home, 1, score("tone", 11))
	s.write(RemovingScore(Home, "tone", 1, 2))
	s.write(RemovingScore(Home, "default", 2, 3))
	s.annotate(Home, 3, score("default", 33))
	s.afterwards(func(s *suite) {
		for id, want := range map[int64]reqlog.Notes{
			1: {Scores: []reqlog.Score{{Name: "default", Value: 1}}, Score: 1}, 2: {}, 3: {Scores: []reqlog.Score{{Name: "tone", Value: 30}, {Name: "default", Value: 33}}, Score: 33},
		} {
			l, err := s.Store.Get(s.ctx, Home, id)
			s.ok(err)
			s.equal("notes", l.Notes, want, exact)
		}
		s.equal("logs with a score", s.selects(home(query.Cond{Field: query.FieldScoreNames, Op: query.OpContains, Texts: []string{"tone"}}, "")), 1, exact)
		s.sameAll()
	})
}

// testRemovalsOfAnnotations removes metadata and scores of single logs, in the same
// batch as what sets them.
func testRemovalsOfAnnotations(s *suite) {
	s.append(noted(1, "a", `1`, "b", `2`), noted(2, "a", `3`))
	s.write(reqlog.Batch{Changes: []reqlog.Change{
		{Workspace: Home, ID: 1, Annotation: members("a", `"before"`)},
		{Workspace: Home, ID: 1, Annotation: reqlog.Annotation{RemovedKeys: []string{"a"}}},
		{Workspace: Home, ID: 1, Annotation: members("a", `"after"`)},
		{Workspace: Home, ID: 2, Annotation: reqlog.Annotation{RemovedKeys: []string{"a"}}},
	}})
	s.afterwards(func(s *suite) {
		s.equal("metadata", s.metadataOf(1), `b=2 a="after" `, exact)
		s.equal("metadata", s.metadataOf(2), ``, exact)
		s.sameAll()
	})
}

// testRemovedCorpus removes a key and a score that many logs have, of some with their
// traces.
func testRemovedCorpus(s *suite) {
	Fill(s.t, s.Store)
	Fill(s.t, s.want)
	var ids, traced []int64
	trace := ""
	for i, l := range s.want.in(Home) {
		switch {
		case l.TraceID != "" && trace == "":
			traced, trace = append(traced, l.ID), l.TraceID
		case i%3 != 0:
			ids = append(ids, l.ID)
		}
	}
	slices.Sort(ids)
	if trace == "" || s.under("env") == 0 {
		s.t.Fatal("the corpus has no log with a trace, or none with the key")
	}
	s.write(Removing(Home, "env", ids...))
	s.write(RemovingScore(Home, "default", ids...))
	_, err := s.Store.Trace(s.ctx, query.TraceQuery{Workspace: Home, TraceID: trace, Limit: 10})
	s.ok(err)
	s.write(reqlog.Batch{Deletions: []reqlog.Deletion{{Workspace: Home, Logs: traced, RemovedPaths: []string{"env"}, WithTraces: true}}})
	for _, id := range ids[:5] {
		s.annotate(Home, id, reqlog.Annotation{Metadata: []reqlog.Member{{Key: "env", Value: json.RawMessage(`"later"`)}}})
	}
	s.afterwards(func(s *suite) {
		_, err := s.Store.Trace(s.ctx, query.TraceQuery{Workspace: Home, TraceID: trace, Limit: 10})
		s.fails(err, fault.NotFound)
		s.under("env")
		s.sameAll()
	})
}
