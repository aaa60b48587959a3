package api_test

import (
	"regexp"
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// some renders the selected members, each on its own line.
func (s *script) some(answer jsontree.Value, paths []string) string {
	var lines []string
	for _, path := range paths {
		values := []jsontree.Value{answer}
		key, list := "", false
		for key = range strings.SplitSeq(path, ".") {
			var inner []jsontree.Value
			for _, v := range values {
				if v.Kind() != jsontree.Array {
					inner = append(inner, v.Get(key))
					continue
				}
				list = true
				for _, element := range v.Elems() {
					inner = append(inner, element.Get(key))
				}
			}
			values = inner
		}
		var texts []string
		for _, v := range values {
			texts = append(texts, s.render(v, key, "", len(path)+4))
		}
		text := strings.Join(texts, ", ")
		if list {
			text = "[" + text + "]"
		}
		lines = append(lines, path+": "+text)
	}
	return strings.Join(lines, "\n")
}

var idKeys = []string{
	"id", "request_id", "group_id", "prompt_id", "prompt_version_id", "prompt_registry_id", "release_label_id",
}

// freshID matches ids that differ from run to run.
var freshID = regexp.MustCompile(`^"[0-9a-f]{32}"$`)

// render formats a value for reading: on one line if it fits, with saved ids
// replaced by their names, and everything else byte for byte.
func (s *script) render(v jsontree.Value, key, indent string, room int) string {
	short := s.line(v, key)
	if len(indent)+room+len(short) <= 110 || v.Len() == 0 {
		return short
	}
	deeper := indent + "  "
	var lines []string
	closing := "]"
	if v.Kind() == jsontree.Object {
		closing = "}"
		for name, member := range v.Members() {
			head := string(member.RawKey()) + ": "
			lines = append(lines, deeper+head+s.render(member, name, deeper, len(head)))
		}
	} else {
		for _, element := range v.Elems() {
			lines = append(lines, deeper+s.render(element, key, deeper, 0))
		}
	}
	return short[:1] + "\n" + strings.Join(lines, ",\n") + "\n" + indent + closing
}

func (s *script) line(v jsontree.Value, key string) string {
	var parts []string
	switch v.Kind() {
	case jsontree.Object:
		for name, member := range v.Members() {
			parts = append(parts, string(member.RawKey())+": "+s.line(member, name))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case jsontree.Array:
		for _, element := range v.Elems() {
			parts = append(parts, s.line(element, key))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	if n, ok := v.Int(); ok && slices.Contains(idKeys, key) {
		for name, id := range s.saved {
			if id == n {
				return `"$` + name + `"`
			}
		}
	}
	if v.Kind() == jsontree.Absent {
		return "absent"
	}
	if key == "request_id" && freshID.Match(v.Raw()) {
		return `"$fresh"`
	}
	return string(v.Raw())
}
