package dataset_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/dataset"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

func TestFiles(t *testing.T) {
	t.Parallel()
	wide := strings.Repeat("a,", dataset.MaxColumns)
	tests := map[string]struct {
		name, content string
		columns, rows []string
		refused       string
	}{
		"numbers of a table stay text": {
			name: "a.csv", content: "a,b\n1,true\n",
			columns: []string{"a", "b"}, rows: []string{`"1" "true"`},
		},
		"quotes, commas and line breaks": {
			name: "a.csv", content: "a\r\n\"x, \"\"y\"\"\r\nz\"\r\n",
			columns: []string{"a"}, rows: []string{`"x, \"y\"\u000d\u000az"`},
		},
		"a carriage return without quotes": {
			name: "a.csv", content: "a\nx\ry\r\n", columns: []string{"a"}, rows: []string{`"x\u000dy"`},
		},
		"byte order mark before a name": {
			name: "a.csv", content: "\xef\xbb\xbfa\nb", columns: []string{"a"}, rows: []string{`"b"`},
		},
		"a byte order mark before a list": {
			name: "a.json", content: "\xef\xbb\xbf[{\"a\":1}]", columns: []string{"a"}, rows: []string{`1`},
		},
		"short lines end with null, and blank ones do not count": {
			name: "a.csv", content: "a,b\n\n1\n\n,\n", columns: []string{"a", "b"}, rows: []string{`"1" null`, `"" ""`},
		},
		"duplicate names are numbered without conflicts": {
			name: "a.csv", content: "x,x,x_2,x\n1,2,3,4\n", columns: []string{"x", "x_3", "x_2", "x_4"}, rows: []string{`"1" "2" "3" "4"`},
		},
		"NUL in a table": {
			name: "a.csv", content: "a\n\x00\n", columns: []string{"a"}, rows: []string{`"\u0000"`},
		},
		"values of a list stay as they are": {
			name: "a.json", content: ` [ {"b": 1.50, "a": "\u00e9\u0000"}, {"c": {"x": [ 1, null ]}, "b": 1e400} ] `,
			columns: []string{"b", "a", "c"}, rows: []string{`1.50 "\u00e9\u0000" null`, `1e400 null {"x":[1,null]}`},
		},
		"the last of equal keys wins": {
			name: "a.json", content: `[{"a":1,"a":2}]`, columns: []string{"a"}, rows: []string{`2`},
		},
		"an object without keys":   {name: "a.json", content: `[{}, {"a": 1}]`, columns: []string{"a"}, rows: []string{`null`, `1`}},
		"a key without letters":    {name: "a.json", content: `[{"": 1}]`, columns: []string{""}, rows: []string{`1`}},
		"an empty list":            {name: "a.json", content: `[]`, columns: []string{}, rows: []string{}},
		"only a header":            {name: "a.csv", content: `a`, columns: []string{"a"}, rows: []string{}},
		"a capital ending":         {name: "A.JSON", content: `[]`, columns: []string{}, rows: []string{}},
		"another ending":           {name: "csv", content: "a\n", refused: ".csv or .json"},
		"an empty table":           {name: "a.csv", content: "\n\n", refused: "no header"},
		"a blank name":             {name: "a.csv", content: "a, \n", refused: "column 2 is empty"},
		"invalid UTF-8 in a name":  {name: "a.csv", content: "a\xff\n", refused: "not UTF-8"},
		"invalid UTF-8 in a cell":  {name: "a.csv", content: "a\n\"\xff\n\"\n", refused: "line 2: the text is not UTF-8"},
		"a line with too many":     {name: "a.csv", content: "a\n1\n1,2\n", refused: "line 3: there are 2 fields"},
		"a quote without an end":   {name: "a.csv", content: "a\n\"b\r\n", refused: "line 2: extraneous"},
		"a loose quote":            {name: "a.csv", content: "a\nb\"c\n", refused: "line 2: bare"},
		"too many columns":         {name: "a.csv", content: wide + "z\n", refused: "more than 2000 columns"},
		"too many keys":            {name: "a.json", content: manyKeys(dataset.MaxColumns + 1), refused: "more than 2000 columns"},
		"an empty file of a list":  {name: "a.json", content: " ", refused: "list of objects"},
		"a text in a list":         {name: "a.json", content: `["a"]`, refused: "element 1 of the list must be an object: it is a string"},
		"an unterminated list":     {name: "a.json", content: `[{}`, refused: "does not end"},
		"no comma":                 {name: "a.json", content: `[{} {}]`, refused: "Invalid file format"},
		"invalid UTF-8 in text":    {name: "a.json", content: "[{\"a\":\"\xff\"}]", refused: "UTF-8"},
		"nested too deep":          {name: "a.json", content: `[{"a":` + strings.Repeat("[", 300) + strings.Repeat("]", 300) + `}]`, refused: "deeper"},
		"nested beyond all bounds": {name: "a.json", content: `[` + strings.Repeat("[", 100_000), refused: "Invalid file format"},
	}
	s := onSQLite(t)
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			group := s.group(name)
			got, err := s.imported(group, test.name, test.content)
			if test.refused != "" {
				fails(t, err, fault.BadRequest, test.refused)
				return
			}
			check.OK(t, err)
			equal(t, got.Columns, test.columns)
			equal(t, s.rows(got), test.rows)
			equal(t, []int64{got.Number, got.RowCount}, []int64{1, int64(len(test.rows))})
		})
	}
	left := check.Must(os.ReadDir(s.uploads))(t)
	equal(t, len(left), 0)
}

func manyKeys(n int) string {
	object := strings.Builder{}
	for i := range n {
		object.WriteString(`,"` + strings.Repeat("k", i) + `":1`)
	}
	return "[{" + object.String()[1:] + "}]"
}

// TestRejectedFileLeavesNothing imports files with an error at their end.
func TestRejectedFileLeavesNothing(t *testing.T) {
	onEachEngine(t, func(t *testing.T, s *shelf) {
		group := s.group("g")
		broken := "a\n" + strings.Repeat("x\n", 2000) + "1,2\n"
		_, err := s.imported(group, "a.csv", broken)
		fails(t, err, fault.BadRequest, "line 2002")
		s.clock.Advance(24 * time.Hour)
		equal(t, check.Must(s.catalog.Datasets.LooseContent(s.ctx, s.clock.Now()))(t), []int64{})
		after, _, err := s.List(s.ctx, dataset.ListQuery{Filters: entity.Query{WorkspaceID: s.workspace}})
		check.OK(t, err)
		equal(t, after[0].Number, int64(dataset.DraftNumber))
	})
}

// TestSweepAfterCrash leaves rows without a dataset, and then imports a file.
func TestSweepAfterCrash(t *testing.T) {
	onEachEngine(t, func(t *testing.T, s *shelf) {
		group := s.group("g")
		left := check.Must(s.catalog.Datasets.CreateContent(s.ctx, s.workspace))(t)
		check.OK(t, s.catalog.Datasets.AddRows(s.ctx, left, 0, []string{`["x"]`}))
		check.Must(s.imported(group, "a.csv", "a\n1\n"))(t)
		equal(t, len(check.Must(s.catalog.Datasets.ReadRows(s.ctx, left, 0, 1, 1))(t)), 1)
		s.clock.Advance(2 * time.Hour)
		kept := check.Must(s.imported(group, "a.csv", "a\n2\n"))(t)
		equal(t, len(check.Must(s.catalog.Datasets.ReadRows(s.ctx, left, 0, 1, 1))(t)), 0)
		s.clock.Advance(2 * time.Hour)
		check.OK(t, s.Sweep(s.ctx))
		equal(t, check.Must(s.catalog.Datasets.LooseContent(s.ctx, s.clock.Now()))(t), []int64{})
		equal(t, s.rows(kept), []string{`"2"`})
	})
}

func TestUploads(t *testing.T) {
	t.Parallel()
	s := onSQLite(t)
	group := s.group("g")
	create := func(upload *dataset.Upload) error {
		_, err := s.CreateFromFile(s.ctx, s.workspace, dataset.FileInput{GroupID: group, Name: "a.csv", File: upload})
		return err
	}
	upload := check.Must(s.NewUpload(s.ctx, s.workspace))(t)
	check.OK(t, upload.ReadBase64(strings.NewReader("a*==")))
	fails(t, create(upload), fault.BadRequest, "not valid base64")
	// The last text wins, even if earlier ones were invalid.
	check.OK(t, upload.ReadBase64(strings.NewReader(base64.StdEncoding.EncodeToString([]byte("a\nlong line\n")))))
	check.OK(t, upload.ReadBase64(strings.NewReader("YQ\r\no=")))
	check.OK(t, create(upload))
	equal(t, s.rows(check.Must(s.Version(s.ctx, s.workspace, group, nil))(t)), []string{})
	gone := errors.New("gone")
	if err := upload.ReadBase64(io.MultiReader(strings.NewReader("YQ"), iotest.ErrReader(gone))); !errors.Is(err, gone) {
		t.Errorf("a broken connection is reported as %v", err)
	}
	check.OK(t, upload.Close())
}

func TestTooLargeFile(t *testing.T) {
	t.Parallel()
	s := onSQLite(t)
	upload := check.Must(s.NewUpload(s.ctx, s.workspace))(t)
	defer func() { check.OK(t, upload.Close()) }()
	text := io.LimitReader(letters{}, (dataset.MaxFileSize+1)/3*4+4)
	check.OK(t, upload.ReadBase64(text))
	_, err := s.CreateFromFile(s.ctx, s.workspace, dataset.FileInput{GroupID: s.group("g"), Name: "a.csv", File: upload})
	fails(t, err, fault.BadRequest, "larger than 104857600 bytes")
}

// letters is an endless base64 text.
type letters struct{}

var manyLetters = bytes.Repeat([]byte("A"), 64<<10)

func (letters) Read(p []byte) (int, error) { return copy(p, manyLetters), nil }

// TestTooLargeRow imports rows that must not be read into memory.
func TestTooLargeRow(t *testing.T) {
	t.Parallel()
	s := onSQLite(t)
	group := s.group("g")
	long := strings.Repeat("x", 41<<20)
	_, err := s.imported(group, "a.csv", "a\n1\n\""+long+"\"\n")
	fails(t, err, fault.BadRequest, "a row takes more than 41943040 bytes")
	_, err = s.imported(group, "a.json", `[{"a":1},{"a":"`+long+`"}]`)
	fails(t, err, fault.BadRequest, "a row takes more than 41943040 bytes")
	made := check.Must(s.imported(group, "a.csv", "a\n"+long[:39<<20]+"\n"+long[:39<<20]+"\n"))(t)
	equal(t, made.RowCount, int64(2))
}
