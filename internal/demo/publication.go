package demo

import (
	"fmt"
	"strings"
)

// Template is a prompt template that logs are made from.
type Template struct {
	Name string
	// Team is the folder of those who use it.
	Team string
	// Chat is the template itself and Metadata names its model, both as JSON.
	Chat, Metadata string
}

// Label is the release label of every template.
const Label = "prod"

// Templates returns the templates that linked logs name.
func Templates() []Template {
	var all []Template
	for i := range styles {
		for _, name := range styles[i].prompts {
			all = append(all, Template{
				Name: name, Team: styles[i].team,
				Chat: fmt.Sprintf(`{"type":"chat","messages":[{"role":"system","content":[{"type":"text","text":"%s"}]},`+
					`{"role":"user","content":[{"type":"text","text":"{question}"}]}]}`, escape(systemText(&styles[i], name))),
				Metadata: `{"model":{"provider":"openai","name":"gpt-4o"}}`,
			})
		}
	}
	return all
}

// Publication returns the JSON body of the call that publishes the template.
func (t Template) Publication() []byte {
	return fmt.Appendf(nil, `{"prompt_template":{"prompt_name":%q},"prompt_version":{"prompt_template":%s,"metadata":%s},"release_labels":[%q]}`,
		t.Name, t.Chat, t.Metadata, Label)
}

// systemText is the system message of a prompt.
func systemText(s *style, prompt string) string {
	return strings.Join(s.system, " ") + " This is the prompt " + prompt + "."
}
