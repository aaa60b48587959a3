package jinja

import (
	"html"
	"net/url"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

func upper(s string) string { return strings.ToUpper(s) }
func lower(s string) string { return strings.ToLower(s) }

func capitalize(s string) string {
	_, width := utf8.DecodeRuneInString(s)
	return strings.ToUpper(s[:width]) + strings.ToLower(s[width:])
}

// titleWords capitalises each word, like Jinja's filter.
func titleWords(s string) string {
	inside := false
	return strings.Map(func(c rune) rune {
		was := inside
		inside = !unicode.IsSpace(c) && !strings.ContainsRune("-({[<", c)
		if was {
			return unicode.ToLower(c)
		}
		return unicode.ToUpper(c)
	}, s)
}

var tagPattern = regexp.MustCompile(`(?s)<!--.*?-->|<[^>]*>`)

func stripTags(s string) string {
	return html.UnescapeString(strings.Join(strings.Fields(tagPattern.ReplaceAllString(s, "")), " "))
}

var escaper = strings.NewReplacer("&", "&amp;", ">", "&gt;", "<", "&lt;", "'", "&#39;", `"`, "&#34;")

func (r *run) escaped(s string) string {
	r.spend(len(s) / 8)
	r.reserve(len(s))
	out := escaper.Replace(s)
	r.reserve(len(out) - len(s))
	return out
}

func filterReplace(r *run, input value, a args) value {
	b := a.to("replace", "old", "new", "count")
	count := int64(-1)
	if b.or(2, nil) != nil {
		count = b.int(2, -1)
	}
	return r.replace(r.str(input), r.str(b.need(0)), r.str(b.need(1)), count)
}

// replace reserves the size of its result before it builds it.
func (r *run) replace(s, old, replacement string, count int64) string {
	r.spend(len(s) / 8)
	found := int64(strings.Count(s, old))
	if count >= 0 {
		found = min(found, count)
	}
	r.reserve(len(s))
	r.reserveTimes(len(replacement), found)
	return strings.Replace(s, old, replacement, int(found))
}

func filterTrim(r *run, input value, a args) value {
	b := a.to("trim", "chars")
	s := r.str(input)
	r.reserve(len(s))
	if b.or(0, nil) == nil {
		return strings.TrimFunc(s, unicode.IsSpace)
	}
	return strings.Trim(s, b.text(0, ""))
}

func filterCenter(r *run, input value, a args) value {
	return r.pad(r.str(input), a.to("center", "width").int(0, 80), " ", alignCenter)
}

type alignment uint8

const (
	alignLeft alignment = iota
	alignRight
	alignCenter
)

// pad pads s to a width in characters.
func (r *run) pad(s string, width int64, fill string, align alignment) string {
	missing := width - int64(runeCount(s))
	r.reserve(len(s))
	if missing <= 0 {
		return s
	}
	r.reserveTimes(len(fill), missing)
	left := int64(0)
	switch align {
	case alignRight:
		left = missing
	case alignCenter:
		left = missing/2 + missing&width&1
	}
	return strings.Repeat(fill, int(left)) + s + strings.Repeat(fill, int(missing-left))
}

// splitLines splits at line breaks; a trailing line break adds no line.
func splitLines(s string) []string {
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	lines := strings.Split(s, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

func filterIndent(r *run, input value, a args) value {
	b := a.to("indent", "width", "first", "blank")
	prefix, ok := text(b.or(0, int64(4)))
	if !ok {
		width := max(b.int(0, 4), 0)
		r.reserveTimes(1, width)
		prefix = strings.Repeat(" ", int(width))
	}
	s := r.str(input)
	r.reserve(len(s) * 2)
	lines := splitLines(s + "\n")
	r.reserveTimes(len(prefix)+elementSize, int64(len(lines)))
	r.spend(len(lines))
	blank := b.truth(r, 2, false)
	for i, line := range lines {
		if i > 0 && (line != "" || blank) || i == 0 && b.truth(r, 1, false) {
			lines[i] = prefix + line
		}
	}
	return strings.Join(lines, "\n")
}

func filterTruncate(r *run, input value, a args) value {
	b := a.to("truncate", "length", "killwords", "end", "leeway")
	length, end := b.int(0, 255), b.text(2, "...")
	leeway := int64(5)
	if b.or(3, nil) != nil {
		leeway = b.int(3, 5)
	}
	s := r.str(input)
	r.reserve(4 * len(s))
	r.spend(len(s) / 16)
	characters := []rune(s)
	if int64(len(characters)) <= length+leeway {
		return s
	}
	keep := length - int64(runeCount(end))
	if keep < 0 {
		fail("truncate needs a length of at least its end")
	}
	cut := string(characters[:min(keep, int64(len(characters)))])
	if !b.truth(r, 1, false) {
		if space := strings.LastIndexByte(cut, ' '); space >= 0 {
			cut = cut[:space]
		}
	}
	return cut + end
}

func filterWordCount(r *run, input value, _ args) value {
	s := r.str(input)
	r.spend(len(s) / 8)
	words, inside := int64(0), false
	for _, c := range s {
		was := inside
		inside = IsWord(c)
		if inside && !was {
			words++
		}
	}
	return words
}

func filterWordWrap(r *run, input value, a args) value {
	b := a.to("wordwrap", "width", "break_long_words", "wrapstring", "break_on_hyphens")
	width := b.int(0, 79)
	if width <= 0 {
		fail("wordwrap needs a positive width")
	}
	separator := "\n"
	if b.or(2, nil) != nil {
		separator = b.text(2, separator)
	}
	s := r.str(input)
	r.spend(len(s))
	r.reserve(3 * len(s))
	var out []string
	for _, line := range splitLines(s) {
		out = append(out, r.wrap(line, int(min(width, 1<<30)), b.truth(r, 1, true))...)
	}
	r.reserveTimes(len(separator)+elementSize, int64(len(out)))
	return strings.Join(out, separator)
}

// wrap breaks a line at spaces, and breaks words that are longer than a line.
func (r *run) wrap(line string, width int, breakWords bool) []string {
	words := strings.Fields(line)
	r.reserve(len(words) * elementSize)
	var lines []string
	current, used := "", 0
	flush := func() {
		if current != "" {
			lines = append(lines, current)
			current, used = "", 0
		}
	}
	for _, word := range words {
		n := runeCount(word)
		if current != "" && used+1+n <= width {
			r.reserve(len(current) + len(word))
			current, used = current+" "+word, used+1+n
			continue
		}
		flush()
		for characters := []rune(word); breakWords && n > width; n -= width {
			lines = append(lines, string(characters[:width]))
			characters = characters[width:]
			word = string(characters)
		}
		current, used = word, n
	}
	flush()
	if lines == nil {
		return []string{""}
	}
	return lines
}

func filterURLEncode(r *run, input value, a args) value {
	a.to("urlencode")
	var pairs []value
	switch v := input.(type) {
	case *dict:
		pairs = r.pairs(v)
	case *list:
		pairs = r.load(v)
	default:
		s := r.str(input)
		r.reserve(3 * len(s))
		return strings.ReplaceAll(strings.ReplaceAll(url.QueryEscape(s), "+", "%20"), "%2F", "/")
	}
	parts := make([]string, 0, len(pairs))
	for _, pair := range pairs {
		both := r.elements(pair)
		if len(both) != 2 {
			fail("expected a pair, got %d elements", len(both))
		}
		key, val := r.str(both[0]), r.str(both[1])
		r.reserve(3 * (len(key) + len(val)))
		parts = append(parts, url.QueryEscape(key)+"="+url.QueryEscape(val))
	}
	return strings.Join(parts, "&")
}
