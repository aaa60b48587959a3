package document

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/reqlog"
)

func TestLogDocuments(t *testing.T) {
	t.Parallel()
	tokens := provider.Tokens
	for name, l := range map[string]*reqlog.Log{
		"empty": {},
		"full": {
			CreatedAt: 7, Provider: "openai", Engine: "gpt \"4\"\x00<&>\u2028", APIType: "chat", FunctionName: "f", Start: -1, End: 2,
			Usage: provider.Usage{
				Input: tokens(9), Output: tokens(0), CacheRead: tokens(3), CacheWrite: tokens(2), CacheWriteLong: tokens(1), Reasoning: tokens(4), Batch: true,
			},
			Price: reqlog.Price{USD: 1e-7, Source: reqlog.PriceCustom}, Status: "ERROR", ErrorType: "timeout", ErrorMessage: "why\n", Tags: []string{"a", ""}, SpanID: "b7",
			Notes: reqlog.Notes{
				Metadata: []reqlog.Member{{Key: "k", Value: json.RawMessage(`[ 1, 2.50]`)}}, Scores: []reqlog.Score{{Name: "s", Value: 5}}, Score: 5, GroupID: 3,
				Prompt: &reqlog.PromptLink{ID: 1, Version: 2, Referenced: []string{"x"}}, Variables: json.RawMessage(`{"x": 1}`),
			},
		},
		"metadata only": {Notes: reqlog.Notes{Metadata: []reqlog.Member{{Key: "k", Value: json.RawMessage(`"v"`)}}}, Price: reqlog.Price{Source: reqlog.PriceSent}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			encoded := check.Must(EncodeLog(l))(t)
			if diff := cmp.Diff(l, check.Must(DecodeLog(encoded))(t)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestLogDocumentRefusesInvalidJSON(t *testing.T) {
	t.Parallel()
	_, err := EncodeLog(&reqlog.Log{Notes: reqlog.Notes{Metadata: []reqlog.Member{{Key: "k", Value: json.RawMessage(`{`)}}}})
	if err == nil {
		t.Error("a document that cannot be read was written")
	}
}

func TestMalformedDocuments(t *testing.T) {
	t.Parallel()
	for _, document := range []string{
		"", "{", "[]", `"x"`, `{"engine":1}`, `{"created_at":1.5}`, `{"start":"1"}`, `{"price":1e999}`, `{"tags":["a",1]}`, `{"tags":{}}`, `{"texts_deleted":0}`,
		`{"usage":{"input":"x"}}`, `{"usage":[]}`, `{"input_tokens":true}`, `{"notes":[]}`, `{"notes":{"metadata":[]}}`, `{"notes":{"scores":[{"name":1}]}}`,
		`{"notes":{"prompt":{"ID":"1"}}}`, "{\"engine\":\"\xff\"}",
	} {
		if _, err := DecodeLog([]byte(document)); !errors.Is(err, ErrMalformed) {
			t.Errorf("%s: %v", document, err)
		}
	}
	for _, document := range []string{"", "[]", `{"score":[]}`, `{"score":{"score":"1"}}`, `{"removed_keys":"a"}`} {
		if _, err := DecodeAnnotation([]byte(document)); !errors.Is(err, ErrMalformed) {
			t.Errorf("annotation %s: %v", document, err)
		}
	}
}

// TestOddDocuments reads what other versions may have written.
func TestOddDocuments(t *testing.T) {
	t.Parallel()
	l := check.Must(DecodeLog([]byte(`{"engine":null,"unknown":[{"engine":"x"}],"usage":{"input":null,"later":1},"price":null,"tags":null,"notes":null,"status":"a","status":"b"}`)))(t)
	check.Equal(t, "log", l, &reqlog.Log{Status: "b"})
	change := check.Must(DecodeAnnotation([]byte(`{"score":null,"metadata":{"k": [1, 2]},"prompt":{"ID":0,"Variables":null}}`)))(t)
	check.Equal(t, "annotation", change, reqlog.Annotation{Metadata: []reqlog.Member{{Key: "k", Value: json.RawMessage("[1, 2]")}}, Variables: json.RawMessage("null")})
}

// TestDeepValues keeps values that are as deep as those of a request can be.
func TestDeepValues(t *testing.T) {
	t.Parallel()
	deep := json.RawMessage(strings.Repeat("[", jsontree.MaxDepth) + strings.Repeat("]", jsontree.MaxDepth))
	l := &reqlog.Log{Notes: reqlog.Notes{Metadata: []reqlog.Member{{Key: "k", Value: deep}}, Variables: deep}}
	check.Equal(t, "log", check.Must(DecodeLog(check.Must(EncodeLog(l))(t)))(t), l)
	change := reqlog.Annotation{Metadata: l.Metadata, Variables: deep}
	check.Equal(t, "annotation", check.Must(DecodeAnnotation(check.Must(EncodeAnnotation(change))(t)))(t), change)
}

func BenchmarkDecodeLog(b *testing.B) {
	encoded := check.Must(EncodeLog(&reqlog.Log{
		CreatedAt: 1_700_000_000_000_000, Provider: "openai", Engine: "gpt-4o", APIType: "chat-completions", FunctionName: "openai.chat.completions.create",
		Start: 1_700_000_000_000_000, End: 1_700_000_002_000_000, Usage: provider.Usage{Input: provider.Tokens(900), Output: provider.Tokens(120)},
		Price: reqlog.Price{USD: 0.002, Source: reqlog.PriceListed}, Status: "SUCCESS", Tags: []string{"production", "eu"},
		Notes: reqlog.Notes{Metadata: []reqlog.Member{{Key: "user_id", Value: json.RawMessage(`"u-1"`)}, {Key: "plan", Value: json.RawMessage(`"pro"`)}}, Prompt: &reqlog.PromptLink{ID: 7, Version: 3}},
	}))(b)
	b.ReportAllocs()
	for b.Loop() {
		check.Must(DecodeLog(encoded))(b)
	}
}
