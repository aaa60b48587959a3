package template

import (
	"cmp"
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// writeList appends one item for each image or file of a variable.
func (r *renderer) writeList(item jsontree.Value) bool {
	name, ok := listVariable(item)
	if !ok {
		return false
	}
	value, _ := r.values.Get(name)
	start := len(r.text)
	switch value.Kind() {
	case jsontree.String:
		r.appendRepeated(item, value, start)
	case jsontree.Array:
		for _, element := range value.Elems() {
			r.appendRepeated(item, element, start)
		}
	default:
		r.miss(name)
	}
	return true
}

// appendRepeated appends the item for one value, unless it is empty or not a
// string. The list starts at start.
func (r *renderer) appendRepeated(item, source jsontree.Value, start int) {
	if source.Kind() != jsontree.String || len(source.Raw()) == len(`""`) || !r.hasRoom() {
		return
	}
	if len(r.text) > start {
		r.text = append(r.text, ',')
	}
	if item.Get("type").Is("image_url") {
		r.text = appendImage(r.text, item, source)
	} else {
		r.text = appendMedia(r.text, item, source)
	}
}

// appendImage appends the item with the image instead of the variable.
func appendImage(dst []byte, item, source jsontree.Value) []byte {
	url := source.Raw()
	if text := source.Str(); !isURL(text) {
		url = jsontree.AppendQuoted(nil, dataScheme+cmp.Or(mimeType(text), "image/jpeg")+";base64,"+text)
	}
	return appendObject(dst, item, []field{
		{"type", []byte(`"image_url"`)},
		{"image_url", appendObject(nil, item.Get("image_url"), []field{{"url", url}})},
		{"image_variable", nil},
	})
}

// appendMedia appends the item with the file instead of the variable.
func appendMedia(dst []byte, item, source jsontree.Value) []byte {
	text := source.Str()
	format := "base64"
	if isURL(text) && !strings.HasPrefix(text, dataScheme) {
		format = "url"
	}
	w := jsontree.NewWriter(nil)
	w.Object(func() {
		w.Key("title").String("media")
		if mime := mimeType(text); mime != "" {
			w.Key("type").String(mime)
		}
		w.Key("url").Value(source)
		w.Key("format").String(format)
	})
	return appendObject(dst, item, []field{{"type", []byte(`"media"`)}, {"media", w.Bytes()}, {"name", nil}})
}

const dataScheme = "data:"

// isURL distinguishes URLs from base64, which has no colon.
func isURL(text string) bool {
	return strings.HasPrefix(text, dataScheme) || strings.Contains(text[:min(len(text), 32)], ":")
}

// mimeTypes are the MIME types by the base64 prefix of such files.
var mimeTypes = []struct{ prefix, mime string }{
	{"iVBORw0KGgo", "image/png"},
	{"/9j/", "image/jpeg"},
	{"R0lGOD", "image/gif"},
	{"UklGR", "image/webp"},
	{"JVBERi0", "application/pdf"},
}

// mimeType returns the likely MIME type of a file, or "".
func mimeType(text string) string {
	if rest, ok := strings.CutPrefix(text, dataScheme); ok {
		mime, _, _ := strings.Cut(rest[:min(len(rest), 128)], ",")
		if mime, _, _ = strings.Cut(mime, ";"); strings.Contains(mime, "/") {
			return mime
		}
	}
	for _, known := range mimeTypes {
		if strings.HasPrefix(text, known.prefix) {
			return known.mime
		}
	}
	return ""
}
