package convert

import (
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// chatPart returns the block for one part of a message's content, in any of
// the shapes that OpenAI's interfaces and their relatives know. A part of
// another type stays as it was written.
func chatPart(v jsontree.Value) []byte {
	if v.Kind() != jsontree.Object {
		return plainText(asString(v))
	}
	var block []byte
	switch kind := snake(v.Get("type").Str()); kind {
	case "text", "input_text", "output_text", "summary_text", "":
		block = textPart(v)
	case "refusal":
		block = refusalPart(v)
	case "image_url", "input_image":
		block = imagePart(v)
	case "input_audio":
		block = audioPart(v)
	case "file", "input_file", "document_url":
		block = filePart(v)
	case "thinking":
		block = thinkingPart(v)
	}
	if block == nil {
		return typedBlock(v)
	}
	return block
}

func textPart(v jsontree.Value) []byte {
	text := v.Get("text")
	if text.Kind() != jsontree.String {
		return nil
	}
	return textBlock(text.Raw(), nil, v, emptyLogprobs(v)...)
}

// emptyLogprobs names the member that responses have on every text, asked for
// or not, when it says nothing.
func emptyLogprobs(v jsontree.Value) []string {
	if v.Get("logprobs").Len() > 0 {
		return nil
	}
	return []string{"logprobs"}
}

func refusalPart(v jsontree.Value) []byte {
	if v.Get("refusal").Kind() != jsontree.String {
		return nil
	}
	return textBlock(v.Get("refusal").Raw(), nil, v, "refusal")
}

// imagePart reads an image whose address is either the member itself or
// inside of it.
func imagePart(v jsontree.Value) []byte {
	image, detail := field(v, "image_url"), v.Get("detail")
	if image.Kind() == jsontree.Object {
		if v.Get("image_url").Kind() == jsontree.Object && v.Get("type").Str() == "image_url" {
			return v.Raw()
		}
		image, detail = image.Get("url"), image.Get("detail")
	}
	if image.Kind() != jsontree.String {
		return nil
	}
	return imageBlock(image.Raw(), detail, v, "image_url", "detail")
}

func audioPart(v jsontree.Value) []byte {
	audio := field(v, "input_audio")
	data := audio.Get("data")
	if data.Kind() != jsontree.String {
		return nil
	}
	mime := audioMIME(audio.Get("format").Str())
	return mediaBlock(media{title: "audio", mime: mime, url: data.Raw(), base64: true}, v, "input_audio")
}

// audioMIME returns the MIME type of a format that OpenAI names by its file
// ending.
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

// filePart reads a file that was sent along. One that is only referred to by
// its id at the provider has nothing to show and stays as it is.
func filePart(v jsontree.Value) []byte {
	file := v.Get("file")
	if file.Kind() != jsontree.Object {
		file = v
	}
	title := firstGiven(file, "filename", "document_name").Str()
	if data := field(file, "file_data"); data.Kind() == jsontree.String {
		mime := dataMIME(data.Str())
		if mime == "" {
			mime = fileMIME(title)
		}
		return mediaBlock(media{title: title, mime: mime, url: data.Raw(), base64: true},
			v, "file", "file_data", "filename")
	}
	if url := firstGiven(file, "file_url", "document_url"); url.Kind() == jsontree.String {
		return mediaBlock(media{title: title, mime: fileMIME(title), url: url.Raw()},
			v, "file", "file_url", "document_url", "filename", "document_name")
	}
	return nil
}

// fileMIME guesses a file's MIME type from its name. Providers accept little
// else than PDF without being told the type.
func fileMIME(name string) string {
	switch {
	case strings.HasSuffix(name, ".txt"), strings.HasSuffix(name, ".md"):
		return "text/plain"
	case strings.HasSuffix(name, ".png"):
		return "image/png"
	case strings.HasSuffix(name, ".jpg"), strings.HasSuffix(name, ".jpeg"):
		return "image/jpeg"
	default:
		return "application/pdf"
	}
}

// thinkingPart reads reasoning that is a list of texts, as Mistral writes it.
// Reasoning that is a text has a blueprint's shape already.
func thinkingPart(v jsontree.Value) []byte {
	list := v.Get("thinking")
	if list.Kind() != jsontree.Array {
		return nil
	}
	var text strings.Builder
	for _, part := range list.Elems() {
		text.WriteString(part.Get("text").Str())
	}
	return thinkingBlock(quote(text.String()), stringRaw(v.Get("signature")), stringRaw(v.Get("id")), v)
}
