package client

import (
	"encoding/json"
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// said returns the texts and the tool calls of an output template.
func said(output json.RawMessage) (text string, calls json.RawMessage) {
	template, err := jsontree.Parse(output)
	if err != nil {
		return "", nil
	}
	holder := template
	for _, message := range template.Get("messages").Elems() {
		holder = message
	}
	var all []byte
	for _, item := range holder.Get("content").Elems() {
		if item.Get("type").Str() == "text" {
			all = item.Get("text").AppendStr(all)
		}
	}
	if list := holder.Get("tool_calls"); list.Len() > 0 {
		calls = json.RawMessage(list.Raw())
	}
	return string(all), calls
}

// wantsJSON reports whether the arguments ask for an answer in JSON, in the
// way of any provider.
func wantsJSON(arguments jsontree.Value) bool {
	config := either(arguments, "generation_config", "generationConfig", "config")
	if either(config, "response_mime_type", "responseMimeType").Str() == "application/json" {
		return true
	}
	for _, format := range []jsontree.Value{
		arguments.Get("response_format"), arguments.Get("text").Get("format"),
		arguments.Get("output_config").Get("format"), arguments.Get("output_format"),
	} {
		switch format.Get("type").Str() {
		case "json_schema", "json_object":
			return true
		}
	}
	return false
}

// structured returns a text as the JSON value that it is, nil when it is none.
func structured(text string) json.RawMessage {
	value, err := jsontree.Parse([]byte(strings.TrimSpace(text)))
	if err != nil {
		return nil
	}
	return json.RawMessage(value.Raw())
}
