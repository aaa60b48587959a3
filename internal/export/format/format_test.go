package format_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/export/format"
)

// columns has one column of each type, not in the order of the names.
var columns = []format.Column{
	{Name: "text", Type: format.Text}, {Name: "number", Type: format.Int}, {Name: "cost", Type: format.Float},
	{Name: "ok", Type: format.Bool}, {Name: "at", Type: format.Time}, {Name: "body", Type: format.JSON},
}

var table = [][]format.Value{
	{
		format.TextOf("=1+1"), format.IntOf(-5), format.FloatOf(0.1), format.BoolOf(true), format.TimeOf(1_700_000_000_123_456),
		format.JSONOf([]byte("{\"a\":\r\n [1,\n\"x\\ny\"]}")),
	},
	make([]format.Value, 6),
	{
		format.TextOf("a,\"b\"\nü"), format.IntOf(math.MaxInt64), format.FloatOf(1e300), format.BoolOf(false), format.TimeOf(0), format.JSONOf([]byte(`"=x"`)),
	},
}

func written(t *testing.T, o format.Options) []byte {
	t.Helper()
	var out bytes.Buffer
	w := check.Must(format.NewWriter(&out, columns, o))(t)
	for _, row := range table {
		check.OK(t, w.Write(row))
	}
	check.OK(t, w.Close())
	check.Equal(t, "rows", w.Count(), int64(len(table)))
	return out.Bytes()
}

const lines = `{"text":"=1+1","number":-5,"cost":0.1,"ok":true,"at":"2023-11-14T22:13:20.123456Z","body":{"a":   [1, "x\ny"]}}
{"text":null,"number":null,"cost":null,"ok":null,"at":null,"body":null}
{"text":"a,\"b\"\u000aü","number":9223372036854775807,"cost":1e+300,"ok":false,"at":"1970-01-01T00:00:00Z","body":"=x"}
`

func TestJSONL(t *testing.T) {
	t.Parallel()
	check.Equal(t, "lines", string(written(t, format.Options{Format: format.JSONL})), lines)
	for _, line := range strings.Split(strings.TrimSpace(lines), "\n") {
		check.Equal(t, "a line is JSON", json.Valid([]byte(line)), true)
	}
}

func TestCSV(t *testing.T) {
	t.Parallel()
	read := func(o format.Options) [][]string {
		return check.Must(csv.NewReader(bytes.NewReader(written(t, o))).ReadAll())(t)
	}
	want := [][]string{
		{"text", "number", "cost", "ok", "at", "body"},
		{"'=1+1", "-5", "0.1", "true", "2023-11-14T22:13:20.123456Z", "{\"a\":\n [1,\n\"x\\ny\"]}"},
		{"", "", "", "", "", ""},
		{"a,\"b\"\nü", "9223372036854775807", "1e+300", "false", "1970-01-01T00:00:00Z", `"=x"`},
	}
	check.Equal(t, "cells", read(format.Options{Format: format.CSV}), want)
	want[1][0] = "=1+1"
	check.Equal(t, "cells with formulas", read(format.Options{Format: format.CSV, KeepFormulas: true}), want)
}

func TestFormulas(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"=1", "+1", "-1", "@a", "\ta", "\ra", "\na", "＝1", "＋1", "－1", "＠a"} {
		check.Equal(t, "formula", format.Harmless(text), "'"+text)
	}
	for _, text := range []string{"", "a=1", "1", " =1", "'=1"} {
		check.Equal(t, "no formula", format.Harmless(text), text)
	}
}

func TestCompression(t *testing.T) {
	t.Parallel()
	packed := written(t, format.Options{Format: format.JSONL, Compression: format.Gzip})
	check.Equal(t, "gzip", string(check.Must(io.ReadAll(check.Must(gzip.NewReader(bytes.NewReader(packed)))(t)))(t)), lines)
	packed = written(t, format.Options{Format: format.JSONL, Compression: format.Zstd})
	check.Equal(t, "zstd", string(check.Must(io.ReadAll(check.Must(zstd.NewReader(bytes.NewReader(packed)))(t)))(t)), lines)
}

func TestParquet(t *testing.T) {
	t.Parallel()
	for _, compression := range append([]format.Compression{""}, format.Compressions...) {
		file := written(t, format.Options{Format: format.Parquet, Compression: compression})
		opened := check.Must(parquet.OpenFile(bytes.NewReader(file), int64(len(file))))(t)
		var names []string
		for _, f := range opened.Schema().Fields() {
			names = append(names, f.String())
		}
		check.Equal(t, "fields", names, []string{
			"export.text: optional binary (STRING);", "export.number: optional int64 (INT(64,true));", "export.cost: optional double;",
			"export.ok: optional boolean;", "export.at: optional int64 (TIMESTAMP(isAdjustedToUTC=true,unit=MICROS));",
			"export.body: optional binary (JSON);",
		})
		check.Equal(t, "rows of Parquet", cells(t, opened), []string{
			"=1+1|-5|0.1|true|1700000000123456|{\"a\":\r\n [1,\n\"x\\ny\"]}", "<null>|<null>|<null>|<null>|<null>|<null>",
			"a,\"b\"\nü|9223372036854775807|1e+300|false|0|\"=x\"",
		})
	}
}

// cells returns the values of each row.
func cells(t *testing.T, file *parquet.File) (list []string) {
	t.Helper()
	for _, group := range file.RowGroups() {
		rows := group.Rows()
		buffer := make([]parquet.Row, 10)
		for {
			n, err := rows.ReadRows(buffer)
			for _, row := range buffer[:n] {
				var texts []string
				for _, value := range row {
					texts = append(texts, value.String())
				}
				list = append(list, strings.Join(texts, "|"))
			}
			if errors.Is(err, io.EOF) {
				break
			}
			check.OK(t, err)
		}
		check.OK(t, rows.Close())
	}
	return list
}

// TestAny checks that values of any type are texts where there is no JSON.
func TestAny(t *testing.T) {
	t.Parallel()
	table := func(o format.Options) []byte {
		var out bytes.Buffer
		w := check.Must(format.NewWriter(&out, []format.Column{{Name: "=cell", Type: format.Any}}, o))(t)
		for _, cell := range []string{`"=1+1"`, `"say \"hi\""`, `-5`, `{"a":1}`, ``} {
			check.OK(t, w.Write([]format.Value{format.JSONOf([]byte(cell))}))
		}
		check.OK(t, w.Close())
		return out.Bytes()
	}
	check.Equal(t, "lines", string(table(format.Options{Format: format.JSONL})),
		`{"=cell":"=1+1"}`+"\n"+`{"=cell":"say \"hi\""}`+"\n"+`{"=cell":-5}`+"\n"+`{"=cell":{"a":1}}`+"\n"+`{"=cell":null}`+"\n")
	check.Equal(t, "cells of CSV", string(table(format.Options{Format: format.CSV})), "'=cell\n'=1+1\n\"say \"\"hi\"\"\"\n-5\n\"{\"\"a\"\":1}\"\n\"\"\n")
	file := table(format.Options{Format: format.Parquet})
	opened := check.Must(parquet.OpenFile(bytes.NewReader(file), int64(len(file))))(t)
	check.Equal(t, "cells of Parquet", cells(t, opened), []string{"=1+1", `say "hi"`, "-5", `{"a":1}`, "<null>"})
}

// TestParquetEndsGroups checks that rows do not pile up in memory, whether they are
// many or large.
func TestParquetEndsGroups(t *testing.T) {
	t.Parallel()
	large := format.JSONOf([]byte(`"` + strings.Repeat("x", 1<<20) + `"`))
	for _, test := range []struct {
		rows, groups int
		body         format.Value
	}{{100_001, 3, format.Value{}}, {30, 3, large}} {
		var out bytes.Buffer
		w := check.Must(format.NewWriter(&out, columns, format.Options{Format: format.Parquet}))(t)
		row := make([]format.Value, len(columns))
		row[5] = test.body
		for i := range test.rows {
			row[1] = format.IntOf(int64(i))
			check.OK(t, w.Write(row))
		}
		check.OK(t, w.Close())
		opened := check.Must(parquet.OpenFile(bytes.NewReader(out.Bytes()), int64(out.Len())))(t)
		check.Equal(t, "rows", opened.NumRows(), int64(test.rows))
		check.Equal(t, "row groups", len(opened.RowGroups()), test.groups)
	}
}

// TestParquetKeepsRows writes more groups than are encoded at the same time, with texts
// whose memory the caller uses again, and reads every value.
func TestParquetKeepsRows(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	w := check.Must(format.NewWriter(&out, columns, format.Options{Format: format.Parquet}))(t)
	const rows = 3000
	text := func(i int) string {
		if i%7 == 3 {
			return "" // no value
		}
		return fmt.Sprintf("%d %s", i, strings.Repeat(fmt.Sprint(i), i%977*(1+i%61)))
	}
	var body []byte
	for i := range rows {
		body = append(body[:0], text(i)...)
		row := make([]format.Value, len(columns))
		row[1], row[5] = format.IntOf(int64(i)), format.JSONOf(body)
		check.OK(t, w.Write(row))
	}
	check.OK(t, w.Close())
	opened := check.Must(parquet.OpenFile(bytes.NewReader(out.Bytes()), int64(out.Len())))(t)
	if groups := len(opened.RowGroups()); groups <= 4 {
		t.Fatalf("%d row groups", groups)
	}
	i := 0
	for _, group := range opened.RowGroups() {
		reader := group.Rows()
		buffer := make([]parquet.Row, 100)
		for {
			n, err := reader.ReadRows(buffer)
			for _, row := range buffer[:n] {
				check.Equal(t, "number", row[1].Int64(), int64(i))
				if want := text(i); row[5].IsNull() != (want == "") || !row[5].IsNull() && string(row[5].ByteArray()) != want {
					t.Fatalf("row %d has another text", i)
				}
				i++
			}
			if errors.Is(err, io.EOF) {
				break
			}
			check.OK(t, err)
		}
		check.OK(t, reader.Close())
	}
	check.Equal(t, "rows", i, rows)
}

func TestNames(t *testing.T) {
	t.Parallel()
	var got []string
	for _, f := range format.Formats {
		for _, c := range format.Compressions {
			o := format.Options{Format: f, Compression: c}
			got = append(got, o.Extension()+" "+o.MediaType())
		}
	}
	check.Equal(t, "names and types", got, []string{
		".jsonl application/x-ndjson", ".jsonl.gz application/gzip", ".jsonl.zst application/zstd",
		".csv text/csv; charset=utf-8", ".csv.gz application/gzip", ".csv.zst application/zstd",
		".parquet application/vnd.apache.parquet", ".parquet application/vnd.apache.parquet", ".parquet application/vnd.apache.parquet",
	})
}

// broken fails every write.
type broken struct{}

var errBroken = errors.New("no room")

// Write implements io.Writer.
func (broken) Write([]byte) (int, error) { return 0, errBroken }

// TestFailingFile checks that no format hides that its file cannot be written.
func TestFailingFile(t *testing.T) {
	t.Parallel()
	for _, f := range format.Formats {
		for _, c := range format.Compressions {
			err := func() error {
				w, err := format.NewWriter(broken{}, columns, format.Options{Format: f, Compression: c})
				if err != nil {
					return err
				}
				for range 1000 {
					if err := w.Write(table[0]); err != nil {
						return err
					}
				}
				return w.Close()
			}()
			if !errors.Is(err, errBroken) {
				t.Errorf("%s with %s: %v", f, c, err)
			}
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	body := []byte(`{"type":"chat","messages":[{"role":"user","content":"` + strings.Repeat("some words of a prompt ", 60) + `"}]}`)
	for _, f := range format.Formats {
		for _, c := range format.Compressions {
			b.Run(fmt.Sprintf("%s/%s", f, c), func(b *testing.B) {
				w := check.Must(format.NewWriter(io.Discard, columns, format.Options{Format: f, Compression: c}))(b)
				b.SetBytes(int64(len(body)))
				row := append([]format.Value{}, table[0]...)
				row[5] = format.JSONOf(body)
				for n := 0; b.Loop(); n++ {
					row[1] = format.IntOf(int64(n))
					check.OK(b, w.Write(row))
				}
				check.OK(b, w.Close())
			})
		}
	}
}
