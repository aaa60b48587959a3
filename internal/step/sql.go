package step

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxSQL is the maximum size of a text.
const maxSQL = 1 << 20

// looksLikeSQL is a simple check for any dialect: quotes and parentheses are
// closed, statements begin with a known verb and have its mandatory parts, and
// no clause is empty.
func looksLikeSQL(text string) bool {
	if len(text) > maxSQL {
		return false
	}
	tokens, ok := sqlTokens(text)
	if !ok {
		return false
	}
	statements := 0
	for len(tokens) > 0 {
		end := slices.Index(tokens, ";")
		if end < 0 {
			end = len(tokens)
		}
		if end > 0 {
			statements++
			if !isStatement(tokens[:end]) {
				return false
			}
		}
		tokens = tokens[min(end+1, len(tokens)):]
	}
	return statements > 0
}

// sqlVerbs maps the first words of statements to words that must follow later.
var sqlVerbs = map[string][]string{
	"SELECT": nil, "WITH": {"AS"}, "VALUES": nil, "TABLE": nil,
	"INSERT": {"INTO"}, "REPLACE": {"INTO"}, "UPDATE": {"SET"}, "DELETE": {"FROM"}, "MERGE": {"INTO"},
	"CREATE": nil, "ALTER": nil, "DROP": nil, "TRUNCATE": nil, "RENAME": nil, "COMMENT": {"ON"},
	"GRANT": {"TO"}, "REVOKE": {"FROM"}, "SET": nil, "USE": nil, "SHOW": nil, "DESCRIBE": nil, "EXPLAIN": nil,
	"CALL": nil, "EXEC": nil, "EXECUTE": nil, "PRAGMA": nil, "ANALYZE": nil,
}

// sqlAlone are the verbs that are complete statements.
var sqlAlone = []string{"BEGIN", "COMMIT", "ROLLBACK", "START", "END", "VACUUM", "ANALYZE"}

func isStatement(tokens []string) bool {
	if tokens[0] == "(" {
		return balanced(tokens) && noneEmpty(tokens)
	}
	verb := tokens[0]
	if slices.Contains(sqlAlone, verb) {
		return balanced(tokens)
	}
	needs, known := sqlVerbs[verb]
	if !known || len(tokens) < 2 {
		return false
	}
	for _, word := range needs {
		if !slices.Contains(tokens[1:], word) {
			return false
		}
	}
	return balanced(tokens) && noneEmpty(tokens)
}

func balanced(tokens []string) bool {
	depth := 0
	for _, token := range tokens {
		switch token {
		case "(":
			depth++
		case ")":
			if depth--; depth < 0 {
				return false
			}
		}
	}
	return depth == 0
}

var (
	// sqlOpen are the tokens that need something after them.
	sqlOpen = []string{
		"SELECT", "FROM", "WHERE", "AND", "OR", "BY", "INTO", "JOIN", "HAVING", "LIMIT", "LIKE", "BETWEEN",
		",", "=", "<", ">", "+", "-", "/", "%", "|", ".",
	}
	// sqlNext are the tokens that begin another clause.
	sqlNext = []string{
		"FROM", "WHERE", "AND", "OR", "BY", "GROUP", "ORDER", "HAVING", "LIMIT", "UNION", "JOIN", ",", ")",
	}
)

// noneEmpty reports whether every clause and operator has its operand.
func noneEmpty(tokens []string) bool {
	for i, token := range tokens {
		last := i == len(tokens)-1
		if slices.Contains(sqlOpen, token) && (last || slices.Contains(sqlNext, tokens[i+1])) {
			return false
		}
	}
	return true
}

// sqlTokens splits a text into upper-case words, single characters, and "'" for
// each string or quoted name. It omits comments. ok is false if a quote or
// comment is not closed.
func sqlTokens(text string) (tokens []string, ok bool) {
	for text != "" {
		var size int
		var token string
		switch r, width := utf8.DecodeRuneInString(text); {
		case unicode.IsSpace(r):
			size = width
		case strings.HasPrefix(text, "--"):
			size = endOf(text, "\n", len(text))
		case strings.HasPrefix(text, "/*"):
			size = endOf(text, "*/", -1)
		case strings.ContainsRune("'\"`", r):
			size, token = endOfQuote(text), "'"
		case isWordRune(r):
			size = len(text) - len(strings.TrimLeftFunc(text, isWordRune))
			token = strings.ToUpper(text[:size])
		default:
			size, token = width, text[:width]
		}
		if size < 0 {
			return nil, false
		}
		if token != "" {
			tokens = append(tokens, token)
		}
		text = text[size:]
	}
	return tokens, true
}

func isWordRune(r rune) bool {
	return r == '_' || r == '$' || r == '@' || r == '#' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// endOf returns the index after the next end, or otherwise.
func endOf(text, end string, otherwise int) int {
	if i := strings.Index(text[1:], end); i >= 0 {
		return 1 + i + len(end)
	}
	return otherwise
}

// endOfQuote returns the index after the quoted text, -1 if it is not closed. A
// doubled quote is part of the text.
func endOfQuote(text string) int {
	for i := 1; i < len(text); i++ {
		if text[i] != text[0] {
			continue
		}
		if i+1 < len(text) && text[i+1] == text[0] {
			i++
			continue
		}
		return i + 1
	}
	return -1
}
