package demo

import (
	"fmt"
	"strings"
)

// Template is a prompt that logs refer to.
type Template struct {
	Name string
	// Team is the folder of the team that uses it.
	Team string
	// Chat is the template and Metadata contains its model, both as JSON.
	Chat, Metadata string
}

// Label is the release label of every prompt.
const Label = "prod"

// Templates returns the prompts that linked logs refer to.
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

// Publication returns the JSON body of the request that publishes the prompt.
func (t Template) Publication() []byte {
	return fmt.Appendf(nil, `{"prompt_template":{"prompt_name":%q},"prompt_version":{"prompt_template":%s,"metadata":%s},"release_labels":[%q]}`,
		t.Name, t.Chat, t.Metadata, Label)
}

// systemText returns the system message of a prompt.
func systemText(s *style, prompt string) string {
	return strings.Join(s.system, " ") + " This is the prompt " + prompt + "."
}
