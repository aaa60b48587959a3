package rest

import (
	"cmp"
	"fmt"
	"strings"
)

// maxParams is the maximum number of parameters in a path.
const maxParams = 6

// segmentKind is ordered from specific to general.
type segmentKind uint8

const (
	literal segmentKind = iota
	digits
	single
	greedy
)

// segment is one part of a pattern: a literal text or a parameter's name.
type segment struct {
	kind segmentKind
	text string
}

// pattern is a compiled path of an operation.
type pattern struct {
	segments []segment
	params   []string
	greedyAt int // index of the greedy segment, -1 for none
}

func parsePattern(path string) (pattern, error) {
	p := pattern{greedyAt: -1}
	rest, ok := strings.CutPrefix(path, "/")
	if !ok {
		return p, fmt.Errorf("path %q does not start with a slash", path)
	}
	for i, text := range strings.Split(rest, "/") {
		s, err := parseSegment(text)
		if err != nil {
			return p, fmt.Errorf("path %q: %w", path, err)
		}
		if s.kind == greedy && p.greedyAt >= 0 {
			return p, fmt.Errorf("path %q has two greedy parameters", path)
		}
		if s.kind == greedy {
			p.greedyAt = i
		}
		if s.kind != literal {
			p.params = append(p.params, s.text)
		}
		p.segments = append(p.segments, s)
	}
	if len(p.params) > maxParams {
		return p, fmt.Errorf("path %q has more than %d parameters", path, maxParams)
	}
	return p, nil
}

func parseSegment(text string) (segment, error) {
	if !strings.HasPrefix(text, "{") || !strings.HasSuffix(text, "}") {
		if strings.ContainsAny(text, "{}") {
			return segment{}, fmt.Errorf("segment %q is neither a literal nor a parameter", text)
		}
		return segment{literal, text}, nil
	}
	s := segment{single, text[1 : len(text)-1]}
	if name, ok := strings.CutSuffix(s.text, "..."); ok {
		s = segment{greedy, name}
	} else if name, ok := strings.CutSuffix(s.text, ":digits"); ok {
		s = segment{digits, name}
	}
	if s.text == "" || strings.ContainsAny(s.text, "{}:.") {
		return s, fmt.Errorf("segment %q has no proper name", text)
	}
	return s, nil
}

// compare orders patterns so that the most specific of those that match a path
// comes first: at each position a literal precedes digits, digits precede a
// parameter, and a parameter precedes a greedy one. A greedy parameter with
// segments after it precedes one without.
func (p pattern) compare(q pattern) int {
	for i := range min(len(p.segments), len(q.segments)) {
		if c := cmp.Compare(p.segments[i].kind, q.segments[i].kind); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(q.segments), len(p.segments))
}

// shape is the pattern without the names of its parameters. Patterns with the
// same shape match the same paths.
func (p pattern) shape() string {
	var b strings.Builder
	for _, s := range p.segments {
		b.WriteByte('/')
		switch s.kind {
		case literal:
			b.WriteString(s.text)
		default:
			b.WriteString([...]string{digits: "{0}", single: "{}", greedy: "{...}"}[s.kind])
		}
	}
	return b.String()
}

// openAPI is the path as the OpenAPI document writes it.
func (p pattern) openAPI() string {
	var b strings.Builder
	for _, s := range p.segments {
		b.WriteByte('/')
		if s.kind == literal {
			b.WriteString(s.text)
		} else {
			b.WriteString("{" + s.text + "}")
		}
	}
	return b.String()
}

// literals returns the number of segments before the first parameter.
func (p pattern) literals() int {
	for i, s := range p.segments {
		if s.kind != literal {
			return i
		}
	}
	return len(p.segments)
}

// fits reports whether the decoded segments of a path match.
func (p pattern) fits(segments []string) bool {
	if p.greedyAt < 0 {
		return len(segments) == len(p.segments) && fit(p.segments, segments)
	}
	if len(segments) < len(p.segments) {
		return false
	}
	tail := p.segments[p.greedyAt+1:]
	return fit(p.segments[:p.greedyAt], segments) && fit(tail, segments[len(segments)-len(tail):])
}

func fit(want []segment, got []string) bool {
	for i, s := range want {
		switch s.kind {
		case literal:
			if s.text != got[i] {
				return false
			}
		case digits:
			if !allDigits(got[i]) {
				return false
			}
		}
	}
	return true
}

// extract fills values with the parameters of segments that match.
func (p pattern) extract(segments []string, values *[maxParams]string) {
	extra := len(segments) - len(p.segments)
	n := 0
	for i, s := range p.segments {
		at := i
		if p.greedyAt >= 0 && i > p.greedyAt {
			at += extra
		}
		switch s.kind {
		case literal:
			continue
		case greedy:
			values[n] = strings.Join(segments[at:at+extra+1], "/")
		default:
			values[n] = segments[at]
		}
		n++
	}
}

func allDigits(text string) bool {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return text != ""
}
