package fault

import "fmt"

// Problems collects broken rules so that a client learns of all at once.
// The zero value is ready to use.
type Problems struct{ fields []Field }

// maxProblems bounds the answer to a body that is wrong in very many places.
const maxProblems = 50

// Add records that the value at loc breaks a rule.
func (p *Problems) Add(loc []any, typ, format string, args ...any) {
	if len(p.fields) < maxProblems {
		p.fields = append(p.fields, Field{Loc: loc, Msg: fmt.Sprintf(format, args...), Type: typ})
	}
}

// Any reports whether a rule was broken.
func (p *Problems) Any() bool { return len(p.fields) > 0 }

// Err returns nil, or one Invalid fault that names every recorded problem.
func (p *Problems) Err() error {
	if len(p.fields) == 0 {
		return nil
	}
	first := p.fields[0]
	return &Error{Kind: Invalid, Message: Path(first.Loc) + ": " + first.Msg, Fields: p.fields}
}

// Path renders a location as a person would write it: metadata.user[0].
func Path(loc []any) string {
	text := ""
	for i, part := range loc {
		if i == 0 && len(loc) > 1 {
			continue // "body", "query", "path" say nothing to a person
		}
		if n, ok := part.(int); ok {
			text += fmt.Sprintf("[%d]", n)
			continue
		}
		if text != "" {
			text += "."
		}
		text += fmt.Sprint(part)
	}
	return text
}

// At returns loc with further parts, in a slice of its own.
func At(loc []any, parts ...any) []any {
	out := make([]any, 0, len(loc)+len(parts))
	return append(append(out, loc...), parts...)
}
