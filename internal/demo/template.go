package demo

import (
	"bytes"
	"encoding/json"
	"strings"
)

// segment is a piece of a sentence: text escaped for a JSON string, followed by
// a slot.
type segment struct {
	text []byte
	slot slot
}

type slot uint8

const (
	noSlot slot = iota
	wordSlot
	numberSlot
	idSlot
)

var slotNames = map[string]slot{"{w}": wordSlot, "{n}": numberSlot, "{id}": idSlot}

type template []segment

// parseTemplate splits a sentence at its slots. Other braces, as in source code,
// are text.
func parseTemplate(text string) template {
	var t template
	from := 0
	for at := range len(text) {
		for name, s := range slotNames {
			if strings.HasPrefix(text[at:], name) {
				t = append(t, segment{escape(text[from:at]), s})
				from = at + len(name)
			}
		}
	}
	return append(t, segment{escape(text[from:]), noSlot})
}

func parseTemplates(texts []string) []template {
	out := make([]template, len(texts))
	for i, text := range texts {
		out[i] = parseTemplate(text)
	}
	return out
}

// escape returns the text escaped for a JSON string.
func escape(text string) []byte {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(text); err != nil {
		panic(err) // encoding a string cannot fail
	}
	quoted := bytes.TrimSuffix(out.Bytes(), []byte("\n"))
	return quoted[1 : len(quoted)-1]
}

// preparedStyle is a style with its sentences parsed.
type preparedStyle struct {
	*style
	asks, replies []template
	// systems contains the escaped system message of each prompt.
	systems [][]byte
	// toolSets contains the tools of each prompt.
	toolSets [][]tool
	toolJSON [][]byte
}

func prepare(s *style) preparedStyle {
	p := preparedStyle{style: s, asks: parseTemplates(s.asks), replies: parseTemplates(s.replies)}
	for i, name := range s.prompts {
		p.systems = append(p.systems, escape(systemText(s, name)))
		set := []tool{tools[i], tools[(i+3)%len(tools)], tools[(i+7)%len(tools)]}
		p.toolSets = append(p.toolSets, set)
		p.toolJSON = append(p.toolJSON, describeTools(set))
	}
	return p
}

// describeTools returns the tools as JSON, as in the member "tools" of a
// template.
func describeTools(set []tool) []byte {
	var described []any
	for _, t := range set {
		properties := map[string]any{}
		for _, arg := range t.args {
			kind := "string"
			if arg.kind == number {
				kind = "number"
			}
			properties[arg.key] = map[string]any{"type": kind}
		}
		described = append(described, map[string]any{"type": "function", "function": map[string]any{
			"name": t.name, "description": t.description,
			"parameters": map[string]any{"type": "object", "properties": properties},
		}})
	}
	out, err := json.Marshal(described)
	if err != nil {
		panic(err) // encoding strings and maps cannot fail
	}
	return out
}
