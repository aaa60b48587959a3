package client

import (
	"regexp"
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// Price is what a model costs, in US dollars for a million tokens.
type Price struct {
	// Provider is the provider it holds for, "" for every one.
	Provider string
	// Model is the model's name. It stands for its dated and preview releases
	// too, and with a * at its end for all names that begin with it.
	Model string
	// Input and Output are for what is sent and answered, Cached for the part
	// of the input that the provider remembered.
	Input, Cached, Output float64
}

// Prices is a list of prices.
type Prices []Price

// usage is what is paid for, in tokens.
type usage struct {
	// input is neither remembered nor to be remembered; remembered input and
	// input that the provider shall remember have prices of their own.
	input, cached, stored, output int64
}

// storing is how much dearer input is that the provider shall remember.
const storing = 1.25

// price returns what a call cost, and whether that is known. An answer that
// does not tell how many tokens it took has no price.
func (prices Prices) price(p *plan) (float64, bool) {
	price, ok := prices.find(p.name, p.model)
	if !ok && p.provider.prices != "" {
		price, ok = listPrices.find(p.provider.prices, p.model)
	}
	used := p.wire.usage(p.answer)
	if !ok || used == (usage{}) {
		return 0, false
	}
	sum := float64(used.input)*price.Input + float64(used.cached)*price.Cached +
		float64(used.stored)*price.Input*storing + float64(used.output)*price.Output
	return sum / 1e6, true
}

// find returns the price with the longest name that stands for the model.
func (prices Prices) find(provider, model string) (Price, bool) {
	model = model[strings.LastIndexByte(model, '/')+1:]
	best, found := Price{}, false
	for _, price := range prices {
		if price.Provider != "" && price.Provider != provider || !standsFor(price.Model, model) {
			continue
		}
		if !found || len(price.Model) > len(best.Model) {
			best, found = price, true
		}
	}
	return best, found
}

// release is what may follow the name of a model without making it another.
var release = regexp.MustCompile(`^[-@:](?:\d{3,4}|\d{6,8}|\d{4}-\d{2}-\d{2}|latest|preview.*|exp.*)$`)

func standsFor(name, model string) bool {
	if begin, ok := strings.CutSuffix(name, "*"); ok {
		return strings.HasPrefix(model, begin)
	}
	rest, ok := strings.CutPrefix(model, name)
	return ok && (rest == "" || release.MatchString(rest))
}

// openAIUsage reads what OpenAI charges: remembered input is part of the
// input.
func openAIUsage(answer jsontree.Value) usage {
	u := answer.Get("usage")
	cached := count(either(u, "prompt_tokens_details", "input_tokens_details").Get("cached_tokens"))
	input := count(either(u, "prompt_tokens", "input_tokens"))
	cached = min(cached, input)
	return usage{input: input - cached, cached: cached, output: count(either(u, "completion_tokens", "output_tokens"))}
}

// anthropicUsage reads what Anthropic charges: the three kinds of input are
// counted apart.
func anthropicUsage(answer jsontree.Value) usage {
	u := answer.Get("usage")
	return usage{
		input: count(u.Get("input_tokens")), cached: count(u.Get("cache_read_input_tokens")),
		stored: count(u.Get("cache_creation_input_tokens")), output: count(u.Get("output_tokens")),
	}
}

// googleUsage reads what Google charges: thoughts are counted apart and cost
// as much as the answer.
func googleUsage(answer jsontree.Value) usage {
	u := either(answer, "usageMetadata", "usage_metadata")
	get := func(camel, snake string) int64 { return count(either(u, camel, snake)) }
	input := get("promptTokenCount", "prompt_token_count") + get("toolUsePromptTokenCount", "tool_use_prompt_token_count")
	cached := min(get("cachedContentTokenCount", "cached_content_token_count"), input)
	return usage{
		input: input - cached, cached: cached,
		output: get("candidatesTokenCount", "candidates_token_count") + get("thoughtsTokenCount", "thoughts_token_count"),
	}
}

// maxCount is the most tokens that one call is believed to have used.
const maxCount = 1_000_000_000

func count(v jsontree.Value) int64 {
	n, _ := v.Int()
	if n < 0 || n > maxCount {
		return 0
	}
	return n
}
