package format

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// csvRows writes comma-separated values with a line of names. No value is an empty
// cell.
type csvRows struct {
	out      io.Writer
	to       *csv.Writer // writes to out
	columns  []Column
	harmless bool // whether formulas are made harmless
	cells    []string
}

func newCSV(to io.Writer, columns []Column, harmless bool) (*csvRows, error) {
	w := &csvRows{out: to, to: csv.NewWriter(to), columns: columns, harmless: harmless, cells: make([]string, len(columns))}
	for i, c := range columns {
		w.cells[i] = w.text(c.Name)
	}
	return w, w.to.Write(w.cells)
}

func (w *csvRows) write(row []Value) error {
	for i := range w.columns {
		w.cells[i] = w.cell(w.columns[i].Type, &row[i])
	}
	if len(w.cells) == 1 && w.cells[0] == "" {
		return w.emptyRow()
	}
	return w.to.Write(w.cells)
}

// emptyRow writes an empty cell in quotes, because readers skip empty lines.
func (w *csvRows) emptyRow() error {
	if err := w.close(); err != nil {
		return err
	}
	_, err := io.WriteString(w.out, "\"\"\n")
	return err
}

func (w *csvRows) cell(t Type, v *Value) string {
	switch {
	case !v.given:
		return ""
	case t == Int:
		return strconv.FormatInt(v.number, 10)
	case t == Float:
		return string(jsontree.AppendFloat(nil, v.float))
	case t == Bool:
		return strconv.FormatBool(v.number != 0)
	case t == Time:
		return string(appendTime(nil, v.number))
	case t == JSON:
		return v.text // no JSON value is a formula
	case t == Any && v.isString():
		return w.text(v.plain())
	case t == Any:
		return v.text
	}
	return w.text(v.text)
}

func (w *csvRows) text(text string) string {
	if w.harmless {
		return Harmless(text)
	}
	return text
}

// Harmless puts an apostrophe before a text that a spreadsheet would evaluate as a
// formula.
func Harmless(text string) string {
	first, _ := utf8.DecodeRuneInString(text)
	if text != "" && strings.ContainsRune("=+-@\t\r\n＝＋－＠", first) {
		return "'" + text
	}
	return text
}

func (w *csvRows) close() error {
	w.to.Flush()
	return w.to.Error()
}
