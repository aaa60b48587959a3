package redact

import (
	"cmp"
	"slices"
	"strings"
)

// maxSteps limits the work of the regular expressions on the texts of one call: a
// second or so in the worst case. Texts beyond it are replaced as a whole rather
// than stored unread.
const maxSteps = 100_000_000

// Pass applies rules to the texts of one call. It is not safe for concurrent use.
type Pass struct {
	rules *Rules
	// report, if not nil, is called for everything that is replaced.
	report func(Replacement)

	steps int
	found []match
	at    place
}

// Replacement is something that a rule replaced.
type Replacement struct {
	// Rule is the index of the rule in the list.
	Rule int
	// Path leads to the value in which it was found.
	Path string
	// Before and After are the text that was found, and what is in its place.
	Before, After string
}

// NewPass returns a pass over the texts of one call. report is called for
// everything that is replaced, unless it is nil.
func (r *Rules) NewPass(report func(Replacement)) *Pass { return &Pass{rules: r, report: report} }

// Text returns a text with everything replaced that the rules find in it, and
// whether they found anything. The keys lead to it.
func (p *Pass) Text(text string, keys ...string) (string, bool) {
	if text == "" {
		return "", false
	}
	p.at.set(keys)
	if rule, ok := p.rules.pathRule(p.at.keys); ok {
		return p.replace(rule, text), true
	}
	return p.text(text)
}

// needsPlace reports whether it matters where a text is.
func (p *Pass) needsPlace() bool { return len(p.rules.paths) > 0 || p.report != nil }

// text replaces what rules find in a text, and reports whether they found
// anything.
func (p *Pass) text(text string) (string, bool) {
	if !p.rules.readsTexts() || isEncoded(text) {
		return text, false
	}
	p.found = p.rules.finders.appendMatches(p.found[:0], text)
	for i := range p.rules.patterns {
		p.match(&p.rules.patterns[i], text)
	}
	if len(p.found) == 0 {
		return text, false
	}
	return p.replaceAll(text, union(p.found)), true
}

// match adds what a regular expression finds.
func (p *Pass) match(pattern *pattern, text string) {
	if !strings.Contains(text, pattern.prefix) {
		return
	}
	if work := len(text) * pattern.steps; work <= maxSteps-p.steps {
		p.steps += work
		for _, at := range pattern.expression.FindAllStringIndex(text, -1) {
			if at[0] < at[1] {
				p.found = append(p.found, match{at[0], at[1], pattern.rule})
			}
		}
		return
	}
	p.found = append(p.found, match{0, len(text), pattern.rule})
}

// union joins matches that overlap: the first rule of them takes everything.
func union(found []match) []match {
	slices.SortFunc(found, func(a, b match) int { return cmp.Compare(a.start, b.start) })
	joined := found[:1]
	for _, m := range found[1:] {
		last := &joined[len(joined)-1]
		if m.start >= last.end {
			joined = append(joined, m)
			continue
		}
		last.end, last.rule = max(last.end, m.end), min(last.rule, m.rule)
	}
	return joined
}

func (p *Pass) replaceAll(text string, matches []match) string {
	var out strings.Builder
	out.Grow(len(text))
	from := 0
	for _, m := range matches {
		out.WriteString(text[from:m.start])
		out.WriteString(p.replace(m.rule, text[m.start:m.end]))
		from = m.end
	}
	out.WriteString(text[from:])
	return out.String()
}

// replace returns what a rule puts in the place of a text, and counts it.
func (p *Pass) replace(rule int, text string) string {
	after := p.rules.replacement(rule, text)
	p.rules.counts[rule].Add(1)
	if p.report != nil {
		p.report(Replacement{rule, p.at.String(), strings.Clone(text), after})
	}
	return after
}

// sample is how much of a long text tells whether it is an encoded file.
const sample = 4 << 10

// isEncoded reports whether a text is the content of a file in base64, in which
// everything that looks like a number or a key is chance.
func isEncoded(text string) bool {
	if strings.HasPrefix(text, "data:") {
		head, _, found := strings.Cut(text[:min(len(text), 200)], ",")
		return found && strings.HasSuffix(head, ";base64")
	}
	if len(text) < sample {
		return false
	}
	for i := range sample {
		if c := text[i]; !isWord[c] && c != '+' && c != '/' && c != '-' {
			return false
		}
	}
	return true
}
