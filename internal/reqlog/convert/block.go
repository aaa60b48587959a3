package convert

import (
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// plainText returns a text block that came from nothing but a string.
func plainText(text []byte) []byte { return textBlock(text, nil, jsontree.Value{}) }

// textBlock returns a text block. Its id is JSON text or nil; the rest of what
// source says is carried over, except for its members named in known.
func textBlock(text, id []byte, source jsontree.Value, known ...string) []byte {
	var annotations []byte
	if list := source.Get("annotations"); list.Kind() == jsontree.Array && list.Len() > 0 {
		annotations = list.Raw()
	}
	if id == nil {
		id = stringRaw(source.Get("id"))
	}
	return newObject().
		str("type", "text").
		raw("text", text).
		raw("id", id).
		raw("annotations", annotations).
		rest(source, known...).
		end()
}

// thinkingBlock returns a block of a model's reasoning. Signature and id are
// JSON text or nil.
func thinkingBlock(thinking, signature, id []byte, source jsontree.Value, known ...string) []byte {
	return newObject().
		str("type", "thinking").
		raw("thinking", thinking).
		raw("signature", signature).
		raw("id", id).
		rest(source, known...).
		end()
}

// imageBlock returns a block that shows the image at url, a JSON string.
func imageBlock(url []byte, detail, source jsontree.Value, known ...string) []byte {
	image := newObject().raw("url", url).given("detail", detail).end()
	return newObject().str("type", "image_url").raw("image_url", image).rest(source, known...).end()
}

// media describes a file that was sent to a model.
type media struct {
	title string
	mime  string
	// url is a JSON string: the file's address, or its bytes in base64.
	url    []byte
	base64 bool
}

// mediaBlock returns a block that holds a file.
func mediaBlock(m media, source jsontree.Value, known ...string) []byte {
	if m.title == "" {
		m.title = "media"
	}
	format := "url"
	if m.base64 {
		format = "base64"
	}
	file := newObject().str("title", m.title).str("type", m.mime).raw("url", m.url).str("format", format).end()
	return newObject().str("type", "media").raw("media", file).rest(source, known...).end()
}

// outputMedia returns a block with something a model produced. What else
// source says about it becomes the provider's metadata.
func outputMedia(url, mime string, source jsontree.Value, known ...string) []byte {
	o := newObject().str("type", "output_media").str("url", url).str("mime_type", mime).str("media_type", mediaType(mime))
	if id := stringRaw(source.Get("id")); id != nil {
		o.raw("id", id)
	}
	metadata := newObject().rest(source, append(known, "type", "id")...)
	if metadata.len() > 0 {
		return o.raw("provider_metadata", metadata.end()).end()
	}
	return o.raw("provider_metadata", null).end()
}

// mediaType is the kind of media that a blueprint knows a MIME type by.
func mediaType(mime string) string {
	switch kind, _, _ := strings.Cut(mime, "/"); kind {
	case "audio", "video":
		return kind
	default:
		return "image"
	}
}

// typedBlock returns a block of a provider that tells its blocks apart by
// their only member, with that member's name as its type.
func typedBlock(v jsontree.Value) []byte {
	if v.Kind() != jsontree.Object {
		return plainText(asString(v))
	}
	if v.Get("type").Str() != "" {
		return v.Raw()
	}
	for key, member := range v.Members() {
		if member.Given() && key != "" {
			return newObject().str("type", key).rest(v).end()
		}
	}
	return plainText(asString(v))
}

// urlSafe turns the URL-safe alphabet of base64 into the common one, the only
// one that data addresses allow.
var urlSafe = strings.NewReplacer("-", "+", "_", "/")

// dataURL returns the address of data, which is base64 or an address already.
func dataURL(mime, data string) string {
	if strings.HasPrefix(data, "data:") || strings.Contains(data, "://") {
		return data
	}
	return "data:" + mime + ";base64," + urlSafe.Replace(data)
}

// dataMIME returns the MIME type that a data address names, "" for others.
func dataMIME(url string) string {
	rest, ok := strings.CutPrefix(url, "data:")
	if !ok {
		return ""
	}
	mime, _, found := strings.Cut(rest, ",")
	if !found {
		return ""
	}
	mime, _, _ = strings.Cut(mime, ";")
	return mime
}

// toolCall returns the call of a function as a blueprint writes it. Arguments
// that were given as a value become the JSON text of it.
func toolCall(id, name, arguments jsontree.Value, more ...func(*object)) []byte {
	function := newObject().raw("name", stringOrEmpty(name)).raw("arguments", callArguments(arguments)).end()
	o := newObject().raw("id", stringOrEmpty(id)).str("type", "function").raw("function", function)
	for _, add := range more {
		add(o)
	}
	return o.end()
}

func callArguments(v jsontree.Value) []byte {
	if !v.Given() {
		return quote("{}")
	}
	return asString(v)
}

// stringOrEmpty returns v as a JSON string, an empty one when it is null or
// absent.
func stringOrEmpty(v jsontree.Value) []byte {
	if !v.Given() {
		return quote("")
	}
	return asString(v)
}
