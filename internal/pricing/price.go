// Package pricing knows what tokens of language models cost: list prices that
// come with the program, and prices that a workspace sets itself.
package pricing

import (
	"time"

	"github.com/promptuary/promptuary/internal/provider"
)

// Source is where a price comes from.
type Source string

// The sources. Custom prices of a workspace take precedence.
const (
	Builtin Source = "builtin"
	Custom  Source = "custom"
)

// AnyProvider is the provider of prices that hold for every provider.
const AnyProvider = "*"

// Content is what a price says.
type Content struct {
	// Provider is the name of the provider as in logs, or AnyProvider.
	Provider string
	// Model is the name of the model or a pattern. A name also stands for dated
	// and preview releases of the model; * in a pattern stands for any text.
	Model string
	// ValidFrom is when the price begins to hold. It ends when a later one for
	// the same provider and model begins.
	ValidFrom time.Time
	Rates
}

// Price is the price of a model.
type Price struct {
	Content
	Source Source
	// ID, CreatedBy and UpdatedAt are set for custom prices only.
	ID        int64
	CreatedBy *string
	UpdatedAt time.Time
}

// Rates are US dollars per million tokens. Those that are nil have the defaults
// that their comments name.
type Rates struct {
	Input  float64 `json:"input"`
	Output float64 `json:"output"`
	// CacheRead is for input read from the cache: Input by default.
	CacheRead *float64 `json:"cache_read,omitempty"`
	// CacheWrite is for input written to the cache: Input by default.
	CacheWrite *float64 `json:"cache_write,omitempty"`
	// CacheWriteLong is for input that the cache keeps for an hour: CacheWrite
	// by default.
	CacheWriteLong *float64 `json:"cache_write_1h,omitempty"`
	// Reasoning is for the reasoning part of the output: Output by default.
	Reasoning *float64 `json:"reasoning,omitempty"`
	// BatchInput and BatchOutput are Input and Output of calls in a batch: the
	// same by default. The other rates change in proportion.
	BatchInput  *float64 `json:"batch_input,omitempty"`
	BatchOutput *float64 `json:"batch_output,omitempty"`
}

func orElse(rate *float64, standard float64) float64 {
	if rate == nil {
		return standard
	}
	return *rate
}

// Cost returns the cost of a usage in US dollars.
func (r *Rates) Cost(u provider.Usage) float64 {
	read := min(u.CacheRead.N, u.Input.N)
	written := min(u.CacheWrite.N, u.Input.N-read)
	long := min(u.CacheWriteLong.N, written)
	reasoning := min(u.Reasoning.N, u.Output.N)
	write := orElse(r.CacheWrite, r.Input)
	input := float64(u.Input.N-read-written)*r.Input + float64(read)*orElse(r.CacheRead, r.Input) +
		float64(written-long)*write + float64(long)*orElse(r.CacheWriteLong, write)
	output := float64(u.Output.N-reasoning)*r.Output + float64(reasoning)*orElse(r.Reasoning, r.Output)
	if u.Batch {
		input *= ratio(r.BatchInput, r.Input)
		output *= ratio(r.BatchOutput, r.Output)
	}
	return (input + output) / 1e6
}

func ratio(batch *float64, standard float64) float64 {
	if batch == nil || standard == 0 {
		return 1
	}
	return *batch / standard
}
