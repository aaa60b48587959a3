package trace

import (
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/provider/builtin"
)

// Attributes with the responses of models to agents of OpenAI's Agents SDK. The
// client that sends them leaves the messages and counts of chat completions, and
// the counts of cached input, only there.
const (
	agentOutput   = "openai_agents.generation.raw_output_json"
	agentResponse = "openai_agents.response.raw_json"
)

var openAIAgents = convention{messages: agentMessages}

// agentMessages returns the messages of chat completions.
func agentMessages(v *view) conversation {
	var talk conversation
	for _, answer := range structured(v.own.get(agentOutput)).Elems() {
		if answer.Get("choices").Kind() == jsontree.Array {
			talk.output = append(talk.output, readMessages(answer, provider.RoleAssistant)...)
		}
	}
	return talk
}

// agentUsage returns the token counts of the response.
func (v *view) agentUsage() provider.Usage {
	if whole := v.own.get(agentResponse); whole.Given() {
		return builtin.Providers.UsageOf("openai", structured(whole))
	}
	for _, answer := range structured(v.own.get(agentOutput)).Elems() {
		if usage := builtin.Providers.UsageOf("openai", answer); usage.Known() {
			return usage
		}
	}
	return provider.Usage{}
}
