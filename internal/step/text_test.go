package step_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/step"
)

func quoted(text string) string { return string(jsontree.AppendQuoted(nil, text)) }

func TestXMLPath(t *testing.T) {
	t.Parallel()
	document := `<?xml version="1.0"?><r xmlns:p="urn:p"><a id="1">one<b>bold</b></a><a id="2">two &amp; more</a><p:c><![CDATA[<raw>]]></p:c><e/></r>`
	values := `{"x":` + quoted(document) + `,"bad":"<a>","n":null,"doctype":"<!DOCTYPE r [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><r>&e;</r>"}`
	in := func(encoding, text string) string {
		return quoted(`<?xml version="1.0" encoding="` + encoding + `"?><r><a>` + text + `</a></r>`)
	}
	declared := `{"latin":` + in("ISO-8859-1", "é 日") + `,"wide":` + in("UTF-16", "é 日") + `,"unknown":` + in("none", "é 日") + `,"entity":` + in("UTF-16", "&e;") + `}`
	at := func(path string) string { return `{"source":"x","xml_path":` + quoted(path) + `}` }
	runExamples(t, "XML_PATH", step.Env{}, []example{
		{name: "text", config: at("/r/a"), values: values, want: `"onebold"`, sources: "x"},
		{name: "attribute", config: at("//a[2]/@id"), values: values, want: `"2"`},
		{name: "attribute as XML", config: `{"source":"x","xpath":"//a/@id","return_text":false}`, values: values, want: `"1"`},
		{name: "predicate", config: at(`//a[@id='2']`), values: values, want: `"two & more"`},
		{name: "text node", config: at("//a[1]/text()"), values: values, want: `"one"`},
		{name: "cdata", config: at("//p:c"), values: values, want: `"<raw>"`},
		{name: "cdata node", config: at("//p:c/text()"), values: values, want: `"<raw>"`},
		{name: "XML", config: `{"source":"x","xpath":"//a[1]","return_text":false}`, values: values, want: `"<a id=\"1\">one<b>bold</b></a>"`},
		{name: "all", config: `{"source":"x","xpath":"//a","type":"findall"}`, values: values, want: `["onebold","two & more"]`},
		{name: "return_all", config: `{"source":"x","xpath":"//a/b","return_all":true}`, values: values, want: `["bold"]`},
		{name: "type wins", config: `{"source":"x","xpath":"//a/b","return_all":true,"type":"find"}`, values: values, want: `"bold"`},
		{name: "none", config: at("//nothing"), values: values, want: `null`},
		{name: "none of all", config: `{"source":"x","xpath":"//nothing","type":"findall","return_text":null}`, values: values, want: `[]`},
		{name: "empty element", config: at("//e"), values: values, want: `""`},
		{name: "document", config: at("/"), values: values, want: `"oneboldtwo & more<raw>"`},
		{name: "from the outermost element", config: at("a/b"), values: values, want: `"bold"`},
		{name: "from there by a dot", config: at("./a[2]"), values: values, want: `"two & more"`},
		{name: "with the outermost element", config: at("r/a/b"), values: values, want: `"bold"`},
		{name: "not from the outermost element", config: at("/a/b"), values: values, want: `null`},
		{name: "number", config: at("count(//a)"), values: values, want: `"2"`},
		{name: "string", config: at("string(//a[2])"), values: values, want: `"two & more"`},
		{name: "boolean", config: at("count(//a) > 1"), values: values, want: `"true"`},
		{name: "one byte for a character", config: `{"source":"latin","xpath":"//a"}`, values: declared, want: `"é 日"`},
		{name: "two bytes for a character", config: `{"source":"wide","xpath":"//a"}`, values: declared, want: `"é 日"`},
		{name: "unknown encoding", config: `{"source":"unknown","xpath":"//a"}`, values: declared, want: `"é 日"`},
		{name: "entity in spite of an encoding", config: `{"source":"entity","xpath":"//a"}`, values: declared, fails: "not valid XML"},
		{name: "not XML", config: `{"source":"bad","xpath":"//a"}`, values: values, fails: "not valid XML"},
		{name: "null", config: `{"source":"n","xpath":"//a"}`, values: values, fails: "not valid XML"},
		{name: "external entity", config: `{"source":"doctype","xpath":"//r"}`, values: values, fails: "not valid XML"},
		{name: "not closed", config: at("//a["), refused: "invalid XPath"},
		{name: "unknown function", config: at("foo(//a)"), refused: "invalid XPath"},
		{name: "growing function", config: at("replace(//a, 'a', 'aaaa')"), refused: "unsupported function"},
		{name: "name of a function in quotes", config: at("//a[.='replace(']"), values: values, want: `null`},
		{name: "unknown type", config: `{"source":"x","xpath":"//a","type":"first"}`, refused: "type: Input should be '"},
		{name: "no path", config: `{"source":"x"}`, refused: "xml_path: Field required"},
	})
}

func TestHostileXML(t *testing.T) {
	t.Parallel()
	wide := "<r>" + strings.Repeat("<a/>", 5000) + "</r>"
	for name, c := range map[string]struct{ path, document, fails string }{
		"deep":         {"//*", strings.Repeat("<a>", 100_000) + strings.Repeat("</a>", 100_000), "nested deeper"},
		"nested loops": {"//*[//*[//*[count(//*) > count(//a)]]]", wide, "too many steps"},
		"large":        {"//a", strings.Repeat("a", 1<<20+1), "larger than"},
		"white space":  {"//a[count(//a[count(//a) > 0]) > 0]", "<r>" + strings.Repeat("<a/>", 1000) + strings.Repeat(" ", 900<<10) + "<a/></r>", "too many steps"},
		"concatenated": {"//a[concat(" + strings.Repeat("/,", 400) + "/)='']", "<r>" + strings.Repeat("<a/>", 1000) + strings.Repeat("x", 900<<10) + "</r>", "too many steps"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			prepared := mustPrepare(t, "XML_PATH", `{"source":"x","type":"findall","xpath":`+quoted(c.path)+`}`)
			began := time.Now()
			_, err := prepared.Run(t.Context(), &step.Env{Values: valuesOf(t, `{"x":`+quoted(c.document)+`}`)})
			wantFault(t, err, c.fails)
			if took := time.Since(began); took > timeout {
				t.Errorf("took %v", took)
			}
		})
	}
}

func TestXPathStopsWithContext(t *testing.T) {
	t.Parallel()
	prepared := mustPrepare(t, "XML_PATH", `{"source":"x","type":"findall","xpath":"//*[//*[//*[count(//*) > count(//a)]]]"}`)
	values := valuesOf(t, `{"x":`+quoted("<r>"+strings.Repeat("<a/>", 5000)+"</r>")+`}`)
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := prepared.Run(ctx, &step.Env{Values: values}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

func TestApplyDiff(t *testing.T) {
	t.Parallel()
	const before = "one\ntwo\nthree\nfour\nfive\n"
	row := func(text, diff string) string { return `{"o":` + quoted(text) + `,"d":` + quoted(diff) + `}` }
	const config = `{"original_source":"o","diff_source":"d"}`
	runExamples(t, "APPLY_DIFF", step.Env{}, []example{
		{name: "change", config: config, values: row(before, "--- a\n+++ b\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n"), want: quoted("one\n2\nthree\nfour\nfive\n"), sources: "o d"},
		{name: "other spelling", config: `{"sources":["o","d"]}`, values: row(before, "@@ -5 +5,2 @@\n five\n+six"), want: quoted(before + "six\n")},
		{name: "two hunks", config: config, values: row(before, "@@ -1 +1 @@\n-one\n+1\n@@ -4,2 +4 @@ place\n-four\n five\n"), want: quoted("1\ntwo\nthree\nfive\n")},
		{name: "insert at the start", config: config, values: row(before, "@@ -0,0 +1 @@\n+zero\n"), want: quoted("zero\n" + before)},
		{name: "insert behind a line", config: config, values: row("a\nb\n", "@@ -1,0 +2 @@\n+x\n"), want: quoted("a\nx\nb\n")},
		{name: "all is new", config: config, values: row("", "--- /dev/null\n+++ b\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n"), want: quoted("a\nb")},
		{name: "all is new and complete", config: config, values: row("", "@@ -0,0 +1,2 @@\n+a\n+b\n"), want: quoted("a\nb\n")},
		{name: "all goes", config: config, values: row("a\n", "@@ -1 +0,0 @@\n-a\n"), want: `""`},
		{name: "last line gets its line feed", config: config, values: row("a\nb", "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n"), want: quoted("a\nb\n")},
		{name: "last line loses its line feed", config: config, values: row("a\nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file\n"), want: quoted("a\nb")},
		{name: "no line feed before or after", config: config, values: row("a\nb", "@@ -1,2 +1,2 @@\n-a\n+A\n b"), want: quoted("A\nb")},
		{name: "empty context without its blank", config: config, values: row("a\n\nb\n", "@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n"), want: quoted("a\n\nc\n")},
		{name: "empty diff", config: config, values: row(before, " \n"), want: quoted(before)},
		{name: "null diff", config: config, values: `{"o":"a","d":null}`, want: `"a"`},
		{name: "context differs", config: config, values: row(before, "@@ -1,2 +1,2 @@\n one\n-TWO\n+2\n"), fails: "does not match the text at line 2"},
		{name: "beyond the end", config: config, values: row(before, "@@ -9,1 +9,1 @@\n-x\n+y\n"), fails: "there is no place"},
		{name: "backwards", config: config, values: row(before, "@@ -4 +4 @@\n-four\n+4\n@@ -1 +1 @@\n-one\n+1\n"), fails: "there is no place"},
		{name: "zero with old lines", config: config, values: row(before, "@@ -0,1 +1 @@\n-one\n+1\n"), fails: "there is no place"},
		{name: "broken off", config: config, values: row(before, "@@ -1,2 +1,2 @@\n one\n"), fails: "ends within a hunk"},
		{name: "too many lines", config: config, values: row(before, "@@ -1 +1 @@\n one\n two\n"), fails: "outside of its hunks"},
		{name: "more new lines than it says", config: config, values: row(before, "@@ -1 +1 @@\n+a\n+b\n-one\n"), fails: "more lines than it says"},
		{name: "bad header", config: config, values: row(before, "@@ nonsense @@\n one\n"), fails: "invalid hunk header"},
		{name: "no diff", config: config, values: row(before, "please change two to 2"), fails: "no hunk"},
		{name: "two files", config: config, values: row(before, "@@ -1 +1 @@\n-one\n+1\n--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n"), fails: "more than one file"},
		{name: "invalid line", config: config, values: row(before, "@@ -1,2 +1,2 @@\n one\n*two\n"), fails: "invalid line"},
		{name: "only one source", config: `{"original_source":"o"}`, refused: "diff_source: Field required"},
		{name: "no sources", config: `{"sources":["o"]}`, refused: "must name two sources"},
	})
}

func TestAssertValid(t *testing.T) {
	t.Parallel()
	const values = `{"j":"{\"a\":1}","b":"{","o":{},"n":" 1e3 ","x":"one","z":null,"t":true,"i":"inf"}`
	runExamples(t, "ASSERT_VALID", step.Env{}, []example{
		{name: "object", config: `{"source":"j","type":"object"}`, values: values, want: `true`},
		{name: "json", config: `{"source":"b","validation_type":"json"}`, values: values, want: `false`},
		{name: "an object itself", config: `{"source":"o","type":"object"}`, values: values, want: `true`},
		{name: "null", config: `{"source":"z","type":"object"}`, values: values, want: `false`},
		{name: "number", config: `{"source":"n","type":"number"}`, values: values, want: `true`},
		{name: "word", config: `{"source":"x","type":"number"}`, values: values, want: `false`},
		{name: "boolean", config: `{"source":"t","type":"number"}`, values: values, want: `false`},
		{name: "infinite", config: `{"source":"i","type":"number"}`, values: values, want: `false`},
		{name: "sql", config: `{"source":"x","type":"sql"}`, values: values, want: `false`},
		{name: "unknown", config: `{"source":"x","type":"xml"}`, refused: "type: Input should be '"},
	})
}

func TestSQL(t *testing.T) {
	t.Parallel()
	valid := []string{
		"SELECT 1", "select * from t where a = 'it''s; -- fine' and (b > 2 or c is not null) order by d desc limit 5;",
		"WITH x AS (SELECT 1) SELECT count(*) FROM x GROUP BY a HAVING count(*) > 1", "INSERT INTO t (a, b) VALUES (1, 'x'), (2, 'y')",
		"UPDATE t SET a = a + 1 WHERE b IN (1, 2)", "DELETE FROM t", "CREATE TABLE t (id INT PRIMARY KEY, n VARCHAR(10))", "BEGIN; COMMIT",
		"/* why */ SELECT a.\"b c\", `d` -- end\n FROM t AS a LEFT JOIN u ON a.x = u.x", "(SELECT 1) UNION (SELECT 2)", "SELECT -1, 'ü' || x FROM t",
	}
	invalid := []string{
		"", ";", "-- only a comment", "hello world", "SELECT", "SELECT FROM t", "SELECT a, FROM t", "SELECT a FROM t WHERE", "SELECT (a FROM t", "SELECT a) FROM t",
		"SELECT 'a", "SELECT a /* b", "INSERT t VALUES (1)", "UPDATE t", "DELETE t", "SELECT a FROM WHERE b = 1", "SELECT a FROM t WHERE b =", "SELECT 1; nonsense",
	}
	check := func(text string, want bool) {
		prepared := mustPrepare(t, "ASSERT_VALID", `{"source":"s","type":"sql"}`)
		got, err := prepared.Run(t.Context(), &step.Env{Values: valuesOf(t, `{"s":`+quoted(text)+`}`)})
		if err != nil || got.Bool() != want {
			t.Errorf("%q: %s, %v, want %v", text, got.Raw(), err, want)
		}
	}
	for _, text := range valid {
		check(text, true)
	}
	for _, text := range invalid {
		check(text, false)
	}
}
