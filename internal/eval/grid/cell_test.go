package grid_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/eval/grid"
	"github.com/promptuary/promptuary/internal/jsontree"
)

func TestRowText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		cell grid.Cell
		want string
	}{
		{"zero", grid.Cell{}, `null`},
		{"queued", grid.Cell{Status: grid.Queued}, `null`},
		{"running", grid.Cell{Status: grid.Running}, `true`},
		{"failed", grid.Cell{Status: grid.Failed, Error: "a \"b\"\n\\"}, `"a \"b\"\u000a\\"`},
		{"failed without a message", grid.Cell{Status: grid.Failed}, `""`},
		{"failed with invalid UTF-8", grid.Cell{Status: grid.Failed, Error: "\xff"}, `"�"`},
		{"absent", grid.Cell{Status: grid.Completed}, `[null]`},
		{"null", grid.Cell{Status: grid.Completed, Value: tree(t, `null`)}, `[null]`},
		{"false", grid.Cell{Status: grid.Completed, Value: tree(t, `false`)}, `[false]`},
		{"bytes as they were", grid.Cell{Status: grid.Completed, Value: tree(t, ` { "\u0061" : 1.50E+2 } `)}, `[{ "\u0061" : 1.50E+2 }]`},
		{"reason", grid.Cell{Status: grid.Completed, Value: tree(t, `{"a":[1]}`), Reason: `so "it" is, }`}, `{"reason":"so \"it\" is, }","value":{"a":[1]}}`},
		{"reason for nothing", grid.Cell{Status: grid.Completed, Reason: "x"}, `{"reason":"x","value":null}`},
		{"text like a row", grid.Cell{Status: grid.Completed, Value: tree(t, `["]\"\\",["],["]]`)}, `[["]\"\\",["],["]]]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			row := []grid.Cell{c.cell, {Status: grid.Running}, c.cell}
			text := grid.AppendRow([]byte("x"), row)
			wantRow(t, "["+c.want+",true,"+c.want+"]", row)
			wantRow(t, string(text[1:]), cells(t, string(text[1:])))
		})
	}
}

func TestParseRowRejectsInvalidText(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		``, `[`, `]`, `{}`, `null`, `[}`, `[nul]`, `[null`, `[null,]`, `[,null]`, `[null null]`, `[falsee]`, `[fals]`, `[1]`, `[{}]`, `[[]]`, `[[1,2]]`,
		`[[1]`, `[[1]]]`, `[["]`, `["]`, `["\"]`, `["a"b]`, `[ null]`, `[null] `, `["` + "\x00" + `"]`, `["` + "\xff" + `"]`, `[[01]]`, `[[1],[}]]`, `[[1}]`, `[[}]`,
		`[{"reason":"a"}]`, `[{"reason":1,"value":1}]`, `[{"reason":"a","value":1]]`, `[{"reason":"a","value":1}`, `[{"reason":"a,"value":1}]`, `[{"reason":"a","value":}]`,
	} {
		if got, err := grid.ParseRow([]byte(text)); err == nil {
			t.Errorf("%q was read as %d cells", text, len(got))
		}
	}
}

// TestHostileRows writes and reads rows that are larger and nested deeper than
// a single JSON text may be.
func TestHostileRows(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", jsontree.MaxDepth) + strings.Repeat("]", jsontree.MaxDepth)
	many := "[1" + strings.Repeat(",1", 1_200_000) + "]"
	large := `"` + strings.Repeat(`\\"`[:2], 1<<20) + `"`
	text := "[[" + strings.Join([]string{deep, many, many, large}, "],[") + "]]"
	got := cells(t, text)
	if len(got) != 4 {
		t.Fatalf("there are %d cells", len(got))
	}
	if !bytes.Equal(grid.AppendRow(nil, got), []byte(text)) {
		t.Error("the row is another one now")
	}
	deeper := "[[" + "[" + deep + "]" + "]]"
	if _, err := grid.ParseRow([]byte(deeper)); err == nil {
		t.Error("a value that is nested too deeply was read")
	}
}

// TestRandomRows writes and reads rows of random cells.
func TestRandomRows(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	parts := []string{`"`, `\`, `[`, `]`, `,`, `{`, `}`, "null", "true", "é", "\n", "1"}
	for range 2000 {
		row := make([]grid.Cell, random.IntN(6))
		for i := range row {
			var text strings.Builder
			for range random.IntN(8) {
				text.WriteString(parts[random.IntN(len(parts))])
			}
			quoted := tree(t, string(jsontree.AppendQuoted(nil, text.String())))
			row[i] = [...]grid.Cell{
				{Status: grid.Queued}, {Status: grid.Running}, {Status: grid.Failed, Error: text.String()},
				{Status: grid.Completed, Value: quoted}, {Status: grid.Completed, Value: quoted, Reason: text.String()},
				{Status: grid.Completed, Value: tree(t, `{"k":[`+string(quoted.Raw())+`]}`)},
			}[random.IntN(6)]
		}
		written := grid.AppendRow(nil, row)
		got := cells(t, string(written))
		if len(got) != len(row) {
			t.Fatalf("%s became %d cells", written, len(got))
		}
		for i := range row {
			if got[i].Status != row[i].Status || got[i].Error != row[i].Error || !bytes.Equal(got[i].Value.Raw(), row[i].Value.Raw()) {
				t.Fatalf("cell %d of %s became %+v", i, written, got[i])
			}
		}
	}
}

// FuzzParseRow checks that every text that parses is written back unchanged.
func FuzzParseRow(f *testing.F) {
	f.Add([]byte(`[null,true,"x",[{"a":"]"}]]`))
	f.Add([]byte(`[["\\"],[[]]]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := grid.ParseRow(text)
		if err != nil {
			return
		}
		written := grid.AppendRow(nil, got)
		again, err := grid.ParseRow(written)
		if err != nil || !bytes.Equal(grid.AppendRow(nil, again), written) {
			t.Errorf("%q was written as %q, and that read with %v", text, written, err)
		}
	})
}
