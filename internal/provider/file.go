package provider

import (
	"encoding/base64"
	"net/url"
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// File is an image or another file in a message: its bytes in base64, or its
// URL.
type File struct {
	MIME, Title string
	Data, URL   string
	Detail      jsontree.Value
	V           jsontree.Value
}

// FileOf reads an item with a file. It returns false for other items and for
// items without a file, such as a variable without a value.
func FileOf(it Item) (File, bool) {
	f := File{V: it.V}
	switch it.Kind {
	case "image_url":
		image := it.V.Get("image_url")
		f.Detail = image.Get("detail")
		address := image.Get("url")
		if image.Kind() == jsontree.String {
			address = image
		}
		f.resolve(address.Str(), "", "image/jpeg")
	case "media":
		media := it.V.Get("media")
		f.Title, f.MIME = media.Get("title").Str(), media.Get("type").Str()
		f.resolve(media.Get("url").Str(), media.Get("format").Str(), "image/jpeg")
	case "output_media":
		f.MIME = it.V.Get("mime_type").Str()
		f.resolve(it.V.Get("url").Str(), "", "image/png")
	default:
		return File{}, false
	}
	return f, f.Data != "" || f.URL != ""
}

// Parts returns the parts of a content that are texts or files. Either function
// may return nil to omit a part.
type Parts struct {
	Text func(Item) JSON
	File func(*File) JSON
}

// Part returns an item as a part, nil if it is neither a text nor a file.
func (p Parts) Part(it Item) JSON {
	if it.IsText() {
		return p.Text(it)
	}
	if f, ok := FileOf(it); ok {
		return p.File(&f)
	}
	return nil
}

// List returns the parts of a content.
func (p Parts) List(content jsontree.Value) List {
	items := Items(content)
	list := make(List, 0, len(items))
	for _, it := range items {
		list.Add(p.Part(it))
	}
	return list
}

// resolve parses a data URL, base64 data, or any other URL. The MIME type is a
// fallback.
func (f *File) resolve(address, format, mime string) {
	switch {
	case strings.HasPrefix(address, "data:"):
		f.readDataURL(address)
	case format == FormatBase64, format != FormatURL && isBase64(address):
		f.Data = address
		if f.MIME == "" {
			f.MIME = sniff(address)
		}
	default:
		f.URL = address
		if f.MIME == "" {
			f.MIME = MIMEByEnding(address)
		}
	}
	if f.MIME == "" {
		f.MIME = mime
	}
	if f.MIME == "image/jpg" {
		f.MIME = "image/jpeg"
	}
	f.Data = standardBase64.Replace(f.Data)
}

// standardBase64 converts URL-safe base64 to standard base64, which data URLs
// require and all providers support.
var standardBase64 = strings.NewReplacer("-", "+", "_", "/")

func (f *File) readDataURL(address string) {
	head, data, found := strings.Cut(strings.TrimPrefix(address, "data:"), ",")
	if !found {
		return
	}
	mime, options, _ := strings.Cut(head, ";")
	if mime != "" {
		f.MIME = mime
	}
	if options == "base64" || strings.HasSuffix(options, ";base64") {
		f.Data = data
		return
	}
	if text, err := url.PathUnescape(data); err == nil {
		f.Data = base64.StdEncoding.EncodeToString([]byte(text))
	}
}

// isBase64 reports whether a text must be base64 data. Short words and texts
// with other characters are URLs.
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

// signatures are base64 prefixes of files.
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

// MIMEByEnding returns the MIME type for the extension of a URL, or "" if it is
// unknown.
func MIMEByEnding(address string) string {
	address, _, _ = strings.Cut(address, "?")
	dot := strings.LastIndexByte(address, '.')
	return endings[strings.ToLower(address[dot+1:])]
}

// Kind returns the first half of the file's MIME type: image, audio, text.
func (f *File) Kind() string {
	kind, _, _ := strings.Cut(f.MIME, "/")
	return kind
}

// Subtype returns the second half of the file's MIME type, without parameters.
func (f *File) Subtype() string {
	_, subtype, _ := strings.Cut(f.MIME, "/")
	subtype, _, _ = strings.Cut(subtype, ";")
	return subtype
}

// Address returns the URL of the file, a data URL if the file is data.
func (f *File) Address() string {
	if f.URL != "" {
		return f.URL
	}
	return DataURL(f.MIME, f.Data)
}

// Name returns the title of the file, or a default.
func (f *File) Name() string {
	if f.Title == "" {
		return "media"
	}
	return f.Title
}

// DataURL returns a data URL, or data itself if it is already a URL.
func DataURL(mime, data string) string {
	if strings.HasPrefix(data, "data:") || strings.Contains(data, "://") {
		return data
	}
	return "data:" + mime + ";base64," + standardBase64.Replace(data)
}

// DataMIME returns the MIME type of a data URL, "" for other URLs.
func DataMIME(address string) string {
	rest, isData := strings.CutPrefix(address, "data:")
	head, _, found := strings.Cut(rest, ",")
	if !isData || !found {
		return ""
	}
	mime, _, _ := strings.Cut(head, ";")
	return mime
}
