package builtin_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/provider/builtin"
	pt "github.com/promptuary/promptuary/internal/provider/providertest"
)

// renderLocally fills in the variable x like clients that cache arguments: they
// only look where arguments have texts.
func renderLocally(payload map[string]any) {
	for _, key := range []string{"messages", "input"} {
		for _, message := range objects(payload[key]) {
			message["content"] = renderContent(message["content"])
		}
	}
	if system, ok := payload["system"]; ok {
		payload["system"] = renderContent(system)
	}
	for _, key := range []string{"contents", "history"} {
		for _, message := range objects(payload[key]) {
			renderContent(message["parts"])
		}
	}
	if config, ok := payload["generation_config"].(map[string]any); ok {
		if system, ok := config["system_instruction"].(map[string]any); ok {
			renderContent(system["parts"])
		}
	}
	if prompt, ok := payload["prompt"].(string); ok {
		payload["prompt"] = renderContent(prompt)
	}
}

func objects(list any) []map[string]any {
	elements, _ := list.([]any)
	var out []map[string]any
	for _, v := range elements {
		if object, ok := v.(map[string]any); ok {
			out = append(out, object)
		}
	}
	return out
}

func renderContent(content any) any {
	if text, ok := content.(string); ok {
		return strings.ReplaceAll(text, "{x}", "done")
	}
	for _, part := range objects(content) {
		kind, typed := part["type"].(string)
		if text, ok := part["text"].(string); ok && (!typed || kind == "text" || kind == "input_text") {
			part["text"] = renderContent(text)
		}
	}
	return content
}

func TestTextsAreWhereClientsRenderThem(t *testing.T) {
	t.Parallel()
	x := pt.Text("{x}")
	marked := `{"type":"text","text":"{x}","cache_control":{"type":"ephemeral"}}`
	templates := map[string]string{
		"chat": pt.Chat(pt.Say("system", x) + "," + pt.Say("developer", x) + "," + pt.Say("user", x+","+pt.PNGItem+","+x) + "," +
			pt.Say("assistant", x+","+x) + "," + pt.Say("user", x)),
		"marked chat": pt.Chat(pt.Say("system", marked) + "," + pt.Say("user", marked) + "," + pt.Say("assistant", marked)),
		"completion":  `{"type":"completion","content":[` + x + `,` + x + `]}`,
	}
	for _, s := range everyShape {
		if s.api == "speech" {
			continue // clients do not render speech input
		}
		for name, template := range templates {
			t.Run(s.provider+" "+s.model+" "+s.api+" "+name, func(t *testing.T) {
				t.Parallel()
				built := builtin.Providers.Arguments(provider.Input{Provider: s.provider, Model: s.model, APIType: s.api, Template: pt.Parse(t, template)})
				payload := pt.Decode(t, built).(map[string]any)
				renderLocally(payload)
				rendered, err := json.Marshal(payload)
				if err != nil {
					t.Fatal(err)
				}
				if strings.Contains(string(rendered), "{x}") || !strings.Contains(string(rendered), "done") {
					t.Errorf("a text was not rendered: %s", rendered)
				}
			})
		}
	}
}
