package reqlog

import (
	"encoding/json"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
)

// membersOf returns the members of an object.
func membersOf(pairs ...string) (members []Member) {
	for i := 0; i < len(pairs); i += 2 {
		members = append(members, Member{Key: pairs[i], Value: json.RawMessage(pairs[i+1])})
	}
	return members
}

func TestRemovedPaths(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		members []Member
		path    string
		want    []Member
	}{
		"a key":                                 {membersOf("a", "1", "b", "2"), "a", membersOf("b", "2")},
		"no key":                                {membersOf("a", "1"), "b", membersOf("a", "1")},
		"all keys":                              {membersOf("a", "1"), "a", nil},
		"a key that begins the same":            {membersOf("user", "1", "username", "2"), "user", membersOf("username", "2")},
		"a key with a dot":                      {membersOf("a.b", "1", "a", `{"b":2,"c":3}`), "a.b", membersOf("a", `{"c":3}`)},
		"everything below":                      {membersOf("a.b", "1", "a", `{"b":2}`), "a", nil},
		"an object stays, if it is empty":       {membersOf("a", `{"b":1}`), "a.b", membersOf("a", `{}`)},
		"what has nothing there stays as it is": {membersOf("a", `{ "b" : 1 }`), "a.c", membersOf("a", `{ "b" : 1 }`)},
		"lists":                                 {membersOf("a", `[{"b":1,"c":"<"},[{"b":2}],3]`), "a.b", membersOf("a", `[{"c":"<"},[{}],3]`)},
		"several with the same name":            {membersOf("a", `{"b":1,"b":2,"c":3}`), "a.b", membersOf("a", `{"c":3}`)},
		"keys with dots within":                 {membersOf("a", `{"b.c":1,"b":{"c":2,"cc":3},"b.c.d":4}`), "a.b.c", membersOf("a", `{"b":{"cc":3}}`)},
		"a key within objects":                  {membersOf("a", `{"b":{"c":1,"d":2}}`), "a.b.c", membersOf("a", `{"b":{"d":2}}`)},
		"a text is no object":                   {membersOf("a", `"{\"b\":1}"`), "a.b", membersOf("a", `"{\"b\":1}"`)},
		"another case":                          {membersOf("A", "1"), "a", membersOf("A", "1")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := &Log{Notes: Notes{Metadata: tt.members}}
			removal := Annotation{RemovedPaths: []string{tt.path}}
			before := string(mustJSON(t, tt.members))
			check.Equal(t, "changed", removal.RemoveFrom(l), !sameMembers(tt.want, tt.members))
			check.Equal(t, "metadata", l.Metadata, tt.want)
			check.Equal(t, "derived", l.Index.Metadata, FlattenMembers(tt.want))
			check.Equal(t, "what readers may share", string(mustJSON(t, tt.members)), before)
			check.Equal(t, "it is changed again", removal.RemoveFrom(l), false)
			left, changed := (Annotation{Metadata: tt.members}).Without(&removal)
			check.Equal(t, "annotation", left.Metadata, tt.want)
			check.Equal(t, "changed annotation", changed, !sameMembers(tt.want, tt.members))
			check.Equal(t, "empty annotation", left.Empty(), len(tt.want) == 0)
			for _, pair := range l.Index.Metadata {
				if isUnder(pair.Key, tt.path) {
					t.Errorf("%s is left", pair.Key)
				}
			}
		})
	}
}

func mustJSON(t *testing.T, value any) []byte {
	t.Helper()
	return check.Must(json.Marshal(value))(t)
}

func TestRemovedScores(t *testing.T) {
	t.Parallel()
	l := &Log{Notes: Notes{Scores: []Score{{"default", 5}, {"tone", 6}}, Score: 5}}
	removal := Annotation{RemovedScores: []string{DefaultScore, "unknown"}}
	check.Equal(t, "changed", removal.RemoveFrom(l), true)
	check.Equal(t, "scores", l.Notes, Notes{Scores: []Score{{"tone", 6}}})
	check.Equal(t, "it is changed again", removal.RemoveFrom(l), false)
	left, changed := (Annotation{Score: &Score{DefaultScore, 1}}).Without(&removal)
	check.Equal(t, "annotation", []bool{changed, left.Empty()}, []bool{true, true})
	_, changed = (Annotation{Score: &Score{"tone", 1}}).Without(&removal)
	check.Equal(t, "another annotation", changed, false)
}
