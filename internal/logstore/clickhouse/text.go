package clickhouse

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/logstore/logsql"
	"github.com/promptuary/promptuary/internal/logstore/words"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// freeText is what the free text of a query stands for.
type freeText struct {
	// literal is a text without words, which is searched for as it is.
	literal string
	words   []foundWord
}

// foundWord has the terms that a word of the query matches, and of these the ones
// that it matches exactly.
type foundWord struct {
	all, exact []string
}

func (t *freeText) none() bool { return t.literal == "" && len(t.words) == 0 }

// ranked reports whether some of the logs may match better than others: those that
// have all words exactly.
func (t *freeText) ranked() bool {
	return slices.ContainsFunc(t.words, func(w foundWord) bool { return len(w.exact) < len(w.all) }) &&
		!slices.ContainsFunc(t.words, func(w foundWord) bool { return len(w.exact) == 0 })
}

// best returns the function that chooses the terms of the logs that come first.
func (t *freeText) best() func(*foundWord) []string {
	if t.ranked() {
		return exactTerms
	}
	return allTerms
}

func allTerms(w *foundWord) []string   { return w.all }
func exactTerms(w *foundWord) []string { return w.exact }

// matches writes the condition that a log of the workspace matches the text.
func (t *freeText) matches(q *sqlQuery, workspace int64) string {
	if t.literal != "" {
		value := q.bind(strings.ToLower(t.literal))
		return "(position(input_text, " + value + ") > 0 OR position(output_text, " + value + ") > 0)"
	}
	return t.each(q, workspace, allTerms)
}

// exactly writes the condition that a log has all words as they were typed.
func (t *freeText) exactly(q *sqlQuery, workspace int64) string {
	return t.each(q, workspace, exactTerms)
}

func (t *freeText) each(q *sqlQuery, workspace int64, of func(*foundWord) []string) string {
	from := t.from(q, workspace, of)
	if from == "" {
		return "FALSE"
	}
	return "(NOT texts_deleted AND id IN (SELECT id" + from + withoutUpdates + "))"
}

// from writes where a query reads the logs that have one of the terms of each word
// from the index, "" if there are none. Words never change, and ClickHouse reads rows
// from the index only if it need not apply updates to them. It must end with
// withoutUpdates, and also reads deleted logs then.
func (t *freeText) from(q *sqlQuery, workspace int64, of func(*foundWord) []string) string {
	parts := make([]string, len(t.words))
	for i := range t.words {
		terms := of(&t.words[i])
		if len(terms) == 0 {
			return ""
		}
		parts[i] = "hasAny(words, " + q.bindTexts(terms) + ")"
	}
	return " FROM log WHERE workspace = " + q.bindInt(workspace) + " AND " + logsql.Join(false, parts)
}

const withoutUpdates = " SETTINGS apply_patch_parts = 0"

// selection resolves the free text of a query.
func (s *Store) selection(ctx context.Context, query query.Query) (*selection, error) {
	sel := &selection{Query: query}
	if strings.TrimSpace(query.Text) == "" {
		return sel, nil
	}
	matchers := words.Matchers(query.Text)
	if len(matchers) == 0 {
		sel.text.literal = query.Text
		return sel, nil
	}
	sel.text.words = make([]foundWord, len(matchers))
	err := s.read(ctx, termQuery(matchers), func(rows *rowReader) error {
		var term string
		if err := rows.scan(&term); err != nil {
			return err
		}
		for i, m := range matchers {
			matches, exactly := m.Match(term)
			if matches {
				sel.text.words[i].all = append(sel.text.words[i].all, term)
			}
			if exactly {
				sel.text.words[i].exact = append(sel.text.words[i].exact, term)
			}
		}
		return nil
	})
	if err != nil {
		return nil, s.explain(fmt.Errorf("find words: %w", err))
	}
	return sel, nil
}

// termQuery reads the terms that the words of a query may match.
func termQuery(matchers []*words.Matcher) *sqlQuery {
	q := newQuery("SELECT DISTINCT term FROM term WHERE ")
	starts := map[string]bool{}
	var conds []string
	for _, m := range matchers {
		if start := m.Start(); !starts[start] {
			starts[start] = true
			conds = append(conds, "startsWith(term, "+q.bind(start)+")")
		}
	}
	q.write(logsql.Join(true, conds))
	return q
}

// termSet remembers which terms are in the table, so that most commits insert
// none.
type termSet map[string]struct{}

// maxTerms is the number of terms that a termSet remembers.
const maxTerms = 500_000

// insertTerms inserts the words that may be new. They come before the logs: a
// word of no log is harmless.
func (c *commit) insertTerms(ctx context.Context) error {
	var b block
	var added []string
	for _, r := range c.rows {
		for _, word := range r.words {
			if _, known := c.terms[word]; !known {
				added = append(added, word)
			}
		}
	}
	if len(c.terms)+len(added) > maxTerms || c.terms == nil {
		c.terms = termSet{}
	}
	fresh := termSet{}
	for _, word := range added {
		if _, twice := fresh[word]; !twice {
			fresh[word] = struct{}{}
			b.text(word)
			b.rows++
		}
	}
	if err := c.insert(ctx, "terms", insertInto("term", []string{"term"}), &b); err != nil {
		return err
	}
	for word := range fresh {
		c.terms[word] = struct{}{}
	}
	return nil
}
