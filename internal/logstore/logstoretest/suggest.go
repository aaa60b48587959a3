package logstoretest

import (
	"fmt"
	"slices"

	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// suggestible are the fields whose values can be suggested.
var suggestible = slices.DeleteFunc(slices.Clone(fields), func(field query.Field) bool {
	if field.Spec().OfTrace {
		return true
	}
	switch field.Type() {
	case query.TypeString, query.TypeStatus, query.TypeIdentifier, query.TypeArray, query.TypeNested, query.TypeScore:
		return false
	}
	return true
})

// suggests checks that both stores suggest the same and returns what.
func (s *suite) suggests(q query.SuggestQuery) []string {
	s.t.Helper()
	want, err := s.want.Suggest(s.ctx, q)
	s.ok(err)
	got, err := s.Store.Suggest(s.ctx, q)
	if err != nil {
		s.t.Errorf("%+v: %v", q, err)
		return nil
	}
	s.equal(fmt.Sprintf("%+v", q), got, want, exact)
	return want
}

// keysToSuggest has a few keys of each nested field.
var keysToSuggest = map[query.Field][]string{
	query.FieldMetadata: {
		"user_id", "env", "n", "unique", "user.plan", "user.tags", "user.tags.id", "list", "aa", "new<", "odd", "nest.", "nest.'", "1:a", "%", "\x00", "😀", "nobody",
	},
	query.FieldOutput:    {"answer", "items.id", "none", "tool_calls.function.name", "tool_calls.function.arguments", "tool_calls.function.arguments.query"},
	query.FieldScores:    {"tone", reqlog.DefaultScore, "nobody"},
	query.FieldVariables: {"city", "deep.list", "unused", "late", "'", "\x00"},
}

// someKey is a key of a nested field, "" for other fields.
func someKey(field query.Field) string {
	if keys := keysToSuggest[field]; keys != nil {
		return keys[0]
	}
	return ""
}

func testSuggestions(s *suite) {
	for _, field := range suggestible {
		keys := keysToSuggest[field]
		if keys == nil {
			keys = []string{""}
		}
		some := false
		for _, key := range keys {
			q := query.SuggestQuery{Query: home(nil, ""), Field: field, Key: key, Limit: 1000}
			some = len(s.suggests(q)) > 0 || some
			q.Text = "refund"
			s.suggests(q)
			q.Filter, q.Text = query.Cond{Field: query.FieldStatus, Op: query.OpIs, Texts: []string{"ERROR"}}, ""
			s.suggests(q)
		}
		if !some {
			s.t.Errorf("nothing is suggested for %s: the test proves nothing", field)
		}
	}
}

func testSuggestionPrefixes(s *suite) {
	prefixes := []string{"p", "P", "PROD", "prod", "prode", "u", "%", "_", "'", "\\", "\x00", "4", "ü", "Ü", "😀", "i", "İ", "s", "ß", "ẞ", "σ", "Σ", "k", "\u212a", "\u10d0", "\uab70", "nobody"}
	for _, prefix := range prefixes {
		for _, field := range suggestible {
			s.suggests(query.SuggestQuery{Query: home(nil, ""), Field: field, Key: someKey(field), Prefix: prefix, Limit: 100})
		}
		s.suggests(query.SuggestQuery{Query: home(nil, ""), Field: query.FieldMetadata, Key: "odd", Prefix: prefix, Limit: 100})
	}
	for _, limit := range []int{1, 2, 5, 100} {
		s.suggests(query.SuggestQuery{Query: home(nil, ""), Field: query.FieldTags, Limit: limit})
		s.suggests(query.SuggestQuery{Query: home(nil, ""), Field: query.FieldID, Limit: limit})
		s.suggests(query.SuggestQuery{Query: home(nil, ""), Field: query.FieldMetadata, Key: "unique", Limit: limit})
	}
}
