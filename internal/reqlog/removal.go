package reqlog

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// PathSeparator is between the keys of nested metadata, as filters name them.
const PathSeparator = "."

// Without returns the annotation without what another one removes, and whether that
// differs from what there is.
func (a Annotation) Without(removal *Annotation) (left Annotation, changed bool) {
	left = a
	if members := removal.left(a.Metadata); !sameMembers(members, a.Metadata) {
		left.Metadata, changed = members, true
	}
	if a.Score != nil && slices.Contains(removal.RemovedScores, a.Score.Name) {
		left.Score, changed = nil, true
	}
	return left, changed
}

// Empty reports whether the annotation changes nothing.
func (a *Annotation) Empty() bool {
	return len(a.Metadata) == 0 && a.Score == nil && a.Prompt == nil && len(a.Variables) == 0 && a.GroupID == 0 && !a.Removes()
}

// RemoveFrom removes from a log what the annotation removes, and reports whether it
// had any of it.
func (a *Annotation) RemoveFrom(l *Log) (changed bool) {
	members, scores := l.Metadata, l.Scores
	a.remove(l)
	return len(l.Scores) != len(scores) || !sameMembers(l.Metadata, members)
}

// left returns the members that the annotation does not remove, with what is left of
// their values. It does not modify members.
func (a *Annotation) left(members []Member) []Member {
	left := make([]Member, 0, len(members))
	for _, m := range members {
		if slices.Contains(a.RemovedKeys, m.Key) {
			continue
		}
		keep := true
		for _, path := range a.RemovedPaths {
			if isUnder(m.Key, path) {
				keep = false
				break
			}
			if rest, ok := strings.CutPrefix(path, m.Key+PathSeparator); ok {
				m.Value = withoutPath(m.Value, rest)
			}
		}
		if keep {
			left = append(left, m)
		}
	}
	if len(left) == 0 {
		return nil
	}
	return left
}

// isUnder reports whether a key is the path, or below it.
func isUnder(key, path string) bool {
	rest, ok := strings.CutPrefix(key, path)
	return ok && (rest == "" || strings.HasPrefix(rest, PathSeparator))
}

// withoutPath returns a value without everything under a path in it. A value that has
// nothing there stays as it was written.
func withoutPath(value json.RawMessage, path string) json.RawMessage {
	tree, err := jsontree.Parse(value)
	if err != nil {
		return value
	}
	w := jsontree.NewWriter(nil)
	if !writeWithout(&w, tree, path) {
		return value
	}
	return w.Bytes()
}

// writeWithout writes a value without everything under a path in it, and reports
// whether there was anything. Its recursion is limited by the maximum depth of
// package jsontree.
func writeWithout(w *jsontree.Writer, v jsontree.Value, path string) (changed bool) {
	switch v.Kind() {
	case jsontree.Array:
		w.Array(func() {
			for _, element := range v.Elems() {
				changed = writeWithout(w, element, path) || changed
			}
		})
	case jsontree.Object:
		w.Object(func() { changed = writeMembersWithout(w, v, path) })
	default:
		w.Value(v)
	}
	return changed
}

func writeMembersWithout(w *jsontree.Writer, object jsontree.Value, path string) (changed bool) {
	for key, member := range object.Members() {
		if isUnder(key, path) {
			changed = true
			continue
		}
		if rest, ok := strings.CutPrefix(path, key+PathSeparator); ok {
			changed = writeWithout(w.KeyOf(member), member, rest) || changed
			continue
		}
		w.Member(member)
	}
	return changed
}

func sameMembers(a, b []Member) bool {
	return slices.EqualFunc(a, b, func(x, y Member) bool { return x.Key == y.Key && string(x.Value) == string(y.Value) })
}
