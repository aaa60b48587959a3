package mistral

import "github.com/promptuary/promptuary/internal/provider"

// prices are the list prices for standard (not batched) calls with inputs of
// normal length.
var prices = provider.Prices{
	{Model: "mistral-large", Called: "mistral-large-latest", Input: 0.5, Cached: 0.5, Output: 1.5},
	{Model: "mistral-large-2411", Input: 2, Cached: 2, Output: 6},
	{Model: "mistral-large-2407", Input: 2, Cached: 2, Output: 6},
	{Model: "mistral-medium", Called: "mistral-medium-latest", Input: 0.4, Cached: 0.4, Output: 2},
	{Model: "mistral-small", Called: "mistral-small-latest", Input: 0.1, Cached: 0.1, Output: 0.3},
	{Model: "magistral-medium", Called: "magistral-medium-latest", Input: 2, Cached: 2, Output: 5},
	{Model: "magistral-small", Called: "magistral-small-latest", Input: 0.5, Cached: 0.5, Output: 1.5},
	{Model: "codestral", Called: "codestral-latest", Input: 0.3, Cached: 0.3, Output: 0.9},
	{Model: "pixtral-large", Called: "pixtral-large-latest", Input: 2, Cached: 2, Output: 6},
	{Model: "ministral-8b", Called: "ministral-8b-latest", Input: 0.1, Cached: 0.1, Output: 0.1},
	{Model: "ministral-3b", Called: "ministral-3b-latest", Input: 0.04, Cached: 0.04, Output: 0.04},
	{Model: "open-mistral-nemo", Input: 0.15, Cached: 0.15, Output: 0.15},
}
