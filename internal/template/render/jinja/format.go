package jinja

import "strings"

// stringFormat implements Python's str.format, without access to attributes.
func stringFormat(r *run, format string, a args) value {
	var out strings.Builder
	next := 0
	for format != "" {
		r.spend(1)
		at := strings.IndexAny(format, "{}")
		if at < 0 {
			at = len(format)
		}
		r.reserve(at + 1)
		out.WriteString(format[:at])
		format = format[at:]
		switch {
		case format == "":
		case len(format) > 1 && format[1] == format[0]:
			out.WriteByte(format[0])
			format = format[2:]
		default:
			end := strings.IndexByte(format, '}')
			if format[0] == '}' || end < 0 {
				fail("a single brace in a format")
			}
			field := r.formatField(format[1:end], a, &next)
			r.reserve(len(field))
			out.WriteString(field)
			format = format[end+1:]
		}
	}
	return out.String()
}

func (r *run) formatField(field string, a args, next *int) string {
	name, specText, _ := strings.Cut(field, ":")
	name, conversion, _ := strings.Cut(name, "!")
	v := r.formatArgument(name, a, next)
	if conversion == "r" {
		v = r.repr(v)
	}
	s := parseSpec(specText)
	_, isNumber := number(v)
	if !isNumber {
		return r.formatted(v, s)
	}
	if !s.aligned {
		s.align = alignRight
	}
	if s.verb != 0 {
		return r.formatted(v, s)
	}
	return r.formatted(v, plainSpec(v, s))
}

// plainSpec returns the spec for a number whose format has no verb.
func plainSpec(v value, s spec) spec {
	n, _ := number(v)
	_, float := n.(float64)
	switch {
	case float && s.precision >= 0:
		s.verb = 'g'
	case !float:
		if _, truth := v.(bool); !truth {
			s.verb = 'd'
		}
	}
	return s
}

func (r *run) formatArgument(name string, a args, next *int) value {
	if name == "" {
		*next++
		return r.argumentAt(a, int64(*next-1))
	}
	if digits(name, "0123456789") == len(name) && len(name) < 10 {
		at, _ := leadingInt(name)
		return r.argumentAt(a, at)
	}
	if at := keywordAt(a.keywords, name); at >= 0 {
		return a.keywords[at].value
	}
	fail("the format has no argument %q", name)
	return nil
}

func (r *run) argumentAt(a args, at int64) value {
	if at >= int64(len(a.positional)) {
		fail("not enough arguments for the format")
	}
	return a.positional[at]
}
