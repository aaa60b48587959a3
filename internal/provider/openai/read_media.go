package openai

import (
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
)

// completionInput reads the arguments of text completions.
func completionInput(r *provider.Reading) (provider.Blueprint, bool) {
	prompt := r.Peek("prompt")
	if !prompt.Given() {
		return provider.Blueprint{}, false
	}
	return provider.Blueprint{Completion: true, Content: promptBlocks(prompt)}, true
}

// promptBlocks returns one text block for each text of a prompt. A prompt of
// token numbers is kept as is.
func promptBlocks(prompt jsontree.Value) provider.List {
	if prompt.Kind() != jsontree.Array || provider.First(prompt).Kind() == jsontree.Number {
		return provider.List{provider.PlainText(prompt)}
	}
	var blocks provider.List
	for part := range provider.GivenElems(prompt) {
		blocks.Add(Part(part))
	}
	return blocks
}

// completionOutput reads the first choice of a text completion.
func completionOutput(x provider.Exchange) (provider.Turn, bool) {
	choice := provider.First(x.Response.Get("choices"))
	for _, text := range []jsontree.Value{choice.Get("text"), x.Response.Get("completion")} {
		if text.Kind() == jsontree.String {
			return provider.Say(provider.RoleAssistant, provider.PlainText(text)), true
		}
	}
	return provider.Turn{}, false
}

// mediaInput reads the arguments of the APIs that generate images, videos or
// speech. In speech APIs, the text is named input.
func mediaInput(r *provider.Reading) (provider.Blueprint, bool) {
	for _, key := range []string{"prompt", "input", "text"} {
		if v := r.Peek(key); v.Given() {
			r.Lift(key)
			return provider.Blueprint{Completion: true, Content: promptBlocks(v)}, true
		}
	}
	return provider.Blueprint{}, false
}

func imageOutput(x provider.Exchange) (provider.Turn, bool) {
	return generated(x.Response, imageMIME(mediaFormat(x, "output_format")))
}

func videoOutput(x provider.Exchange) (provider.Turn, bool) {
	return generated(x.Response, "video/mp4")
}

func speechOutput(x provider.Exchange) (provider.Turn, bool) {
	return generated(x.Response, audioMIME(mediaFormat(x, "response_format")))
}

// mediaFormat returns the generated or requested format.
func mediaFormat(x provider.Exchange, key string) string {
	if format := provider.FirstGiven(x.Response, key, "format").Str(); format != "" {
		return format
	}
	return provider.Field(x.Kwargs, key).Str()
}

// imageMIME returns the MIME type of an image format, which OpenAI names by its
// file extension.
func imageMIME(format string) string {
	if format == "" {
		return "image/png"
	}
	return "image/" + strings.ReplaceAll(format, "jpg", "jpeg")
}

// isImageAnswer reports whether the answer is a list of images.
func isImageAnswer(x provider.Exchange) bool {
	return provider.FirstGiven(provider.First(x.Response.Get("data")), "url", "b64_json").Given()
}

// mediaLists are the members with lists of generated media.
var mediaLists = []string{
	"data", "images", "videos", "generated_images", "generated_videos", "unsigned_urls", "urls", "output", "audio",
}

// generated collects all media of a response. Long-running operations nest them
// one level deeper.
func generated(response jsontree.Value, mime string) (provider.Turn, bool) {
	reply := provider.Say(provider.RoleAssistant)
	for _, v := range []jsontree.Value{response, response.Get("response")} {
		for _, key := range mediaLists {
			list := provider.Field(v, key)
			if list.Kind() != jsontree.Array {
				addMedium(&reply, list, mime)
			}
			for _, element := range list.Elems() {
				addMedium(&reply, element, mime)
			}
		}
		if reply.Empty() && v.Kind() == jsontree.Object {
			addMedium(&reply, v, mime)
		}
		if !reply.Empty() {
			break
		}
	}
	return reply, !reply.Empty()
}

// mediumMembers are the members with a URL or base64 data.
var mediumMembers = []string{
	"url", "uri", "gcs_uri", "b64_json", "image_bytes", "video_bytes", "audio_bytes", "base64", "data", "content",
}

// addMedium adds an image, video or sound: a URL, base64 data, or an object
// with either.
func addMedium(t *provider.Turn, v jsontree.Value, mime string) {
	if data := v.Str(); data != "" {
		t.Add(provider.OutputMedia(provider.DataURL(mime, data), mime, jsontree.Value{}))
		return
	}
	for _, key := range []string{"image", "video", "audio"} {
		if inner := v.Get(key); inner.Kind() == jsontree.Object {
			v = inner
			break
		}
	}
	if named := provider.FirstGiven(v, "mime_type", "media_type").Str(); named != "" {
		mime = named
	}
	for _, key := range mediumMembers {
		if data := provider.Field(v, key).Str(); data != "" {
			known := append([]string{"mime_type", "media_type"}, mediumMembers...)
			t.Add(provider.OutputMedia(provider.DataURL(mime, data), mime, v, known...))
			return
		}
	}
}
