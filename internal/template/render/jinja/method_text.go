package jinja

import (
	"strings"
	"unicode"
)

// stringMethods are the methods of Python's strings that templates use.
var stringMethods = map[string]func(*run, string, args) value{
	"upper": onString(upper), "lower": onString(lower), "casefold": onString(lower), "capitalize": onString(capitalize),
	"title": onString(titleLetters), "swapcase": onString(swapCase),
	"strip":      stripper(strings.TrimFunc),
	"lstrip":     stripper(strings.TrimLeftFunc),
	"rstrip":     stripper(strings.TrimRightFunc),
	"isdigit":    asking(unicode.IsDigit),
	"isnumeric":  asking(unicode.IsNumber),
	"isdecimal":  asking(unicode.IsDigit),
	"isalpha":    asking(unicode.IsLetter),
	"isspace":    asking(unicode.IsSpace),
	"isalnum":    asking(func(c rune) bool { return unicode.IsLetter(c) || unicode.IsNumber(c) }),
	"islower":    func(_ *run, s string, _ args) value { return cased(s, unicode.IsUpper, unicode.IsLower) },
	"isupper":    func(_ *run, s string, _ args) value { return cased(s, unicode.IsLower, unicode.IsUpper) },
	"startswith": affix(strings.HasPrefix), "endswith": affix(strings.HasSuffix),
	"removeprefix": func(_ *run, s string, a args) value {
		return strings.TrimPrefix(s, a.to("removeprefix", "prefix").text(0, ""))
	},
	"removesuffix": func(_ *run, s string, a args) value {
		return strings.TrimSuffix(s, a.to("removesuffix", "suffix").text(0, ""))
	},
	"replace": stringReplace, "join": stringJoin, "format": stringFormat, "count": stringCount,
	"find": finder(strings.Index, false), "rfind": finder(strings.LastIndex, false),
	"index": finder(strings.Index, true), "rindex": finder(strings.LastIndex, true),
	"split": stringSplit, "rsplit": stringRightSplit, "splitlines": stringSplitLines,
	"partition": partition(strings.Index), "rpartition": partition(strings.LastIndex),
	"ljust": padder(alignLeft), "rjust": padder(alignRight), "center": padder(alignCenter), "zfill": stringZeroFill,
}

func onString(do func(string) string) func(*run, string, args) value {
	return func(r *run, s string, a args) value {
		a.to("the method")
		r.spend(len(s) / 8)
		r.reserve(2 * len(s))
		return do(s)
	}
}

// titleLetters capitalises each run of letters, as Python does.
func titleLetters(s string) string {
	inside := false
	return strings.Map(func(c rune) rune {
		was := inside
		inside = unicode.IsLetter(c)
		if was {
			return unicode.ToLower(c)
		}
		return unicode.ToTitle(c)
	}, s)
}

func swapCase(s string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsUpper(c) {
			return unicode.ToLower(c)
		}
		return unicode.ToUpper(c)
	}, s)
}

func stripper(trim func(string, func(rune) bool) string) func(*run, string, args) value {
	return func(r *run, s string, a args) value {
		b := a.to("strip", "chars")
		if b.or(0, nil) == nil {
			return trim(s, unicode.IsSpace)
		}
		set := b.text(0, "")
		r.spend(len(s) * (1 + len(set)) / 64)
		return trim(s, func(c rune) bool { return strings.ContainsRune(set, c) })
	}
}

func asking(about func(rune) bool) func(*run, string, args) value {
	return func(_ *run, s string, _ args) value {
		return s != "" && !strings.ContainsFunc(s, func(c rune) bool { return !about(c) })
	}
}

// affix checks for a prefix or suffix, or any of a tuple of them.
func affix(has func(s, part string) bool) func(*run, string, args) value {
	return func(r *run, s string, a args) value {
		parts := a.to("the method", "affix").need(0)
		if one, ok := text(parts); ok {
			return has(s, one)
		}
		for _, part := range r.elements(parts) {
			if one, ok := text(part); ok && has(s, one) {
				return true
			}
		}
		return false
	}
}

func stringReplace(r *run, s string, a args) value {
	b := a.to("replace", "old", "new", "count")
	return r.replace(s, b.text(0, ""), b.text(1, ""), b.int(2, -1))
}

func stringJoin(r *run, s string, a args) value {
	items := r.elements(a.to("join", "iterable").need(0))
	for _, item := range items {
		if _, ok := text(item); !ok {
			fail("join needs strings, not %s", typeName(item))
		}
	}
	return r.joined(s, items)
}

func stringCount(r *run, s string, a args) value {
	r.spend(len(s) / 16)
	return int64(strings.Count(s, a.to("count", "sub").text(0, "")))
}

// finder returns a position in characters.
func finder(find func(s, part string) int, must bool) func(*run, string, args) value {
	return func(r *run, s string, a args) value {
		r.spend(len(s) / 16)
		at := find(s, a.to("find", "sub").text(0, ""))
		if at < 0 && must {
			fail("substring not found")
		}
		return int64(runeCount(s[:max(at, 0)]) + min(at, 0))
	}
}

func stringSplit(r *run, s string, a args) value {
	b := a.to("split", "sep", "maxsplit")
	r.spend(len(s) / 8)
	limit := int(min(b.int(1, -1), 1<<30))
	if b.or(0, nil) == nil {
		return r.texts(splitSpace(s, limit))
	}
	separator := b.text(0, "")
	if separator == "" {
		fail("empty separator")
	}
	r.reserve(strings.Count(s, separator) * elementSize)
	if limit < 0 {
		limit = -2
	}
	return r.texts(strings.SplitN(s, separator, limit+1))
}

// splitSpace splits at runs of whitespace, at most limit times.
func splitSpace(s string, limit int) []string {
	var parts []string
	for s = strings.TrimLeftFunc(s, unicode.IsSpace); s != ""; {
		end := strings.IndexFunc(s, unicode.IsSpace)
		if end < 0 || limit >= 0 && len(parts) >= limit {
			return append(parts, strings.TrimRightFunc(s, unicode.IsSpace))
		}
		parts = append(parts, s[:end])
		s = strings.TrimLeftFunc(s[end:], unicode.IsSpace)
	}
	return parts
}

func stringRightSplit(r *run, s string, a args) value {
	b := a.to("rsplit", "sep", "maxsplit")
	limit := b.int(1, -1)
	all := stringSplit(r, s, args{positional: []value{b.or(0, nil)}}).(*list)
	extra := len(all.items) - int(min(limit, 1<<30)) - 1
	if limit < 0 || extra <= 0 || b.or(0, nil) == nil {
		return all
	}
	head := r.joined(b.text(0, ""), all.items[:extra+1])
	return newList(r.append([]value{head}, all.items[extra+1:]))
}

func stringSplitLines(r *run, s string, _ args) value {
	r.reserve(2 * len(s))
	return r.texts(splitLines(s))
}

func (r *run) texts(parts []string) value {
	r.spend(len(parts))
	r.reserve(len(parts) * elementSize)
	items := make([]value, len(parts))
	for i, part := range parts {
		items[i] = part
	}
	return newList(items)
}

func partition(find func(s, part string) int) func(*run, string, args) value {
	return func(r *run, s string, a args) value {
		separator := a.to("partition", "sep").text(0, "")
		if separator == "" {
			fail("empty separator")
		}
		at := find(s, separator)
		if at < 0 {
			return tuple{s, "", ""}
		}
		return tuple{s[:at], separator, s[at+len(separator):]}
	}
}

func padder(align alignment) func(*run, string, args) value {
	return func(r *run, s string, a args) value {
		b := a.to("the method", "width", "fillchar")
		return r.pad(s, b.int(0, 0), b.text(1, " "), align)
	}
}

func stringZeroFill(r *run, s string, a args) value {
	sign, rest := cutSign(s)
	width := a.to("zfill", "width").int(0, 0)
	if sign == 0 {
		return r.pad(rest, width, "0", alignRight)
	}
	return string(sign) + r.pad(rest, width-1, "0", alignRight)
}
