package jinja

// filter is a function of the value before the |.
type filter func(r *run, input value, a args) value

// filters are the filters by name. init fills it because some look up others.
var filters map[string]filter

func init() {
	filters = map[string]filter{
		"abs": filterAbs, "attr": filterAttr, "batch": filterBatch, "capitalize": onText(capitalize),
		"center": filterCenter, "count": filterLength, "d": filterDefault, "default": filterDefault,
		"dictsort": filterDictSort, "e": filterEscape, "escape": filterEscape, "filesizeformat": filterFileSize,
		"first": filterFirst, "float": filterFloat, "forceescape": filterForceEscape, "format": filterFormat,
		"groupby": filterGroupBy, "indent": filterIndent, "int": filterInt, "items": filterItems,
		"join": filterJoin, "last": filterLast, "length": filterLength, "list": filterList,
		"lower": onText(lower), "map": filterMap, "max": filterMax, "min": filterMin, "pprint": filterPprint,
		"random": filterRandom, "reject": filterReject, "rejectattr": filterRejectAttr, "replace": filterReplace,
		"reverse": filterReverse, "round": filterRound, "safe": filterSafe, "select": filterSelect,
		"selectattr": filterSelectAttr, "slice": filterSlice, "sort": filterSort, "string": filterString,
		"striptags": onText(stripTags), "sum": filterSum, "title": onText(titleWords), "tojson": filterToJSON,
		"trim": filterTrim, "truncate": filterTruncate, "unique": filterUnique, "upper": onText(upper),
		"urlencode": filterURLEncode, "wordcount": filterWordCount, "wordwrap": filterWordWrap,
	}
}

// onText returns a filter that calls a function on text. The result of such
// functions is at most a few times longer than the input.
func onText(do func(string) string) filter {
	return func(r *run, input value, a args) value {
		a.to("the filter")
		s := r.str(input)
		r.spend(len(s) / 8)
		r.reserve(2 * len(s))
		return do(s)
	}
}

func filterDefault(r *run, input value, a args) value {
	b := a.to("default", "default_value", "boolean")
	_, missing := input.(undefined)
	if missing || b.truth(r, 1, false) && !r.truth(input) {
		return b.or(0, "")
	}
	return input
}

func filterString(r *run, input value, _ args) value {
	if m, ok := input.(markup); ok {
		return m
	}
	return r.str(input)
}

func filterPprint(r *run, input value, _ args) value { return r.repr(input) }

func filterSafe(r *run, input value, _ args) value { return markup(r.str(input)) }

func filterEscape(r *run, input value, a args) value {
	if m, ok := input.(markup); ok {
		return m
	}
	return filterForceEscape(r, input, a)
}

func filterForceEscape(r *run, input value, _ args) value {
	return markup(r.escaped(r.str(input)))
}

func filterAttr(r *run, input value, a args) value {
	b := a.to("attr", "name")
	name, ok := text(b.need(0))
	if _, mapping := input.(*dict); !ok || mapping && dictMethods[name] == nil {
		return undefined{}
	}
	return r.attribute(input, name)
}

func filterLength(r *run, input value, _ args) value {
	n, ok := r.length(input)
	if !ok {
		fail("%s has no length", typeName(input))
	}
	return int64(n)
}

func filterFormat(r *run, input value, a args) value {
	if len(a.keywords) > 0 {
		d := newDict()
		for _, k := range a.keywords {
			r.put(d, k.name, k.value)
		}
		return r.percent(r.str(input), d)
	}
	return r.percent(r.str(input), tuple(a.positional))
}
