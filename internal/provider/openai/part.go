package openai

import (
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
)

// parts returns the content of a user message as a list of parts.
func (d *Dialect) parts(content jsontree.Value) provider.List {
	return provider.Parts{
		Text: func(it provider.Item) provider.JSON {
			return d.marked(provider.Typed("text").Val("text", it.Text), it.V)
		},
		File: d.file,
	}.List(content)
}

// marked adds the mark for caching, which any part may have.
func (d *Dialect) marked(part *provider.Object, v jsontree.Value) provider.JSON {
	if d.CacheControl {
		part.Keep(v, "cache_control")
	}
	return part
}

// file returns a file as a part, or nil if it cannot be sent: audio must be
// data in one of two formats, and other files must be data unless the dialect
// supports URLs.
func (d *Dialect) file(f *provider.File) provider.JSON {
	address, format := provider.NewObject().Str("url", f.Address()), audioFormat(f)
	switch kind := f.Kind(); {
	case kind == "image":
		return d.marked(part("image_url", address.Given("detail", f.Detail)), f.V)
	case kind == "audio" && f.Data != "" && format != "":
		return d.marked(part("input_audio", provider.NewObject().Str("data", f.Data).Str("format", format)), f.V)
	case kind == "video" && d.Video:
		return d.marked(part("video_url", address), f.V)
	case kind == "audio" || kind == "video":
		return nil
	case d.Documents == DocumentURL:
		return d.marked(part("document_url", provider.Text(f.Address())), f.V)
	case f.Data != "" || d.Documents == FileDataOrURL:
		file := provider.NewObject().Str("filename", f.Name()).Str("file_data", f.Address())
		return d.marked(part("file", file), f.V)
	default:
		return nil
	}
}

// part returns a part whose value is a member named after its type.
func part(kind string, value provider.JSON) *provider.Object {
	return provider.Typed(kind).Set(kind, value)
}

// audioFormat returns OpenAI's name for an audio format, or "" if it is not
// supported.
func audioFormat(f *provider.File) string {
	switch f.Subtype() {
	case "mpeg", "mp3":
		return "mp3"
	case "wav", "x-wav", "wave":
		return "wav"
	default:
		return ""
	}
}
