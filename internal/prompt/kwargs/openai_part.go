package kwargs

import "github.com/promptuary/promptuary/internal/jsontree"

// parts writes what a user says as a list of parts.
func (c *chat) parts(content jsontree.Value) {
	c.open('[')
	for it := range items(content) {
		if it.kind == "text" {
			c.open('{')
			c.str("type", "text")
			c.member("text", it.text)
			c.endPart(it.v)
			continue
		}
		if f, ok := fileOf(it); ok {
			c.file(&f)
		}
	}
	c.close(']')
}

func (c *chat) endPart(v jsontree.Value) {
	if c.dialect.cacheControl {
		c.keep(v, "cache_control")
	}
	c.close('}')
}

// file writes a file as a part. Sound goes only as data in the two formats
// that are taken, other files only as data unless the dialect fetches them.
func (c *chat) file(f *file) {
	sound := f.soundFormat()
	switch {
	case f.kind() == "image":
		c.image(f)
	case f.kind() == "audio":
		if f.data != "" && sound != "" {
			c.sound(f, sound)
		}
	case f.kind() == "video":
		if c.dialect.video {
			c.video(f)
		}
	case c.dialect.documents == documentURL:
		c.open('{')
		c.str("type", "document_url")
		c.key("document_url")
		f.address(c.builder)
		c.endPart(f.v)
	case f.data != "" || c.dialect.documents == fileDataOrURL:
		c.document(f)
	}
}

func (c *chat) image(f *file) {
	c.open('{')
	c.str("type", "image_url")
	c.key("image_url")
	c.open('{')
	c.key("url")
	f.address(c.builder)
	c.given("detail", f.detail)
	c.close('}')
	c.endPart(f.v)
}

func (c *chat) sound(f *file, format string) {
	c.open('{')
	c.str("type", "input_audio")
	c.key("input_audio")
	c.open('{')
	c.str("data", f.data)
	c.str("format", format)
	c.close('}')
	c.endPart(f.v)
}

func (c *chat) video(f *file) {
	c.open('{')
	c.str("type", "video_url")
	c.key("video_url")
	c.open('{')
	c.key("url")
	f.address(c.builder)
	c.close('}')
	c.endPart(f.v)
}

func (c *chat) document(f *file) {
	c.open('{')
	c.str("type", "file")
	c.key("file")
	c.open('{')
	c.str("filename", f.name())
	c.key("file_data")
	f.address(c.builder)
	c.close('}')
	c.endPart(f.v)
}

// soundFormat returns OpenAI's word for a format of sound, "" for those that
// are not taken.
func (f *file) soundFormat() string {
	switch f.subtype() {
	case "mpeg", "mp3":
		return "mp3"
	case "wav", "x-wav", "wave":
		return "wav"
	default:
		return ""
	}
}

// openAITool writes a built-in tool of OpenAI's.
func (b *builder) openAITool(t *tool) {
	switch t.word {
	case "web_search", "file_search", "image_generation", "mcp", "shell", "apply_patch":
		b.configured(t, t.word, "")
	case "code_interpreter":
		b.open('{')
		b.str("type", "code_interpreter")
		b.rest(t.config, "type")
		if !t.config.Get("container").Given() {
			b.key("container")
			b.raw([]byte(`{"type":"auto"}`))
		}
		b.close('}')
	default:
		b.asConfig(t)
	}
}

// writePrompt writes the arguments of the interfaces that take one text.
func writePrompt(b *builder) {
	if b.derive("prompt") {
		b.allText()
	}
	b.finish()
}

// writeSpeech writes the arguments of an interface that reads a text aloud.
func writeSpeech(b *builder) {
	if b.derive("input") {
		b.allText()
	}
	b.finish()
}

// allText writes every text of the template as one string, a message a line.
func (b *builder) allText() {
	b.separate()
	b.buf = append(b.buf, '"')
	first := true
	for m := range b.messages() {
		if m.role == rolePlaceholder {
			continue
		}
		if !first {
			b.buf = append(b.buf, `\n`...)
		}
		first = false
		for it := range items(m.content) {
			if it.kind == "text" {
				b.inner(it.text)
			}
		}
	}
	b.buf = append(b.buf, '"')
}
