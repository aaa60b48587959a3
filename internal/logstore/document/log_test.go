package document

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/check"
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
