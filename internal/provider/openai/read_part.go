package openai

import (
	"cmp"
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
)

// Part returns the block for a part of a recorded message, in any of the
// formats of OpenAI's and similar APIs. Parts of other types stay as is.
func Part(v jsontree.Value) provider.JSON {
	if block := knownPart(v); block != nil {
		return block
	}
	return provider.TypedBlock(v)
}

// knownPart returns nil for unknown parts.
func knownPart(v jsontree.Value) provider.JSON {
	if v.Kind() != jsontree.Object {
		return provider.PlainText(v)
	}
	switch provider.Snake(v.Get("type").Str()) {
	case "text", "input_text", "output_text", "summary_text", "":
		if text := v.Get("text"); text.Kind() == jsontree.String {
			return textPart(v, nil)
		}
	case "refusal":
		if refusal := v.Get("refusal"); refusal.Kind() == jsontree.String {
			return provider.TextBlock(provider.Value(refusal), nil, v, "refusal")
		}
	case "image_url", "input_image":
		return imagePart(v)
	case "input_audio":
		audio := provider.Field(v, "input_audio")
		if data := audio.Get("data"); data.Kind() == jsontree.String {
			mime := audioMIME(audio.Get("format").Str())
			return provider.MediaBlock("audio", mime, data, provider.FormatBase64, v, "input_audio")
		}
	case "file", "input_file", "document_url":
		return filePart(v)
	case "thinking":
		return thinkingPart(v)
	}
	return nil
}

// textPart returns a text block. Responses include log probabilities in every
// text, even if not requested.
func textPart(v jsontree.Value, id provider.JSON) provider.JSON {
	known := []string{"logprobs"}
	if v.Get("logprobs").Len() > 0 {
		known = nil
	}
	return provider.TextBlock(provider.Value(v.Get("text")), id, v, known...)
}

// imagePart reads an image whose URL is either the member itself or inside it.
func imagePart(v jsontree.Value) provider.JSON {
	image, detail := provider.Field(v, "image_url"), v.Get("detail")
	if image.Kind() == jsontree.Object {
		if v.Get("image_url").Kind() == jsontree.Object && v.Get("type").Str() == "image_url" {
			return provider.Value(v)
		}
		image, detail = image.Get("url"), image.Get("detail")
	}
	if image.Kind() != jsontree.String {
		return nil
	}
	return provider.ImageBlock(image, detail, v, "image_url", "detail")
}

// audioMIME returns the MIME type of a format that OpenAI names by its file
// extension.
func audioMIME(format string) string {
	switch format {
	case "", "mp3":
		return "audio/mpeg"
	case "pcm16":
		return "audio/pcm"
	default:
		return "audio/" + format
	}
}

// filePart reads a file in the input. A reference by file ID stays as is.
func filePart(v jsontree.Value) provider.JSON {
	file := v.Get("file")
	if file.Kind() != jsontree.Object {
		file = v
	}
	title := provider.FirstGiven(file, "filename", "document_name").Str()
	data := provider.Field(file, "file_data")
	url := provider.FirstGiven(file, "file_url", "document_url")
	known := []string{"file", "file_data", "file_url", "document_url", "filename", "document_name"}
	switch {
	case data.Kind() == jsontree.String:
		mime := cmp.Or(provider.DataMIME(data.Str()), fileMIME(title))
		return provider.MediaBlock(title, mime, data, provider.FormatBase64, v, known...)
	case url.Kind() == jsontree.String:
		return provider.MediaBlock(title, fileMIME(title), url, provider.FormatURL, v, known...)
	default:
		return nil
	}
}

// fileMIME guesses the MIME type of a file from its name. Without a type,
// providers accept little but PDF.
func fileMIME(name string) string { return cmp.Or(provider.MIMEByEnding(name), "application/pdf") }

// thinkingPart reads reasoning that is a list of texts, as in Mistral's API.
// Reasoning that is a string already has the format of a blueprint.
func thinkingPart(v jsontree.Value) provider.JSON {
	list := v.Get("thinking")
	if list.Kind() != jsontree.Array {
		return nil
	}
	var text strings.Builder
	for _, part := range list.Elems() {
		text.WriteString(part.Get("text").Str())
	}
	return provider.ThinkingBlock(provider.Text(text.String()), v)
}
