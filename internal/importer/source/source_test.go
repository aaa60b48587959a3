package source_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/importer/source"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// rowsOf reads all rows of a file.
func rowsOf(t testing.TB, file string, options source.Options) (format source.Format, rows []source.Row, err error) {
	t.Helper()
	check.OK(t, options.Check())
	r, err := source.NewReader(strings.NewReader(file), options)
	if err != nil {
		return "", nil, err
	}
	for {
		row, err := r.Next()
		if errors.Is(err, io.EOF) {
			return r.Format(), rows, nil
		}
		if err != nil {
			return r.Format(), rows, err
		}
		rows = append(rows, row)
	}
}

// logOf checks the body of a row as an import does.
func logOf(row source.Row) (*reqlog.Log, error) {
	body, err := jsontree.Parse(row.Body)
	if err != nil {
		return nil, err
	}
	var problems fault.Problems
	in := reqlog.DecodeImported(body, []any{"body"}, &problems)
	return in.Log, problems.Err()
}

// told describes rows: what is wrong with them, or what their logs are.
func told(rows []source.Row) string {
	var text strings.Builder
	for _, row := range rows {
		fmt.Fprintf(&text, "%d@%d ", row.Number, row.Line)
		switch l, err := logOf(row); {
		case row.Refused != "":
			fmt.Fprintf(&text, "refused: %s\n", row.Refused)
		case row.Ignored != "":
			fmt.Fprintf(&text, "ignored: %s\n", row.Ignored)
		case err != nil:
			fmt.Fprintf(&text, "invalid: %v\n", err)
		default:
			reqlog.Derive(l)
			fmt.Fprintf(&text, "%s %s/%s %q->%q %s +%gms", row.ID, l.Provider, l.Engine, l.Index.InputText, l.Index.OutputText,
				l.Start.Time().Format("2006-01-02T15:04:05.999999"), l.LatencyMS())
			if l.Usage.Total().N > 0 {
				fmt.Fprintf(&text, " %d+%d", l.Usage.Input.N, l.Usage.Output.N)
			}
			if l.Price.Known() {
				fmt.Fprintf(&text, " $%g", l.Price.USD)
			}
			if l.Status != reqlog.StatusSuccess {
				fmt.Fprintf(&text, " %s %s %q", l.Status, l.ErrorType, l.ErrorMessage)
			}
			for _, m := range l.Metadata {
				fmt.Fprintf(&text, " %s=%s", m.Key, m.Value)
			}
			fmt.Fprintf(&text, " %v %v %s\n", l.Tags, l.Scores, l.SpanID)
		}
	}
	return text.String()
}

func wantRows(t *testing.T, file string, options source.Options, format source.Format, want string) {
	t.Helper()
	got, rows, err := rowsOf(t, file, options)
	check.OK(t, err)
	check.Equal(t, "format", got, format)
	if diff := cmp.Diff(strings.TrimSpace(want), strings.TrimSpace(told(rows))); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

func wantFault(t *testing.T, file string, options source.Options, message string) {
	t.Helper()
	_, _, err := rowsOf(t, file, options)
	check.Refused(t, err, fault.BadRequest, message)
}

const ownLog = `"input":{"type":"chat","messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}]},` +
	`"output":{"type":"chat","messages":[{"role":"assistant","content":[{"type":"text","text":"ho"}]}]}`

// TestPromptuary reads logs as this program returns and takes them.
func TestPromptuary(t *testing.T) {
	t.Parallel()
	call := `{"provider":"openai","model":"gpt-4o",` + ownLog + `,"request_start_time":"2025-03-15T10:30:00Z","request_end_time":1742034601.5,` +
		`"metadata":{"k":[1]},"tags":["a","a"],"price":0.25,"input_tokens":3}`
	returned := `{"success":true,"id":7,"request_id":7,"workspace_id":1,"provider_type":"anthropic","engine":"claude-3","function_kwargs":{` +
		`"input":{"type":"completion","content":[{"type":"text","text":"a"}]},"parameters":{"top_k":1}},"request_response":{"output":{"type":"completion","content":[]}},` +
		`"request_start_time":"2025-03-15T10:30:00Z","request_end_time":"2025-03-15T10:30:01Z","status":"ERROR","error_type":"PROVIDER_TIMEOUT","error_message":"late",` +
		`"metadata":[{"k":"v"},{"n":{"x":1}}],"scores":[{"name":"default","score":90},{"name":"q","score":1},{"name":"q","score":2}],"score":90,"tags_array":["z"],"span_id":"s1"}`
	wantRows(t, call+"\n\n"+returned+"\r\n{\"provider\":1}", source.Options{}, source.Promptuary, `
1@1  openai/gpt-4o "hi"->"ho" 2025-03-15T10:30:00 +1500ms 3+0 $0.25 k=[1] [a] [] 
2@3 7 anthropic/claude-3 "a"->"" 2025-03-15T10:30:00 +1000ms ERROR PROVIDER_TIMEOUT "late" k="v" n={"x":1} [z] [{default 90} {q 2}] s1
3@4 invalid: provider: Input should be a valid string`)
	wantRows(t, "["+call+",\n"+returned+"]", source.Options{}, source.Promptuary, `
1@1  openai/gpt-4o "hi"->"ho" 2025-03-15T10:30:00 +1500ms 3+0 $0.25 k=[1] [a] [] 
2@2 7 anthropic/claude-3 "a"->"" 2025-03-15T10:30:00 +1000ms ERROR PROVIDER_TIMEOUT "late" k="v" n={"x":1} [z] [{default 90} {q 2}] s1`)
}

// TestOpenAI reads pairs of requests and responses, outputs of batches, and
// conversations.
func TestOpenAI(t *testing.T) {
	t.Parallel()
	answer := `{"id":"chatcmpl-1","object":"chat.completion","created":1742034600,"model":"gpt-4o-2024-08-06","choices":[{"index":0,"message":{"role":"assistant","content":"ho"}}],"usage":{"prompt_tokens":3,"completion_tokens":4}}`
	ask := `{"model":"gpt-4o","messages":[{"role":"user","content":"hi"}],"temperature":0}`
	wantRows(t, strings.Join([]string{
		`{"request":` + ask + `,"response":` + answer + `,"latency_ms":1500,"metadata":{"a":"b"}}`,
		`{"id":"batch_req_1","custom_id":"c-1","response":{"status_code":200,"request_id":"r","body":` + answer + `},"error":null}`,
		`{"id":"batch_req_2","custom_id":"c-2","response":{"status_code":429,"body":{"error":{"message":"slow down"}}},"error":null,"timestamp":"2025-03-15"}`,
		`{"custom_id":"c-3","method":"POST","url":"/v1/chat/completions","body":` + ask + `}`,
		`{"messages":[{"role":"system","content":"be"},{"role":"user","content":"hi"},{"role":"assistant","content":"ho"}],"model":"claude-3-opus","created_at":1742034600}`,
		`{"request":` + ask + `}`,
		`{"request":` + ask + `,"response":{"choices":[]}}`,
		`{"request":{"model":"gpt-5","input":"hi"},"response":{"object":"response","created_at":1742034600,"output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"ho"}]}]},"end_time":1742034602}`,
		`[]`, `{"a":`,
	}, "\n"), source.Options{}, source.OpenAI, `
1@1 chatcmpl-1 openai/gpt-4o "hi"->"ho" 2025-03-15T10:30:00 +1500ms 3+4 a="b" [] [] 
2@2 chatcmpl-1 openai/gpt-4o-2024-08-06 ""->"ho" 2025-03-15T10:30:00 +0ms 3+4 custom_id="c-1" [] [] 
3@3 invalid: model: Field required
4@4 ignored: The row is the input of a batch, without a response
5@5  anthropic/claude-3-opus "be\n\nhi"->"ho" 2025-03-15T10:30:00 +0ms [] [] 
6@6 refused: The row has neither a response nor an error
7@7 invalid: request_start_time: Field required
8@8  openai/gpt-5 "hi"->"ho" 2025-03-15T10:30:00 +2000ms [] [] 
9@9 refused: Not a JSON object, but an array
10@10 refused: Not valid JSON: unexpected end of text at byte 5`)
}

// TestDefaults fills what rows lack, and nothing else.
func TestDefaults(t *testing.T) {
	t.Parallel()
	row := `{"custom_id":"c","response":{"status_code":500},"error":{"message":"` + strings.Repeat("é", 2000) + `"},"provider":"mine"}`
	wantRows(t, row, source.Options{Format: source.OpenAI, Defaults: map[string]string{
		"provider": "other", "model": "m", "request_start_time": "2025-01-01", "request_end_time": "2025-01-02", "metadata.from": "x", "metadata.custom_id": "no", "input_tokens": "5",
	}}, source.OpenAI, `1@1 c mine/m ""->"" 2025-01-01T00:00:00 +8.64e+07ms 5+0 ERROR PROVIDER_ERROR "`+strings.Repeat("é", 1023)+`…" custom_id="c" from="x" [] [] `)
}

// TestLangfuse reads observations in both ways of writing.
func TestLangfuse(t *testing.T) {
	t.Parallel()
	wantRows(t, `[
 {"id":"o1","trace_id":"t1","type":"GENERATION","name":"answer","start_time":"2024-05-29 13:46:19.963000","end_time":"2024-05-29 13:46:20.963000",
  "provided_model_name":"gpt-4o","model_parameters":"{\"temperature\":0.5}","input":"[{\"role\":\"user\",\"content\":\"hi\"}]","output":"{\"role\":\"assistant\",\"content\":\"ho\"}",
  "usage_details":{"input":10,"input_cached_tokens":5,"output":7,"total":22},"cost_details":{"input":0.1,"total":0.3},"total_cost":0.3,"level":"DEFAULT","status_message":null,
  "metadata":{"plan":"gold"},"user_id":"u","session_id":"","tags":["a"],"environment":"default"},
 {"id":"o2","traceId":"t1","type":"SPAN","startTime":"2024-05-29T13:46:19.963Z","model":null},
 {"id":"o3","traceId":"t2","type":"GENERATION","startTime":"2024-05-29T13:46:19.963Z","endTime":null,"latency":2.5,"model":"claude-3-opus","input":{"messages":[{"role":"user","content":"hey"}]},
  "output":"done","usage":{"promptTokens":1,"completionTokens":2,"totalTokens":3},"calculatedTotalCost":"0.00012","level":"ERROR","statusMessage":"broke","promptName":"p","promptVersion":3},
 {"id":"o4","traceId":"t2","type":"GENERATION","startTime":"2024-05-29T13:46:19.963Z","model":"llama","input":{"question":"why"},"output":[1,2]},
 {"id":"t2","timestamp":"2024-05-29T13:46:19.963Z","name":"trace"}
]
`, source.Options{}, source.Langfuse, `
1@2 o1 openai/gpt-4o "hi"->"ho" 2024-05-29T13:46:19.963 +1000ms 15+7 $0.3 plan="gold" user_id="u" trace_id="t1" name="answer" environment="default" [a] [] 
2@6 ignored: An observation of type SPAN is not a request to a model
3@7 o3 anthropic/claude-3-opus "hey"->"done" 2024-05-29T13:46:19.963 +2500ms 1+2 $0.00012 ERROR PROVIDER_ERROR "broke" trace_id="t2" [] [] 
4@9 invalid: provider: Field required
5@10 ignored: A trace is not a request to a model`)
	wantRows(t, `{"id":"o4","trace_id":"t2","type":"GENERATION","start_time":"2024-05-29T13:46:19.963Z","model":"llama","input":{"question":"why"},"output":[1,2]}`,
		source.Options{Defaults: map[string]string{"provider": "local"}}, source.Langfuse,
		`1@1 o4 local/llama "{\"question\":\"why\"}"->"[1,2]" 2024-05-29T13:46:19.963 +0ms trace_id="t2" [] []`)
}

// TestTables reads tables whose columns are mapped or recognised.
func TestTables(t *testing.T) {
	t.Parallel()
	wantRows(t, "Frage;Antwort;Modell;Zeit;ms;Kosten;Kunde\n"+
		"\"hi\r\nthere; you\";ho;gpt-4o;2025-03-15 10:30:00;1500;$0.5;ada\n\nshort;\n\"[{\"\"role\"\":\"\"system\"\",\"\"content\"\":\"\"be\"\"},{\"\"role\"\":\"\"user\"\",\"\"content\"\":\"\"x\"\"}]\";y;m;1742034600;x;no;;\na;b;m;1742034600;;;;too much\n",
		source.Options{
			Columns:  map[string]string{"input": "Frage", "output": "Antwort", "model": "Modell", "request_start_time": "Zeit", "latency_ms": "ms", "price": "Kosten", "metadata.customer": "Kunde"},
			Defaults: map[string]string{"provider": "openai"},
		}, source.CSV, `
1@2  openai/gpt-4o "hi\r\nthere; you"->"ho" 2025-03-15T10:30:00 +1500ms $0.5 customer="ada" [] [] 
2@5 invalid: model: Field required
3@6 refused: The row has 8 cells, but there are 7 columns
4@7 refused: The row has 8 cells, but there are 7 columns`)
	wantRows(t, "\ufeffrequest_id,engine,provider_type,prompt,response,request_start_time,request_end_time,tags,metadata,score,status,metadata.env,Input Variables\n"+
		`12,gpt-4o,openai.azure,"{""type"":""completion"",""content"":[{""type"":""text"",""text"":""hi""}]}",ho,2025-03-15T10:30:00Z,2025-03-15T10:30:01Z,"a, b","{""k"":1}",90,200,prod,"{""n"":1}"`+"\n"+
		`13,gpt-4o,openai,hi,ho,2025-03-15T10:30:00Z,2025-03-15T10:30:01Z,"[""x,y""]",no json,,,,`+"\n"+
		"14,\xff,openai,hi,ho,,,,,,,,\n", source.Options{}, source.PromptLayer, `
1@2 12 openai.azure/gpt-4o "hi"->"ho" 2025-03-15T10:30:00 +1000ms k=1 env="prod" [a b] [{default 90}] 
2@3 refused: metadata: Input should be a JSON object
3@4 refused: model: the text is not valid UTF-8`)
	wantRows(t, "\n\nprompt\tmodel\nhi\tgpt-4o\n", source.Options{Defaults: map[string]string{"request_start_time": "2025-03-15", "request_end_time": "2025-03-15"}}, source.CSV,
		`1@4  openai/gpt-4o "hi"->"" 2025-03-15T00:00:00 +0ms [] []`)
}

// TestFaults are files that cannot be read at all, or not to their end.
func TestFaults(t *testing.T) {
	t.Parallel()
	none := source.Options{}
	for file, message := range map[string]string{
		"":                                    "The file is empty",
		" \n\t ":                              "The file is empty",
		"\xff\xfea\x00":                       "The file is in UTF-16: convert it to UTF-8",
		"\x1f\x8b nonsense":                   "The compressed file is damaged or incomplete",
		`{"a":1}`:                             "The format of the file is not recognised: choose one of promptuary, promptlayer, langfuse, openai, csv",
		`{`:                                   "The format of the file is not recognised: choose one of promptuary, promptlayer, langfuse, openai, csv",
		`a,b`:                                 "No column is the input: map one of a, b",
		`prompt,b`:                            "No column is the model: map one of prompt, b",
		"prompt,model,model\na,b":             `Two columns have the name "model"`,
		"prompt,model\n\"a,b\nc,d":            "Line 2: extraneous or missing \" in quoted-field",
		"prompt,model\n\n\na\"b,c":            "Line 4: bare \" in non-quoted-field",
		strings.Repeat(",", 1000):             "The table has more than 1000 columns",
		"a," + strings.Repeat("b", 501):       "The name of column 2 is longer than 500 bytes: the first row should have the names of the columns",
		strings.Repeat("a,", 500)[:100] + "b": `Two columns have the name "a"`,
		"prompt,\xff":                         "The name of column 2 is not valid UTF-8",
	} {
		wantFault(t, file, none, message)
	}
	wantFault(t, "[{}\n,\n{", source.Options{Format: source.OpenAI}, "Line 3: the JSON array has no end")
	wantFault(t, "[{}]\n x", source.Options{Format: source.OpenAI}, "Line 2: there is something after the end of the JSON array")
	wantFault(t, `{}`, source.Options{Format: source.CSV}, `The file is not a table: it begins with '{'`)
	wantFault(t, `{}`, source.Options{Columns: map[string]string{"input": "a"}}, `The file is not a table: it begins with '{'`)
	wantFault(t, `a,b`, source.Options{Format: source.OpenAI}, "The file has no JSON objects, which the format openai requires")
	wantFault(t, `a,b`, source.Options{Columns: map[string]string{"input": "c"}}, `The table has no column "c" for input; it has a, b`)
}

// TestOptions are options that do not fit together.
func TestOptions(t *testing.T) {
	t.Parallel()
	for message, o := range map[string]source.Options{
		`Unknown format "x"; the formats are promptuary, promptlayer, langfuse, openai, csv`:   {Format: "x"},
		`Only tables have columns to map; the format is openai`:                                {Format: source.OpenAI, Columns: map[string]string{"input": "a"}},
		`Unknown field "x"; the fields are ` + strings.Join(source.FieldNames(), ", "):         {Columns: map[string]string{"x": "a"}},
		`Unknown field "metadata."; the fields are ` + strings.Join(source.FieldNames(), ", "): {Defaults: map[string]string{"metadata.": "a"}},
	} {
		check.Refused(t, o.Check(), fault.BadRequest, message)
	}
}

// zeros is an endless file of one byte.
type zeros struct{ c byte }

func (z zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = z.c
	}
	return len(p), nil
}

func gzipped(t testing.TB, from io.Reader) string {
	t.Helper()
	var packed bytes.Buffer
	w := check.Must(gzip.NewWriterLevel(&packed, gzip.BestSpeed))(t)
	check.Must(io.Copy(w, from))(t)
	check.OK(t, w.Close())
	return packed.String()
}

func zstded(t testing.TB, from io.Reader) string {
	t.Helper()
	var packed bytes.Buffer
	w := check.Must(zstd.NewWriter(&packed, zstd.WithEncoderLevel(zstd.SpeedFastest)))(t)
	check.Must(io.Copy(w, from))(t)
	check.OK(t, w.Close())
	return packed.String()
}

// TestCompressed reads compressed files.
func TestCompressed(t *testing.T) {
	t.Parallel()
	file := `{"messages":[],"model":"gpt-4o","created":1742034600}` + "\n"
	for _, packed := range []string{gzipped(t, strings.NewReader(file)), zstded(t, strings.NewReader(file))} {
		wantRows(t, packed, source.Options{}, source.OpenAI, `1@1  openai/gpt-4o ""->"" 2025-03-15T10:30:00 +0ms [] []`)
		wantFault(t, packed[:len(packed)-3], source.Options{Format: source.OpenAI}, "The compressed file is damaged or incomplete")
	}
}

// TestBombs are compressed files with far more content than they seem to have.
func TestBombs(t *testing.T) {
	t.Parallel()
	const size = 160 << 20
	for _, c := range []byte{' ', '{', 'a'} {
		for _, packed := range []string{gzipped(t, io.LimitReader(zeros{c}, size)), zstded(t, io.LimitReader(zeros{c}, size))} {
			_, rows, err := rowsOf(t, packed, source.Options{Format: map[byte]source.Format{'a': source.CSV, ' ': "", '{': source.OpenAI}[c]})
			if err == nil {
				t.Errorf("a bomb of %q was read, with %d rows", c, len(rows))
			}
			check.Fault(t, err, fault.BadRequest)
		}
	}
}

// TestLongRows refuses rows that are too large and continues after them, with the
// memory of one row.
func TestLongRows(t *testing.T) {
	t.Parallel()
	long := func() io.Reader { return io.LimitReader(zeros{'a'}, 40<<20) }
	row := `{"messages":[],"model":"gpt-4o","created":1742034600}`
	for _, file := range []io.Reader{
		io.MultiReader(strings.NewReader(`{"messages":"`), long(), strings.NewReader("\"}\n"+row)),
		io.MultiReader(strings.NewReader(`[{"messages":"`), long(), strings.NewReader("\"},\n"+row+"]")),
	} {
		r := check.Must(source.NewReader(file, source.Options{Format: source.OpenAI}))(t)
		first, second := check.Must(r.Next())(t), check.Must(r.Next())(t)
		check.Equal(t, "rows", told([]source.Row{first, second}), fmt.Sprintf("1@1 refused: The row is larger than %d bytes\n"+
			"2@2  openai/gpt-4o \"\"->\"\" 2025-03-15T10:30:00 +0ms [] [] \n", source.MaxRow))
	}
	r := check.Must(source.NewReader(io.MultiReader(strings.NewReader("prompt,model\na,b\nc,\"d"), zeros{'a'}), source.Options{}))(t)
	check.Must(r.Next())(t)
	check.Refused(t, check.Failure(r.Next()), fault.BadRequest, fmt.Sprintf("Line 3: the row is larger than %d bytes; a quote may be missing", source.MaxRow))
}

// TestDeepRows refuses rows that are nested too deeply.
func TestDeepRows(t *testing.T) {
	t.Parallel()
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	_, rows, err := rowsOf(t, `{"messages":`+deep(300)+"}\n"+`{"messages":`+deep(198)+`,"model":"m","created":1}`+"\n"+`{"input":"`+deep(100_000)+`","output":"\u0000"}`, source.Options{Format: source.OpenAI})
	check.OK(t, err)
	check.Equal(t, "rows", len(rows), 3)
	check.Equal(t, "reason", rows[0].Refused, "Not valid JSON: nested deeper than 200 levels at byte 211")
}

// failing is a file that cannot be read any further.
type failing struct{}

var errStorage = errors.New("disk is gone")

func (failing) Read([]byte) (int, error) { return 0, errStorage }

// TestStorageFails tells a failure of the storage from a wrong file.
func TestStorageFails(t *testing.T) {
	t.Parallel()
	packed := gzipped(t, strings.NewReader(strings.Repeat("{}\n", 1000)))
	for head, format := range map[string]source.Format{"": "", "{": "", "{}\n": source.OpenAI, "[{},": source.OpenAI, "prompt,model\na,b\n": "", packed[:20]: source.OpenAI} {
		r, err := source.NewReader(io.MultiReader(strings.NewReader(head), failing{}), source.Options{Format: format})
		if err == nil {
			for err == nil {
				_, err = r.Next()
			}
		}
		if !errors.Is(err, errStorage) || fault.KindOf(err) == fault.BadRequest {
			t.Errorf("after %.20q: %v", head, err)
		}
	}
}

// FuzzReader reads any file, in any format: every row is either refused with a
// reason, or a body that is valid JSON; lines and numbers increase.
func FuzzReader(f *testing.F) {
	for _, seed := range []string{
		`{"messages":[{"role":"assistant","content":"x"}],"model":"m","created":1}`, "prompt,model\n\"a\",b\n", `[{"type":"GENERATION","input":"[{}]"},{}]`,
		`{"provider":"p","model":"m","input":{"type":"chat"},"metadata":[{"a":1},[{"b":2}]],"scores":[{"score":1}]}`, "[1,]\n", "\xef\xbb\xbf{}\n\n{",
		`{"request":{"input":"a"},"response":{"object":"response","output":[]},"latency":1e99}`,
	} {
		for i := range source.Formats {
			f.Add([]byte(seed), byte(i))
		}
	}
	f.Fuzz(func(t *testing.T, file []byte, format byte) {
		options := source.Options{Defaults: map[string]string{"provider": "p", "price": "x", "metadata.a": "b"}}
		if int(format) < len(source.Formats) {
			options.Format = source.Formats[format]
		}
		_, rows, err := rowsOf(t, string(file), options)
		if err != nil && fault.KindOf(err) != fault.BadRequest {
			t.Fatalf("not a fault of the file: %v", err)
		}
		last := source.Row{}
		for _, row := range rows {
			if row.Number != last.Number+1 || row.Line < last.Line {
				t.Fatalf("row %d at line %d follows row %d at line %d", row.Number, row.Line, last.Number, last.Line)
			}
			last = row
			if row.Refused != "" || row.Ignored != "" {
				continue
			}
			if _, err := jsontree.Parse(row.Body); err != nil && !errors.Is(err, jsontree.ErrTooDeep) {
				t.Fatalf("the body %q is not valid JSON: %v", row.Body, err)
			}
			_, _ = logOf(row) // must not panic
		}
	})
}
