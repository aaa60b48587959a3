package convert

import (
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// mediaInput reads the arguments of the interfaces that draw, film or speak.
// Speech interfaces call the text input.
func mediaInput(r *request) (template, bool) {
	for _, key := range []string{"prompt", "input", "text"} {
		if v := r.peek(key); v.Given() {
			r.lift(key)
			return template{completion: true, content: promptBlocks(v)}, true
		}
	}
	return template{}, false
}

func imageOutput(c Call) (message, bool) {
	return producedMedia(c.Response, imageMIME(mediaFormat(c, "output_format")))
}

func videoOutput(c Call) (message, bool) { return producedMedia(c.Response, "video/mp4") }

func speechOutput(c Call) (message, bool) {
	return producedMedia(c.Response, audioMIME(mediaFormat(c, "response_format")))
}

// mediaFormat returns the format that was produced, or that was asked for.
func mediaFormat(c Call, key string) string {
	if format := firstGiven(c.Response, key, "format").Str(); format != "" {
		return format
	}
	return field(c.Kwargs, key).Str()
}

// imageMIME returns the MIME type of an image format, which OpenAI names by
// its file ending.
func imageMIME(format string) string {
	if format == "" {
		return "image/png"
	}
	return "image/" + strings.ReplaceAll(format, "jpg", "jpeg")
}

// mediaLists are the members under which providers list what was produced.
var mediaLists = []string{
	"data", "images", "videos", "generated_images", "generated_videos", "unsigned_urls", "urls", "output", "audio",
}

// producedMedia gathers all media of a response. Long operations have them
// one level down.
func producedMedia(response jsontree.Value, mime string) (message, bool) {
	reply := say(roleAssistant)
	for _, v := range []jsontree.Value{response, response.Get("response")} {
		for _, key := range mediaLists {
			addMedia(&reply, field(v, key), mime)
		}
		if reply.empty() && v.Kind() == jsontree.Object {
			addMedium(&reply, v, mime)
		}
		if !reply.empty() {
			break
		}
	}
	return reply, !reply.empty()
}

func addMedia(m *message, v jsontree.Value, mime string) {
	if v.Kind() != jsontree.Array {
		addMedium(m, v, mime)
		return
	}
	for _, element := range v.Elems() {
		addMedium(m, element, mime)
	}
}

// addMedium adds one picture, film or sound: an address, its bytes in base64,
// or an object with either.
func addMedium(m *message, v jsontree.Value, mime string) {
	if data := v.Str(); data != "" {
		m.add(outputMedia(dataURL(mime, data), mime, jsontree.Value{}))
		return
	}
	for _, key := range []string{"image", "video", "audio"} {
		if inner := v.Get(key); inner.Kind() == jsontree.Object {
			v = inner
			break
		}
	}
	if named := firstGiven(v, "mime_type", "media_type").Str(); named != "" {
		mime = named
	}
	for _, key := range mediumKeys {
		if data := field(v, key).Str(); data != "" {
			m.add(outputMedia(dataURL(mime, data), mime, v, append([]string{"mime_type", "media_type"}, mediumKeys...)...))
			return
		}
	}
}

// mediumKeys are the members that hold an address or bytes in base64.
var mediumKeys = []string{
	"url", "uri", "gcs_uri", "b64_json", "image_bytes", "video_bytes", "audio_bytes", "base64", "data", "content",
}
