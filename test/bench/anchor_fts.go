package main

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"

	_ "modernc.org/sqlite" // the driver "sqlite", with FTS5

	"github.com/promptuary/promptuary/internal/reqlog"
)

// ftsAnchor is SQLite's bare full-text index in this process, filled in bulk
// and merged into one segment. Words are expanded to terms with a sorted list
// in memory, because the index cannot enumerate terms quickly.
type ftsAnchor struct {
	db     *sql.DB
	tx     *sql.Tx
	insert *sql.Stmt
	inTx   int
	known  map[string]struct{}
	terms  []string
}

const ftsSchema = `
PRAGMA page_size = 16384;
PRAGMA journal_mode = WAL;
PRAGMA synchronous = OFF;
PRAGMA cache_size = -262144;
CREATE VIRTUAL TABLE text USING fts5(
	body, content='', detail=none, contentless_delete=1, tokenize='unicode61 remove_diacritics 0'
);
INSERT INTO text(text, rank) VALUES ('pgsz', 16000);
INSERT INTO text(text, rank) VALUES ('hashsize', 67108864);
INSERT INTO text(text, rank) VALUES ('automerge', 16);
INSERT INTO text(text, rank) VALUES ('crisismerge', 64);`

func openFTS(path string) (*ftsAnchor, error) {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return nil, fmt.Errorf("open SQLite: %w", err)
	}
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(ftsSchema); err != nil {
		return nil, fmt.Errorf("create the text index: %w", err)
	}
	return &ftsAnchor{db: db, known: map[string]struct{}{}}, nil
}

// ftsTransaction is the number of logs per transaction.
const ftsTransaction = 20_000

func (a *ftsAnchor) add(l *reqlog.Log) (err error) {
	if a.tx == nil {
		if err := a.begin(); err != nil {
			return err
		}
	}
	terms := tokens(l)
	for _, term := range terms {
		if _, ok := a.known[term]; !ok {
			a.known[strings.Clone(term)] = struct{}{}
		}
	}
	if _, err := a.insert.Exec(l.ID, strings.Join(terms, " ")); err != nil {
		return fmt.Errorf("index a text: %w", err)
	}
	if a.inTx++; a.inTx >= ftsTransaction {
		return a.commit()
	}
	return nil
}

func (a *ftsAnchor) begin() (err error) {
	if a.tx, err = a.db.Begin(); err != nil {
		return fmt.Errorf("begin indexing: %w", err)
	}
	if a.insert, err = a.tx.Prepare("INSERT INTO text(rowid, body) VALUES (?, ?)"); err != nil {
		return fmt.Errorf("prepare indexing: %w", err)
	}
	return nil
}

func (a *ftsAnchor) commit() error {
	if a.tx == nil {
		return nil
	}
	err := a.tx.Commit()
	a.tx, a.inTx = nil, 0
	if err != nil {
		return fmt.Errorf("commit indexing: %w", err)
	}
	return nil
}

// finish merges the index into one segment and sorts the terms.
func (a *ftsAnchor) finish() error {
	if err := a.commit(); err != nil {
		return err
	}
	if _, err := a.db.Exec("INSERT INTO text(text) VALUES ('optimize')"); err != nil {
		return fmt.Errorf("merge the text index: %w", err)
	}
	a.terms = make([]string, 0, len(a.known))
	for term := range a.known {
		a.terms = append(a.terms, term)
	}
	a.known = nil
	slices.Sort(a.terms)
	return nil
}

func (a *ftsAnchor) close() error { return a.db.Close() }

// search counts the logs that contain every word of q and returns the ten
// newest.
func (a *ftsAnchor) search(q string) (total int64, ids []int64, err error) {
	match, ok := a.expression(q)
	if !ok {
		return 0, nil, nil
	}
	if err := a.db.QueryRow("SELECT count(*) FROM text WHERE text MATCH ?", match).Scan(&total); err != nil {
		return 0, nil, fmt.Errorf("count in the text index: %w", err)
	}
	ids, err = queryIDs(a.db, "SELECT rowid FROM text WHERE text MATCH ? ORDER BY rowid DESC LIMIT 10", match)
	return total, ids, err
}

// holds returns how many of the logs contain every word of q.
func (a *ftsAnchor) holds(q string, ids []int64) (n int, err error) {
	match, ok := a.expression(q)
	if !ok {
		return 0, nil
	}
	for _, id := range ids {
		var found int
		if err := a.db.QueryRow("SELECT count(*) FROM text WHERE text MATCH ? AND rowid = ?", match, id).Scan(&found); err != nil {
			return 0, fmt.Errorf("look a log up in the text index: %w", err)
		}
		n += found
	}
	return n, nil
}

// expression returns q as a query of the index; ok is false if nothing can
// match.
func (a *ftsAnchor) expression(q string) (match string, ok bool) {
	var groups []string
	for _, terms := range a.words(q) {
		if len(terms) == 0 {
			return "", false
		}
		groups = append(groups, `("`+strings.Join(terms, `" OR "`)+`")`)
	}
	return strings.Join(groups, " AND "), true
}

// words returns the terms that match each word of q.
func (a *ftsAnchor) words(q string) [][]string {
	var words [][]string
	for _, word := range strings.Fields(q) {
		words = append(words, a.expand(word))
	}
	return words
}

// expand returns the terms that match a word of a query: those with it as a
// prefix, and those that differ by typos.
func (a *ftsAnchor) expand(word string) []string {
	first := word[:1]
	from, _ := slices.BinarySearch(a.terms, first)
	to, _ := slices.BinarySearch(a.terms, first+"\xff")
	var found []string
	for _, term := range a.terms[from:to] {
		if strings.HasPrefix(term, word) || misspells(word, term) {
			found = append(found, term)
		}
	}
	return found
}

// misspells reports whether word is term or a prefix of term with a few typos.
func misspells(word, term string) bool {
	if strings.ContainsAny(word, "0123456789") || len(term) < len(word)-2 {
		return false
	}
	allowed := 0
	switch {
	case len(word) >= 6:
		allowed = 2
	case len(word) >= 3:
		allowed = 1
	}
	whole, beginning := distances(word, term)
	return whole <= allowed || (len(word) >= 5 && beginning <= 1)
}

// tooFar is more than the allowed number of typos.
const tooFar = 3

// distances returns the number of insertions, deletions, replacements and
// transpositions from word to term, and to the nearest prefix of term.
// Distances of tooFar or more may be returned as tooFar. It compares bytes,
// which is sufficient for the words of the benchmark.
func distances(word, term string) (whole, beginning int) {
	cut := term[:min(len(term), len(word)+tooFar)]
	var rows [3][64]int
	if len(cut) >= len(rows[0]) {
		return tooFar, tooFar
	}
	before, last, row := &rows[0], &rows[1], &rows[2]
	for j := range len(cut) + 1 {
		last[j] = j
	}
	for i := 1; i <= len(word); i++ {
		row[0] = i
		nearest := i
		for j := 1; j <= len(cut); j++ {
			change := last[j-1]
			if word[i-1] != cut[j-1] {
				change++
			}
			row[j] = min(change, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && word[i-1] == cut[j-2] && word[i-2] == cut[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			nearest = min(nearest, row[j])
		}
		if nearest >= tooFar {
			return tooFar, tooFar
		}
		before, last, row = last, row, before
	}
	whole = last[len(cut)] + len(term) - len(cut)
	return whole, slices.Min(last[:len(cut)+1])
}
