package openai

import "github.com/promptuary/promptuary/internal/provider"

// prices are the list prices for standard (not batched) calls with inputs of
// normal length.
var prices = provider.Prices{
	{Model: "gpt-5.2", Input: 1.75, Cached: 0.175, Output: 14},
	{Model: "gpt-5.2-chat", Called: "gpt-5.2-chat-latest", Input: 1.75, Cached: 0.175, Output: 14},
	{Model: "gpt-5.2-pro", Input: 21, Cached: 21, Output: 168},
	{Model: "gpt-5.1", Input: 1.25, Cached: 0.125, Output: 10},
	{Model: "gpt-5.1-chat", Called: "gpt-5.1-chat-latest", Input: 1.25, Cached: 0.125, Output: 10},
	{Model: "gpt-5.1-codex", Input: 1.25, Cached: 0.125, Output: 10},
	{Model: "gpt-5.1-codex-mini", Input: 0.25, Cached: 0.025, Output: 2},
	{Model: "gpt-5", Input: 1.25, Cached: 0.125, Output: 10},
	{Model: "gpt-5-chat", Called: "gpt-5-chat-latest", Input: 1.25, Cached: 0.125, Output: 10},
	{Model: "gpt-5-codex", Input: 1.25, Cached: 0.125, Output: 10},
	{Model: "gpt-5-mini", Input: 0.25, Cached: 0.025, Output: 2},
	{Model: "gpt-5-nano", Input: 0.05, Cached: 0.005, Output: 0.4},
	{Model: "gpt-5-pro", Input: 15, Cached: 15, Output: 120},
	{Model: "gpt-4.1", Input: 2, Cached: 0.5, Output: 8},
	{Model: "gpt-4.1-mini", Input: 0.4, Cached: 0.1, Output: 1.6},
	{Model: "gpt-4.1-nano", Input: 0.1, Cached: 0.025, Output: 0.4},
	{Model: "gpt-4o", Input: 2.5, Cached: 1.25, Output: 10},
	{Model: "gpt-4o-2024-05-13", Input: 5, Cached: 5, Output: 15},
	{Model: "gpt-4o-mini", Input: 0.15, Cached: 0.075, Output: 0.6},
	{Model: "chatgpt-4o", Called: "chatgpt-4o-latest", Input: 5, Cached: 5, Output: 15},
	{Model: "gpt-4-turbo", Input: 10, Cached: 10, Output: 30},
	{Model: "gpt-4", Input: 30, Cached: 30, Output: 60},
	{Model: "gpt-4-32k", Input: 60, Cached: 60, Output: 120},
	{Model: "gpt-3.5-turbo", Input: 0.5, Cached: 0.5, Output: 1.5},
	{Model: "gpt-3.5-turbo-instruct", Input: 1.5, Cached: 1.5, Output: 2},
	{Model: "o1", Input: 15, Cached: 7.5, Output: 60},
	{Model: "o1-mini", Input: 1.1, Cached: 0.55, Output: 4.4},
	{Model: "o1-pro", Input: 150, Cached: 150, Output: 600},
	{Model: "o3", Input: 2, Cached: 0.5, Output: 8},
	{Model: "o3-mini", Input: 1.1, Cached: 0.55, Output: 4.4},
	{Model: "o3-pro", Input: 20, Cached: 20, Output: 80},
	{Model: "o4-mini", Input: 1.1, Cached: 0.275, Output: 4.4},
	{Model: "text-embedding-3-small", Input: 0.02, Cached: 0.02, Embeds: true},
	{Model: "text-embedding-3-large", Input: 0.13, Cached: 0.13, Embeds: true},
	{Model: "text-embedding-ada-002", Input: 0.1, Cached: 0.1, Embeds: true},
}
