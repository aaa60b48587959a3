// Package logstoretest is the conformance suite of request-log stores: what
// requests.Store promises must hold on every engine alike. Answers are compared
// with those of a store that goes through all logs one by one.
package logstoretest

import (
	"bytes"
	"context"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
)

// Harness is one empty store under test and what can be done to it.
type Harness struct {
	Store requests.Store
	// Reopen closes the store that was opened last, as a program does that
	// ends, and returns a store on the same data. It fails the test when it
	// cannot.
	Reopen func() requests.Store
	// Remote says that the data is on a server, which Reopen does not start again, so that
	// a new client is all that changes.
	Remote bool
}

// Run tests the stores that open returns. Each call of open returns an empty
// one, which open closes when the test ends.
func Run(t *testing.T, open func(t *testing.T) Harness) {
	t.Run("corpus", func(t *testing.T) {
		t.Parallel()
		s := newSuite(t, open(t))
		Fill(t, s.Store)
		Fill(t, s.want)
		for _, test := range corpusTests {
			t.Run(test.name, func(t *testing.T) {
				t.Parallel()
				test.run(s.with(t))
			})
		}
	})
	for _, test := range storeTests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.run(newSuite(t, open(t)))
		})
	}
}

// corpusTests only read; they share one store with the corpus in it.
var corpusTests = []struct {
	name string
	run  func(s *suite)
}{
	{"every field and operator", testOperators},
	{"negative operators are complements", testComplements},
	{"groups", testGroups},
	{"large filters", testLargeFilters},
	{"random filters", testRandomFilters},
	{"free text", testFreeText},
	{"free text rules", testFreeTextRules},
	{"texts begin with what was said", testFirstTexts},
	{"exact matches first", testExactFirst},
	{"text and times", testTextAndTimes},
	{"random free text", testRandomFreeText},
	{"order", testOrder},
	{"pages", testPages},
	{"get", testGet},
	{"traces", testTraces},
	{"suggestions", testSuggestions},
	{"suggestion prefixes and limits", testSuggestionPrefixes},
	{"analytics", testAnalytics},
	{"analytics of nothing", testAnalyticsOfNothing},
	{"aggregates by each dimension", testDimensions},
	{"aggregates of each measure", testMeasures},
	{"aggregates by two dimensions", testTwoDimensions},
	{"aggregates of chosen values", testOnly},
	{"aggregate limits", testAggregateLimit},
	{"usages", testUsages},
	{"scans of logs", testScanLogs},
	{"scans of spans", testScanSpans},
	{"other workspaces", testIsolation},
	{"cancelled questions", testCancelled},
}

// storeTests each have a store of their own.
var storeTests = []struct {
	name string
	run  func(s *suite)
}{
	{"an empty store", testEmptyStore},
	{"long lists", testLongLists},
	{"large logs", testLargeLogs},
	{"extreme numbers", testExtremeNumbers},
	{"batches", testBatches},
	{"annotations", testAnnotations},
	{"mixed batches", testMixedBatch},
	{"annotations are seen at once", testAnnotationsSeen},
	{"annotations of a log just written", testAnnotateAtOnce},
	{"prices", testPrices},
	{"logs, annotations and prices together", testMixedPrices},
	{"prices of many logs", testRepricedCorpus},
	{"deletions", testDeletions},
	{"deleted texts", testDeletedTexts},
	{"deletions of many logs", testDeletedCorpus},
	{"deletions while logs come in", testDeletionsUnderLoad},
	{"removed metadata", testRemovedMetadata},
	{"removed scores", testRemovedScores},
	{"removals by annotations", testRemovalsOfAnnotations},
	{"removals from many logs", testRemovedCorpus},
	{"concurrent annotations", testConcurrentAnnotations},
	{"spans", testSpans},
	{"logs of spans", testSpanLogs},
	{"closed traces", testClosedTraces},
	{"random spans", testRandomSpans},
	{"trace queries", testTraceQueries},
	{"deep traces", testDeepTraces},
	{"scans of what was changed", testScansOfChanges},
	{"writers see what they wrote", testReadYourWrites},
	{"answers while logs come in", testConsistentAnswers},
	{"reopening", testReopening},
	{"reopening again and again", testReopeningOften},
}

// suite is a store under test beside the naive one that holds the same.
type suite struct {
	Harness
	t    *testing.T
	ctx  context.Context // lives as long as the test
	want *naive
}

func newSuite(t *testing.T, h Harness) *suite {
	return &suite{Harness: h, t: t, ctx: t.Context(), want: &naive{}}
}

// with returns the suite for a subtest.
func (s *suite) with(t *testing.T) *suite {
	c := *s
	c.t, c.ctx = t, t.Context()
	return &c
}

// sub runs a named case.
func (s *suite) sub(name string, run func(s *suite)) {
	s.t.Run(name, func(t *testing.T) { run(s.with(t)) })
}

func (s *suite) ok(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatalf("unexpected error: %v", err)
	}
}

func (s *suite) fails(err error, kind fault.Kind) {
	s.t.Helper()
	if !fault.Is(err, kind) {
		s.t.Fatalf("got error %v, want a fault of kind %d", err, kind)
	}
}

// Annotating returns a batch with one annotation.
func Annotating(workspace, id int64, annotation reqlog.Annotation) reqlog.Batch {
	return reqlog.Batch{Changes: []reqlog.Change{{Workspace: workspace, ID: id, Annotation: annotation}}}
}

// append appends to both stores.
func (s *suite) append(logs ...*reqlog.Log) {
	s.t.Helper()
	s.ok(s.want.Write(s.ctx, reqlog.Batch{Logs: logs}))
	s.ok(s.Store.Write(s.ctx, reqlog.Batch{Logs: logs}))
}

// annotate annotates in both stores.
func (s *suite) annotate(workspace, id int64, change reqlog.Annotation) {
	s.t.Helper()
	s.ok(s.want.Write(s.ctx, Annotating(workspace, id, change)))
	s.ok(s.Store.Write(s.ctx, Annotating(workspace, id, change)))
}

// exact compares answers that hold nothing computed. Nothing and an empty list
// are the same; JSON texts are compared as wholes.
var exact = cmp.Options{
	cmpopts.EquateEmpty(),
	cmp.FilterValues(
		func(a, b json.RawMessage) bool { return len(a)+len(b) > 0 },
		cmp.Comparer(func(a, b json.RawMessage) bool { return bytes.Equal(a, b) })),
	cmp.Comparer(func(a, b reqlog.Pair) bool { return a == b }),
}

// nearly compares answers with sums and averages in them, which engines may
// round differently.
var nearly = cmp.Options{exact, cmpopts.EquateApprox(1e-9, 1e-12)}

// equal reports a difference without ending the test.
func (s *suite) equal(what string, got, want any, opts cmp.Options) {
	s.t.Helper()
	if reflect.DeepEqual(want, got) { // by far the fastest, and almost always so
		return
	}
	if diff := cmp.Diff(want, got, opts); diff != "" {
		s.t.Errorf("%s (-want +got):\n%s", clip(what, 2_000), clip(diff, 4_000))
	}
}

// clip keeps reports of large differences readable.
func clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return text[:most] + "…"
}

// home selects logs of the home workspace.
func home(filter query.Node, text string) query.Query {
	return query.Query{Workspace: Home, Filter: filter, Text: text}
}
