package fault

import "fmt"

// Problems collects broken rules, so that a client learns of all of them from
// one response. The zero value is ready to use.
type Problems struct{ fields []Field }

// maxProblems bounds the response to a body that is wrong in very many places.
const maxProblems = 50

// Report records that the value at loc breaks the rule.
func (p *Problems) Report(loc []any, rule Rule) {
	if !p.Full() {
		p.fields = append(p.fields, Field{Loc: loc, Msg: rule.Msg, Type: rule.Type})
	}
}

// Add records that the value at loc breaks a rule that is not in the catalogue.
func (p *Problems) Add(loc []any, typ, format string, args ...any) {
	p.Report(loc, Rulef(typ, format, args...))
}

// Any reports whether a rule was broken.
func (p *Problems) Any() bool { return len(p.fields) > 0 }

// Full reports whether further problems would be dropped.
func (p *Problems) Full() bool { return len(p.fields) >= maxProblems }

// Err returns nil, or one Invalid fault that names every recorded problem.
func (p *Problems) Err() error {
	if len(p.fields) == 0 {
		return nil
	}
	first := p.fields[0]
	return &Error{Kind: Invalid, Message: Path(first.Loc) + ": " + first.Msg, Fields: p.fields}
}

// Path formats a location for people: metadata.user[0].
func Path(loc []any) string {
	text := ""
	for i, part := range loc {
		if i == 0 && len(loc) > 1 {
			continue // people do not need "body", "query" or "path"
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

// At returns a copy of loc with further parts.
func At(loc []any, parts ...any) []any {
	out := make([]any, 0, len(loc)+len(parts))
	return append(append(out, loc...), parts...)
}
