package kwargs

import (
	"encoding/base64"
	"net/url"
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// file is an image or another file in a message: its bytes in base64, or the
// address where it is.
type file struct {
	mime, title string
	data, url   string
	detail      jsontree.Value
	v           jsontree.Value
}

// fileOf reads an item that holds a file. It reports false for other items
// and for those whose file is not there, such as a variable without a value.
func fileOf(it item) (file, bool) {
	f := file{v: it.v}
	switch it.kind {
	case "image_url":
		image := it.v.Get("image_url")
		f.detail = image.Get("detail")
		address := image.Get("url")
		if image.Kind() == jsontree.String {
			address = image
		}
		f.resolve(address.Str(), "", "image/jpeg")
	case "media":
		media := it.v.Get("media")
		f.title, f.mime = media.Get("title").Str(), media.Get("type").Str()
		f.resolve(media.Get("url").Str(), media.Get("format").Str(), "image/jpeg")
	case "output_media":
		f.mime = it.v.Get("mime_type").Str()
		f.resolve(it.v.Get("url").Str(), "", "image/png")
	default:
		return file{}, false
	}
	return f, f.data != "" || f.url != ""
}

// resolve finds out what an address is: data that carries its own type, data
// in base64, or an address.
func (f *file) resolve(address, format, mime string) {
	switch {
	case strings.HasPrefix(address, "data:"):
		f.readDataURL(address)
	case format == "base64", format != "url" && isBase64(address):
		f.data = address
		if f.mime == "" {
			f.mime = sniff(address)
		}
	default:
		f.url = address
		if f.mime == "" {
			f.mime = mimeByEnding(address)
		}
	}
	if f.mime == "" {
		f.mime = mime
	}
	if f.mime == "image/jpg" {
		f.mime = "image/jpeg"
	}
	if strings.ContainsAny(f.data, "-_") {
		f.data = commonAlphabet.Replace(f.data)
	}
}

// commonAlphabet turns base64 in its URL-safe alphabet into the common one,
// the only one that all providers read.
var commonAlphabet = strings.NewReplacer("-", "+", "_", "/")

func (f *file) readDataURL(address string) {
	head, data, found := strings.Cut(strings.TrimPrefix(address, "data:"), ",")
	if !found {
		return
	}
	mime, options, _ := strings.Cut(head, ";")
	if mime != "" {
		f.mime = mime
	}
	if options == "base64" || strings.HasSuffix(options, ";base64") {
		f.data = data
		return
	}
	if text, err := url.PathUnescape(data); err == nil {
		f.data = base64.StdEncoding.EncodeToString([]byte(text))
	}
}

// isBase64 reports whether a text can only be data. Short words and whatever
// holds a character that base64 lacks are taken for an address.
func isBase64(text string) bool {
	const shortest = 16
	if len(text) < shortest {
		return false
	}
	for i := range len(text) {
		c := text[i]
		letter := 'a' <= c|0x20 && c|0x20 <= 'z'
		digit := '0' <= c && c <= '9'
		if !letter && !digit && strings.IndexByte("+/=-_", c) < 0 {
			return false
		}
	}
	return true
}

// signatures are how files of these types begin in base64.
var signatures = []struct{ prefix, mime string }{
	{"iVBORw0KGgo", "image/png"}, {"/9j/", "image/jpeg"}, {"R0lGOD", "image/gif"},
	{"UklGR", "image/webp"}, {"JVBERi0", "application/pdf"},
}

func sniff(data string) string {
	for _, s := range signatures {
		if strings.HasPrefix(data, s.prefix) {
			return s.mime
		}
	}
	return ""
}

var endings = map[string]string{
	"png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
	"pdf": "application/pdf", "txt": "text/plain", "md": "text/markdown", "csv": "text/csv", "html": "text/html",
	"mp3": "audio/mpeg", "wav": "audio/wav", "mp4": "video/mp4", "mov": "video/mov", "webm": "video/webm",
}

// mimeByEnding returns the type that an address ends in, "" if it names none.
func mimeByEnding(address string) string {
	address, _, _ = strings.Cut(address, "?")
	dot := strings.LastIndexByte(address, '.')
	return endings[strings.ToLower(address[dot+1:])]
}

// kind returns the first half of the file's type: image, audio, text …
func (f *file) kind() string {
	kind, _, _ := strings.Cut(f.mime, "/")
	return kind
}

// subtype returns the second half of the file's type, without parameters.
func (f *file) subtype() string {
	_, subtype, _ := strings.Cut(f.mime, "/")
	subtype, _, _ = strings.Cut(subtype, ";")
	return subtype
}

// address writes where the file is; data becomes an address of its own.
func (f *file) address(b *builder) {
	if f.url != "" {
		b.quoted(f.url)
		return
	}
	b.quoted("data:" + f.mime + ";base64," + f.data)
}

// name returns the file's title, or a word where one is demanded.
func (f *file) name() string {
	if f.title == "" {
		return "media"
	}
	return f.title
}
