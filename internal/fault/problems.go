package fault

import (
	"fmt"
	"slices"
)

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
	message := first.Msg
	if path := Path(first.Loc); path != "" {
		message = path + ": " + message
	}
	return &Error{Kind: Invalid, Message: message, Fields: p.fields}
}

// Root is the first part of a location that is relative.
type Root string

// Input is the root of the locations that a domain reports: the input of the
// call, whatever the caller calls it. See Error.Rooted.
const Input Root = "input"

// In returns the location of a part of the input, or of all of it.
func In(parts ...any) []any { return At([]any{Input}, parts...) }

// isInput reports whether a location is relative to the input.
func isInput(loc []any) bool { return len(loc) > 0 && loc[0] == Input }

// Rooted returns the fault with the caller's name for the input of a domain in
// place of Input: "body" at the edge of the API.
func (e *Error) Rooted(root string) *Error {
	rooted := *e
	rooted.Fields = slices.Clone(e.Fields)
	for i, field := range rooted.Fields {
		if !isInput(field.Loc) {
			continue
		}
		if i == 0 && len(field.Loc) == 1 && e.Message == field.Msg {
			rooted.Message = root + ": " + field.Msg
		}
		rooted.Fields[i].Loc = At([]any{root}, field.Loc[1:]...)
	}
	return &rooted
}

// Path formats a location for people: metadata.user[0]. It is empty for the
// whole input of a domain.
func Path(loc []any) string {
	text := ""
	for i, part := range loc {
		if i == 0 && (len(loc) > 1 || isInput(loc)) {
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
