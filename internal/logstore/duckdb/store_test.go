package duckdb

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/promptuary/promptuary/internal/reqlog"
)

func sampleLog(id int64, input, output string) *reqlog.Log {
	chat := func(role, text string) json.RawMessage {
		return json.RawMessage(fmt.Sprintf(`{"type":"chat","messages":[{"role":%q,"content":[{"type":"text","text":%q}]}]}`, role, text))
	}
	l := &reqlog.Log{
		ID: id, Workspace: 1, CreatedAt: 1, Provider: "openai", Engine: "gpt-4o", Status: "SUCCESS",
		Input: chat("user", input), Output: chat("assistant", output), Parameters: json.RawMessage(`{}`),
		Start: reqlog.Micros(1_700_000_000_000_000 + id*1_000_000), End: reqlog.Micros(1_700_000_001_000_000 + id*1_000_000),
		Tags:  []string{"prod"},
		Notes: reqlog.Notes{Metadata: []reqlog.Member{{Key: "user_id", Value: json.RawMessage(`"u1"`)}}},
	}
	reqlog.Derive(l)
	return l
}

func TestSmoke(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	s, err := Open(ctx, dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Append(ctx, []*reqlog.Log{sampleLog(1, "refund my order", "sure thing"), sampleLog(2, "hello hippopotamus", `{"a":1}`)}); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"refu", "hipopot", "zebra", "{}"} {
		found, err := s.Search(ctx, reqlog.SearchQuery{Query: reqlog.Query{Workspace: 1, Text: text}, Page: 1, PerPage: 10})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println(text, found.Total, len(found.Items))
	}
	if err := s.Annotate(ctx, 1, 1, reqlog.Annotation{Metadata: []reqlog.Member{{Key: "x", Value: json.RawMessage(`{"y":2}`)}}}); err != nil {
		t.Fatal(err)
	}
	l, err := s.Get(ctx, 1, 1)
	fmt.Println(l.Metadata, err)
	a, err := s.Analyze(ctx, reqlog.AnalyzeQuery{Query: reqlog.Query{Workspace: 1}, Bucket: reqlog.BucketDay})
	fmt.Printf("%+v %v\n", a, err)
	v, err := s.Suggest(ctx, reqlog.SuggestQuery{Query: reqlog.Query{Workspace: 1}, Field: reqlog.FieldMetadata, Key: "x.y", Limit: 10})
	fmt.Println(v, err)
	rows, err := s.Aggregate(ctx, reqlog.AggregateQuery{Query: reqlog.Query{Workspace: 1}, By: []reqlog.Dimension{{Field: reqlog.FieldTags}, {MetadataKey: "user_id"}}, Measures: []reqlog.Measure{{Metric: reqlog.MetricCount}, {Metric: reqlog.MetricDistinct, MetadataKey: "user_id"}}})
	fmt.Println(rows, err)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}
