package dataset_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
)

// TestCSVRoundTrip writes tables with unusual text as CSV and checks that they
// are imported unchanged.
func TestCSVRoundTrip(t *testing.T) {
	t.Parallel()
	s := onSQLite(t)
	group := s.group("g")
	for seed := range uint64(60) {
		random := rand.New(rand.NewPCG(seed, 7))
		written := make([][]string, 1+random.IntN(80))
		file := strings.Builder{}
		file.WriteString("a,\"b\r\nb\",c\r\n")
		for i := range written {
			written[i] = oddRecord(random, 3)
			writeRecord(&file, random, written[i])
		}
		made := check.Must(s.imported(group, "a.csv", file.String()))(t)
		equal(t, made.Columns, []string{"a", "b\r\nb", "c"})
		got := make([][]string, 0, len(written))
		for _, row := range check.Must(s.ReadRows(s.ctx, s.workspace, made.ID, 0, 1000))(t) {
			texts := make([]string, len(row))
			for i, cell := range row {
				texts[i] = cell.Str()
			}
			got = append(got, texts)
		}
		equal(t, got, written)
	}
}

// oddParts are texts that a CSV reader could misinterpret.
var oddParts = []string{"\r", "\n", "\r\n", "\n\r", `"`, `""`, ",", "x", " ", "é", "日", "ÿ", "\ufffd", "\x00", "\ufeff", "a long text without anything odd"}

func oddRecord(random *rand.Rand, cells int) []string {
	record := make([]string, cells)
	for i := range record {
		for range random.IntN(8) {
			record[i] += oddParts[random.IntN(len(oddParts))]
		}
	}
	return record
}

// writeRecord quotes the cells that need it, and some others.
func writeRecord(file *strings.Builder, random *rand.Rand, record []string) {
	for i, cell := range record {
		if i > 0 {
			file.WriteByte(',')
		}
		if strings.ContainsAny(cell, "\r\n\",") || random.IntN(2) == 0 {
			cell = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
		}
		file.WriteString(cell)
	}
	file.WriteString([]string{"\n", "\r\n"}[random.IntN(2)])
}

// TestInvalidBytes puts bytes that are not UTF-8 into a table.
func TestInvalidBytes(t *testing.T) {
	t.Parallel()
	s := onSQLite(t)
	group := s.group("g")
	for _, b := range []byte{0x80, 0xc3, 0xed, 0xf5, 0xfe, 0xff} {
		for name, content := range map[string]string{
			"a cell":        "a\n%s\n",
			"a quoted cell": "a\n\"%s\n\"\n",
			"two lines":     "a\n\"\r%[1]s\r\n%[1]s\"\n",
			"a name":        "a%s\n",
			"a quoted name": "\"\r%s\"\n",
		} {
			t.Run(fmt.Sprintf("%x in %s", b, name), func(t *testing.T) {
				_, err := s.imported(group, "a.csv", fmt.Sprintf(content, string([]byte{b})))
				fails(t, err, fault.BadRequest, "not UTF-8")
			})
		}
	}
}
