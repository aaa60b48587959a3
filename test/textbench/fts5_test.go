package textbench

import (
	"database/sql"
	"strings"

	_ "modernc.org/sqlite" // the driver "sqlite", with FTS5

	"github.com/promptuary/promptuary/internal/logstore/words"
)

// fts5 is SQLite's full-text index. It cannot enumerate its terms quickly, so that
// words are expanded with lists in memory, by their first byte.
type fts5 struct {
	db    *sql.DB
	tx    *sql.Tx
	known map[string]struct{}
	terms [256][]string
}

const ftsSchema = `
PRAGMA page_size = 16384;
PRAGMA journal_mode = WAL;
PRAGMA cache_size = -262144;
CREATE VIRTUAL TABLE text USING fts5(
	body, content='', detail=none, contentless_delete=1, tokenize='unicode61 remove_diacritics 0'
);
INSERT INTO text(text, rank) VALUES ('pgsz', 16000);`

func openFTS5(dir string, durable bool) (engine, error) {
	db, err := sql.Open("sqlite", dir+"/fts.db")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	synchronous := "PRAGMA synchronous = OFF;"
	if durable {
		synchronous = "PRAGMA synchronous = FULL;"
	}
	_, err = db.Exec(ftsSchema + synchronous)
	return &fts5{db: db, known: map[string]struct{}{}}, err
}

func (e *fts5) add(id int64, doc document) (err error) {
	if e.tx == nil {
		if e.tx, err = e.db.Begin(); err != nil {
			return err
		}
	}
	words := distinct(doc.text())
	for _, word := range words {
		if _, ok := e.known[word]; !ok {
			e.known[word] = struct{}{}
			e.terms[word[0]] = append(e.terms[word[0]], word)
		}
	}
	_, err = e.tx.Exec("INSERT INTO text(rowid, body) VALUES (?, ?)", id, strings.Join(words, " "))
	return err
}

func (e *fts5) commit() error {
	err := e.tx.Commit()
	e.tx = nil
	return err
}

func (e *fts5) search(q string) (found result, err error) {
	match, ok := e.expression(q)
	if !ok {
		return found, nil
	}
	if err := e.db.QueryRow("SELECT count(*) FROM text WHERE text MATCH ?", match).Scan(&found.count); err != nil {
		return found, err
	}
	rows, err := e.db.Query("SELECT rowid FROM text WHERE text MATCH ? ORDER BY rowid DESC LIMIT ?", match, newestIDs)
	if err != nil {
		return found, err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return found, err
		}
		found.newest = append(found.newest, id)
	}
	return found, rows.Err()
}

// expression returns q as a query of the index; ok is false if nothing matches.
func (e *fts5) expression(q string) (match string, ok bool) {
	var groups []string
	for _, word := range words.Matchers(q) {
		var terms []string
		for _, term := range e.terms[word.Start()[0]] {
			if matches, _ := word.Match(term); matches {
				terms = append(terms, term)
			}
		}
		if len(terms) == 0 {
			return "", false
		}
		groups = append(groups, `("`+strings.Join(terms, `" OR "`)+`")`)
	}
	return strings.Join(groups, " AND "), true
}

func (e *fts5) close() error { return e.db.Close() }
