package prompt

import (
	"github.com/promptuary/promptuary/internal/jsontree"
)

// defaultAPIType is the API of OpenAI models if the metadata has none: client
// libraries would assume another one.
const defaultAPIType = "chat-completions"

// runMetadata returns the metadata for clients that run a template: with the
// API of OpenAI models. It is nil if there is none.
func runMetadata(metadata jsontree.Value) []byte {
	if metadata.Kind() != jsontree.Object {
		return nil
	}
	model := metadata.Get("model")
	if provider := model.Get("provider").Str(); provider != "openai" && provider != "openai.azure" {
		return metadata.Raw()
	}
	if model.Get("api_type").Given() {
		return metadata.Raw()
	}
	return replaceMember(metadata, "model", replaceMember(model, "api_type", []byte(`"`+defaultAPIType+`"`)))
}

// apiType returns the API of the provider in the metadata.
func apiType(metadata []byte) string { return tree(metadata).Get("model").Get("api_type").Str() }

// withModel returns the metadata with another model.
func withModel(metadata jsontree.Value, provider, name string) jsontree.Value {
	model := metadata.Get("model")
	text := replaceMember(model, "provider", jsontree.AppendQuoted(nil, provider))
	text = replaceMember(tree(text), "name", jsontree.AppendQuoted(nil, name))
	// The API belongs to the replaced provider.
	text = replaceMember(tree(text), "api_type", nil)
	return tree(replaceMember(metadata, "model", text))
}

// replaceMember returns an object with one member set, or removed if value is
// nil. Anything but an object counts as an empty one.
func replaceMember(object jsontree.Value, name string, value []byte) []byte {
	w := jsontree.NewWriter(nil)
	done := value == nil
	w.Object(func() {
		for key, member := range object.Members() {
			if key != name {
				w.Member(member)
			} else if !done {
				w.KeyOf(member).Raw(value)
				done = true
			}
		}
		if !done {
			w.Key(name).Raw(value)
		}
	})
	return w.Bytes()
}
