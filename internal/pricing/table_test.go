package pricing_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/pricing"
	"github.com/promptuary/promptuary/internal/provider"
)

func day(text string) time.Time {
	at, err := time.Parse("2006-01-02", text)
	if err != nil {
		panic(err)
	}
	return at
}

// price returns a custom price.
func price(providerName, model, from string, input, output float64) pricing.Price {
	return pricing.Price{Source: pricing.Custom, Content: pricing.Content{
		Provider: providerName, Model: model, ValidFrom: day(from), Rates: pricing.Rates{Input: input, Output: output},
	}}
}

func TestFind(t *testing.T) {
	t.Parallel()
	table := pricing.NewTable([]pricing.Price{
		price("ollama", "llama", "2020-01-01", 1, 2),
		price("*", "ft:gpt-4o*", "2020-01-01", 3, 4),
		price("openai", "ft:gpt-4o*", "2020-01-01", 5, 6),
		price("openai", "ft:*:me:*", "2020-01-01", 7, 8),
		price("openai", "gpt-4.1", "2026-01-01", 100, 101),
		price("openai", "gpt-4.1", "2026-02-01", 102, 103),
		price("openai", "gpt-4.1-2025-04-14", "2026-01-15", 104, 105),
		price("*", "*", "2030-01-01", 9, 9),
	})
	for name, test := range map[string]struct {
		provider, model, at string
		input, output       float64
	}{
		"listed":                       {"openai", "gpt-4o-mini", "", 0.15, 0.6},
		"in upper case":                {"OpenAI", "GPT-4o-Mini", "", 0.15, 0.6},
		"dated":                        {"openai", "gpt-4o-mini-2024-07-18", "", 0.15, 0.6},
		"exact before release":         {"openai", "gpt-4o-2024-05-13", "", 5, 15},
		"latest":                       {"mistral", "mistral-large-latest", "", 0.5, 1.5},
		"an earlier price":             {"mistral", "mistral-large-latest", "2024-08-01", 3, 9},
		"on the day it changes":        {"mistral", "mistral-large-latest", "2025-12-02", 0.5, 1.5},
		"before the first price":       {"openai", "gpt-5", "2024-01-01", -1, -1},
		"numbered":                     {"mistral", "mistral-large-2411", "", 2, 6},
		"preview":                      {"openai", "o1-preview", "", 15, 60},
		"on Azure":                     {"openai.azure", "gpt-4o", "", 2.5, 10},
		"on Vertex AI":                 {"vertexai", "claude-sonnet-4-5@20250929", "", 3, 15},
		"on Bedrock":                   {"amazon.bedrock", "anthropic.claude-3-5-sonnet-20241022-v2:0", "", 3, 15},
		"in a region of Bedrock":       {"amazon.bedrock", "us.anthropic.claude-opus-4-5-20251101-v1:0", "", 5, 25},
		"by its resource name":         {"amazon.bedrock", "arn:aws:bedrock:us-east-1:1:inference-profile/eu.amazon.nova-pro-v1:0", "", 0.8, 3.2},
		"version of a listed model":    {"openai", "gpt-4.5", "", -1, -1},
		"relative of a listed model":   {"openai", "gpt-4o-huge", "", -1, -1},
		"successor of a listed model":  {"anthropic", "claude-opus-4-9", "", -1, -1},
		"dated, of Anthropic":          {"anthropic", "claude-opus-4-20250514", "", 15, 75},
		"with a path":                  {"google", "models/gemini-2.5-pro", "", 1.25, 10},
		"of another provider":          {"openai", "gemini-2.5-pro", "", -1, -1},
		"on a server of one's own":     {"ollama", "mistral-small", "", -1, -1},
		"custom":                       {"ollama", "llama", "", 1, 2},
		"custom for any provider":      {"azure", "ft:gpt-4o-mini", "", 3, 4},
		"custom for this provider":     {"openai", "ft:gpt-4o-mini", "", 5, 6},
		"the longest pattern":          {"openai", "ft:gpt-4o-mini:me:x", "", 5, 6},
		"a star inside":                {"openai", "ft:o3:me:x", "", 7, 8},
		"custom before list":           {"openai", "gpt-4.1", "2026-01-01", 100, 101},
		"a later custom price":         {"openai", "gpt-4.1", "", 102, 103},
		"list before a custom one":     {"openai", "gpt-4.1", "2025-12-31", 2, 8},
		"exact before a later release": {"openai", "gpt-4.1-2025-04-14", "", 104, 105},
		"release before an exact one":  {"openai", "gpt-4.1-2025-04-14", "2026-01-10", 100, 101},
		"custom pattern before a list": {"openai", "gpt-4o", "2031-01-01", 9, 9},
		"unknown":                      {"openai", "secret", "", -1, -1},
		"no model":                     {"openai", "", "", -1, -1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if test.at == "" {
				test.at = "2026-11-01"
			}
			for range 2 { // the second time from memory
				got := pricing.Rates{Input: -1, Output: -1}
				if found := table.Find(test.provider, test.model, day(test.at)); found != nil {
					got = found.Rates
				}
				check.Equal(t, "price", []float64{got.Input, got.Output}, []float64{test.input, test.output})
			}
		})
	}
}

func TestCost(t *testing.T) {
	t.Parallel()
	rates := pricing.Rates{
		Input: 2, Output: 10, CacheRead: new(0.5), CacheWrite: new(3.0), CacheWriteLong: new(4.0), Reasoning: new(20.0),
		BatchInput: new(1.0), BatchOutput: new(5.0),
	}
	plain := pricing.Rates{Input: 2, Output: 10}
	tokens := provider.Tokens
	whole := provider.Usage{
		Input: tokens(1000), Output: tokens(100), CacheRead: tokens(400), CacheWrite: tokens(300), CacheWriteLong: tokens(100), Reasoning: tokens(60),
	}
	batch := whole
	batch.Batch = true
	for name, test := range map[string]struct {
		rates pricing.Rates
		usage provider.Usage
		want  float64 // in millionths of a dollar
	}{
		"every part":             {rates, whole, 300*2 + 400*0.5 + 200*3 + 100*4 + 40*10 + 60*20},
		"defaults":               {plain, whole, 1000*2 + 100*10},
		"in a batch":             {rates, batch, (300*2 + 400*0.5 + 200*3 + 100*4 + 40*10 + 60*20) / 2.0},
		"no batch price":         {plain, batch, 1000*2 + 100*10},
		"only input":             {plain, provider.Usage{Input: tokens(5)}, 10},
		"nothing":                {plain, provider.Usage{Input: tokens(0), Output: tokens(0)}, 0},
		"parts exceed the total": {rates, provider.Usage{Input: tokens(10), CacheRead: tokens(90), CacheWrite: tokens(90), Output: tokens(1), Reasoning: tokens(5)}, 10*0.5 + 20},
		"free in batches":        {pricing.Rates{Input: 0, BatchInput: new(1.0)}, batch, 0},
	} {
		if got := test.rates.Cost(test.usage) * 1e6; math.Abs(got-test.want) > 1e-6 {
			t.Errorf("%s: got %v, want %v", name, got, test.want)
		}
	}
}

// TestListPrices checks the data that comes with the program.
func TestListPrices(t *testing.T) {
	t.Parallel()
	seen := map[pricing.Content]bool{}
	now := time.Date(2026, 11, 16, 0, 0, 0, 0, time.UTC)
	for _, p := range pricing.List() {
		id := pricing.Content{Provider: p.Provider, Model: p.Model, ValidFrom: p.ValidFrom}
		if seen[id] {
			t.Errorf("%s %s %s is listed twice", p.Provider, p.Model, p.ValidFrom)
		}
		seen[id] = true
		if p.Source != pricing.Builtin || p.Input <= 0 || p.Output < 0 || p.ValidFrom.After(now) || p.ValidFrom.Year() < 2022 {
			t.Errorf("%s %s: %+v", p.Provider, p.Model, p)
		}
		if p.CacheRead != nil && *p.CacheRead > p.Input || p.BatchInput != nil && *p.BatchInput > p.Input {
			t.Errorf("%s %s costs more from the cache or in a batch", p.Provider, p.Model)
		}
	}
	if len(seen) < 250 {
		t.Errorf("only %d list prices", len(seen))
	}
}

// TestOfferedModelsHavePrices looks up each model by the name for calls.
func TestOfferedModelsHavePrices(t *testing.T) {
	t.Parallel()
	table := pricing.NewTable(nil)
	for providerName, some := range map[string]string{
		"openai": "gpt-4o", "openai.azure": "gpt-4o", "anthropic": "claude-sonnet-4-5", "google": "gemini-2.5-pro",
		"vertexai": "gemini-2.5-pro", "mistral": "mistral-small-latest",
	} {
		models := pricing.Models(providerName)
		if !slices.Contains(models, some) || slices.Contains(models, "text-embedding-3-small") {
			t.Errorf("%s offers %v", providerName, models)
		}
		for _, model := range models {
			if table.Find(providerName, model, day("2026-11-16")) == nil {
				t.Errorf("%s: %s has no price", providerName, model)
			}
		}
	}
	check.Equal(t, "other providers", len(pricing.Models("ollama")), 0)
}

func BenchmarkCost(b *testing.B) {
	table := pricing.NewTable([]pricing.Price{price("openai", "gpt-4.1", "2020-01-01", 1, 2)})
	usage := provider.Usage{Input: provider.Tokens(1000), Output: provider.Tokens(100)}
	at := day("2026-11-01")
	for b.Loop() {
		if _, ok := table.Cost("openai", "gpt-4.1-2025-04-14", at, usage); !ok {
			b.Fatal("no price")
		}
	}
}
