package source

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// body is the body of a logging call that is being written.
type body struct {
	members  []member
	metadata []member
}

type member struct {
	name string
	json []byte
}

// raw sets a member to a JSON text; an empty one sets nothing.
func (b *body) raw(name string, json []byte) {
	if len(json) > 0 {
		b.members = append(b.members, member{name, json})
	}
}

// value sets a member to a value that is given.
func (b *body) value(name string, v jsontree.Value) {
	if v.Given() {
		b.raw(name, v.Raw())
	}
}

// text sets a member to a string that is not empty.
func (b *body) text(name, text string) {
	if text != "" {
		b.raw(name, quoted(text))
	}
}

func (b *body) has(name string) bool {
	return slices.ContainsFunc(b.members, func(m member) bool { return m.name == name })
}

// addMetadata adds a key of the metadata.
func (b *body) addMetadata(key string, json []byte) {
	if len(json) > 0 {
		b.metadata = append(b.metadata, member{key, json})
	}
}

// addMetadataOf adds the members of an object, or of the objects in a list.
func (b *body) addMetadataOf(v jsontree.Value) {
	for _, one := range v.Elems() {
		b.addMetadataOf(one)
	}
	for key, value := range v.Members() {
		b.addMetadata(key, value.Raw())
	}
}

// errorMessage sets the message of an error, which may be too long for a log.
func (b *body) errorMessage(message string) {
	const most = 1024
	if utf8.RuneCountInString(message) > most {
		message = string([]rune(message)[:most-1]) + "…"
	}
	b.text("error_message", message)
}

// bytes returns the body, with the default values of fields that it lacks.
func (b *body) bytes(defaults map[string]string) []byte {
	for _, name := range sortedKeys(defaults) {
		if key, ok := strings.CutPrefix(name, metadataPrefix); ok {
			if !slices.ContainsFunc(b.metadata, func(m member) bool { return m.name == key }) {
				b.addMetadata(key, quoted(defaults[name]))
			}
			continue
		}
		if field := fieldNamed(name); !b.has(field.member) {
			// A default that does not fit is a value that the checks refuse.
			if err := field.set(b, defaults[name]); err != nil {
				b.text(field.member, defaults[name])
			}
		}
	}
	w := jsontree.NewWriter(nil)
	w.Object(func() {
		for _, m := range b.members {
			w.Key(m.name).Raw(m.json)
		}
		if len(b.metadata) > 0 {
			w.Key("metadata").Object(func() {
				for _, m := range b.metadata {
					w.Key(m.name).Raw(m.json)
				}
			})
		}
	})
	return w.Bytes()
}

func quoted(text string) []byte { return jsontree.AppendQuoted(nil, text) }

func sortedKeys(of map[string]string) []string {
	keys := make([]string, 0, len(of))
	for key := range of {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

func join[S ~string](words []S) string {
	texts := make([]string, len(words))
	for i, word := range words {
		texts[i] = string(word)
	}
	return strings.Join(texts, ", ")
}

// first returns the first member of a row that is given.
func first(row jsontree.Value, names ...string) jsontree.Value {
	for _, name := range names {
		if v := row.Get(name); v.Given() {
			return v
		}
	}
	return jsontree.Value{}
}

// plain returns the text of a string or a number.
func plain(v jsontree.Value) string {
	if v.Kind() == jsontree.Number {
		return string(v.Raw())
	}
	return v.Str()
}
