package google

import "github.com/promptuary/promptuary/internal/provider"

// Prices are the list prices for standard (not batched) calls with inputs of
// normal length.
var Prices = provider.Prices{
	{Model: "gemini-3-pro", Called: "gemini-3-pro-preview", Input: 2, Cached: 0.2, Output: 12},
	{Model: "gemini-3-flash", Called: "gemini-3-flash-preview", Input: 0.5, Cached: 0.05, Output: 3},
	{Model: "gemini-2.5-pro", Input: 1.25, Cached: 0.125, Output: 10},
	{Model: "gemini-2.5-flash", Input: 0.3, Cached: 0.03, Output: 2.5},
	{Model: "gemini-2.5-flash-lite", Input: 0.1, Cached: 0.01, Output: 0.4},
	{Model: "gemini-2.0-flash", Input: 0.1, Cached: 0.025, Output: 0.4},
	{Model: "gemini-2.0-flash-lite", Input: 0.075, Cached: 0.075, Output: 0.3},
	{Model: "gemini-1.5-pro", Input: 1.25, Cached: 0.3125, Output: 5},
	{Model: "gemini-1.5-flash", Input: 0.075, Cached: 0.01875, Output: 0.3},
	{Model: "gemini-1.5-flash-8b", Input: 0.0375, Cached: 0.01, Output: 0.15},
}
