package clickhouse

import (
	"strconv"
	"strings"
)

// query is an SQL text under construction with its bound values. Nothing that a
// client sent is ever part of the text.
type sqlQuery struct {
	sql    strings.Builder
	values []string
}

func newQuery(parts ...string) *sqlQuery {
	q := &sqlQuery{}
	q.write(parts...)
	return q
}

// queryOf returns the query that write writes.
func queryOf(write func(*sqlQuery) string) *sqlQuery {
	q := newQuery()
	q.write(write(q))
	return q
}

func (q *sqlQuery) write(parts ...string) {
	for _, part := range parts {
		q.sql.WriteString(part)
	}
}

func (q *sqlQuery) text() string { return q.sql.String() }

// add binds the text of a value and returns the placeholder that stands for it.
func (q *sqlQuery) add(value, sqlType string) string {
	q.values = append(q.values, value)
	return "{p" + strconv.Itoa(len(q.values)) + ":" + sqlType + "}"
}

// maxValue is the size above which a value is bound in parts: the server rejects
// fields of requests above 128 KB.
const maxValue = 48 << 10

// bind binds a text.
func (q *sqlQuery) bind(text string) string {
	if len(text) <= maxValue {
		return q.add(string(appendEscaped(nil, text)), "String")
	}
	var parts []string
	for len(text) > 0 {
		size := min(maxValue, len(text))
		parts = append(parts, q.add(string(appendEscaped(nil, text[:size])), "String"))
		text = text[size:]
	}
	return "concat(" + strings.Join(parts, ", ") + ")"
}

func (q *sqlQuery) bindInt(n int64) string { return q.add(strconv.FormatInt(n, 10), "Int64") }

func (q *sqlQuery) bindFloat(n float64) string {
	return q.add(strconv.FormatFloat(oneZero(n), 'g', -1, 64), "Float64")
}

// bindInts binds a list of whole numbers.
func (q *sqlQuery) bindInts(all []int64) string {
	return q.bindList("Int64", len(all), func(dst []byte, i int) []byte { return strconv.AppendInt(dst, all[i], 10) }, nil)
}

// bindFloats binds a list of numbers.
func (q *sqlQuery) bindFloats(all []float64) string {
	return q.bindList("Float64", len(all), func(dst []byte, i int) []byte { return strconv.AppendFloat(dst, oneZero(all[i]), 'g', -1, 64) }, nil)
}

// bindIDs binds a list of whole numbers of which some are missing.
func (q *sqlQuery) bindIDs(all []*int64) string {
	return q.bindList("Nullable(Int64)", len(all), func(dst []byte, i int) []byte {
		if all[i] == nil {
			return append(dst, "NULL"...)
		}
		return strconv.AppendInt(dst, *all[i], 10)
	}, nil)
}

// bindWords binds a list of short texts of which some are missing.
func (q *sqlQuery) bindWords(all []*string) string {
	return q.bindList("Nullable(String)", len(all), func(dst []byte, i int) []byte {
		if all[i] == nil {
			return append(dst, "NULL"...)
		}
		return appendQuoted(dst, *all[i])
	}, nil)
}

// bindTexts binds a list of texts.
func (q *sqlQuery) bindTexts(all []string) string {
	return q.bindList("String", len(all), func(dst []byte, i int) []byte { return appendQuoted(dst, all[i]) },
		func(i int) string { return q.bind(all[i]) })
}

// bindLists binds a list of lists of texts.
func (q *sqlQuery) bindLists(all [][]string) string {
	return q.bindList("Array(String)", len(all), func(dst []byte, i int) []byte {
		dst = append(dst, '[')
		for at, text := range all[i] {
			if at > 0 {
				dst = append(dst, ',')
			}
			dst = appendQuoted(dst, text)
		}
		return append(dst, ']')
	}, func(i int) string { return q.bindTexts(all[i]) })
}

// bindList binds a list, in parts if it is long. The function add appends the text
// of an element; alone binds one that is too long for that.
func (q *sqlQuery) bindList(sqlType string, count int, add func(dst []byte, i int) []byte, alone func(i int) string) string {
	var parts []string
	list := []byte{'['}
	flush := func() {
		if len(list) > 1 || len(parts) == 0 && count == 0 {
			parts = append(parts, q.add(string(append(list, ']')), "Array("+sqlType+")"))
		}
		list = []byte{'['}
	}
	for i := range count {
		element := add(nil, i)
		if len(list)+len(element) > maxValue {
			flush()
		}
		if len(element) > maxValue && alone != nil {
			parts = append(parts, "["+alone(i)+"]")
			continue
		}
		if len(list) > 1 {
			list = append(list, ',')
		}
		list = append(list, element...)
	}
	flush()
	if len(parts) == 1 {
		return parts[0]
	}
	return "arrayConcat(" + strings.Join(parts, ", ") + ")"
}

// appendEscaped appends a text as the server reads the value of a parameter.
func appendEscaped(dst []byte, text string) []byte {
	for i := range len(text) {
		switch c := text[i]; c {
		case 0:
			dst = append(dst, `\0`...)
		case '\t':
			dst = append(dst, `\t`...)
		case '\n':
			dst = append(dst, `\n`...)
		case '\r':
			dst = append(dst, `\r`...)
		case '\\', '\'':
			dst = append(dst, '\\', c)
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

func appendQuoted(dst []byte, text string) []byte {
	return append(appendEscaped(append(dst, '\''), text), '\'')
}
