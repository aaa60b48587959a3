package provider

import (
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// PlainText returns the text block of a string.
func PlainText(text jsontree.Value) *Object { return TextBlock(String(text), nil, jsontree.Value{}) }

// TextBlock returns a text block. The id may be nil. Other members of source
// are kept, except those named.
func TextBlock(text, id JSON, source jsontree.Value, known ...string) *Object {
	var annotations JSON
	if list := source.Get("annotations"); list.Kind() == jsontree.Array && list.Len() > 0 {
		annotations = Value(list)
	}
	if id == nil {
		id = StringOrNil(source.Get("id"))
	}
	return Typed("text").Set("text", text).Set("id", id).Set("annotations", annotations).Rest(source, known...)
}

// ThinkingBlock returns a block of a model's reasoning, with the signature and
// the id that source has.
func ThinkingBlock(thinking JSON, source jsontree.Value, known ...string) *Object {
	return SignedThinking(thinking, StringOrNil(source.Get("signature")), StringOrNil(source.Get("id")), source, known...)
}

// SignedThinking is like ThinkingBlock with the given signature and id, which
// may be nil.
func SignedThinking(thinking, signature, id JSON, source jsontree.Value, known ...string) *Object {
	return Typed("thinking").Set("thinking", thinking).Set("signature", signature).Set("id", id).Rest(source, known...)
}

// ImageBlock returns a block with the image at a URL.
func ImageBlock(url, detail, source jsontree.Value, known ...string) *Object {
	image := NewObject().Val("url", url).Given("detail", detail)
	return Typed("image_url").Set("image_url", image).Rest(source, known...)
}

// The formats of a file: whether it is given by its URL or as data.
const (
	FormatURL    = "url"
	FormatBase64 = "base64"
)

// MediaBlock returns a block with a file that was sent to a model.
func MediaBlock(title, mime string, url jsontree.Value, format string, source jsontree.Value, known ...string) *Object {
	if title == "" {
		title = "media"
	}
	file := NewObject().Str("title", title).Str("type", mime).Val("url", url).Str("format", format)
	return Typed("media").Set("media", file).Rest(source, known...)
}

// OutputMedia returns a block with generated media. Other members of source
// become the provider's metadata.
func OutputMedia(url, mime string, source jsontree.Value, known ...string) *Object {
	o := Typed("output_media").Str("url", url).Str("mime_type", mime).Str("media_type", mediaType(mime))
	o.Opt("id", StringOrNil(source.Get("id")))
	metadata := NewObject().Rest(source, append(known, "type", "id")...)
	if metadata.Len() == 0 {
		return o.Set("provider_metadata", nil)
	}
	return o.Set("provider_metadata", metadata)
}

// mediaType returns the kind of media that a blueprint has for a MIME type.
func mediaType(mime string) string {
	switch kind, _, _ := strings.Cut(mime, "/"); kind {
	case "audio", "video":
		return kind
	default:
		return "image"
	}
}

// TypedBlock returns a block of a provider whose blocks have one member each,
// with the name of that member as its type.
func TypedBlock(v jsontree.Value) JSON {
	if v.Kind() != jsontree.Object {
		return PlainText(v)
	}
	if v.Get("type").Str() != "" {
		return Value(v)
	}
	for key, member := range v.Members() {
		if member.Given() && key != "" {
			return Typed(key).Rest(v)
		}
	}
	return PlainText(v)
}

// FunctionCall returns a function call in the format of templates and OpenAI.
func FunctionCall(id, name, arguments jsontree.Value) *Object {
	return NewObject().Text("id", id).Str("type", "function").Set("function", CalledFunction(name, arguments))
}

// CalledFunction returns the function of a call with its arguments.
func CalledFunction(name, arguments jsontree.Value) JSON {
	return NewObject().Text("name", name).Set("arguments", ArgumentText(arguments))
}
