package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
)

// TestFileBodies sends bodies that cannot be written in a file of cases.
func TestFileBodies(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	made := w.post(t, http.StatusCreated, "/api/public/v2/dataset-groups", `{"name":"g"}`)
	group := fmt.Sprint(made["dataset_group"].(map[string]any)["id"])
	rest := `"dataset_group_id":` + group + `,"file_name":"a.csv"`
	// Each file has the columns a? and b, and the row 1~,2.
	const whole, escaped = `YT8sYgoxfiwy`, `YT8s\u0059gox\/iwy`
	slashes := strings.ReplaceAll(escaped, `\/iwy`, `fiwy`)
	tests := map[string]struct {
		body    string
		headers []string
		status  int
	}{
		"plain":                       {`{` + rest + `,"file_content_base64":"` + whole + `"}`, nil, 201},
		"with escapes":                {`{"file_content_base64":"` + slashes + `",` + rest + `}`, nil, 201},
		"with an escaped slash":       {`{"file_content_base64":"YT8sYgov\/\/8=",` + rest + `}`, nil, 400}, // not UTF-8
		"with line breaks":            {`{"file_content_base64":"YT8s\r\nYgox\nfiwy",` + rest + `}`, nil, 201},
		"with a byte order mark":      {"\xef\xbb\xbf{" + rest + `,"file_content_base64":"` + whole + `"}`, nil, 201},
		"with space everywhere":       {" {\t\"file_content_base64\" :\n\"" + whole + "\" , " + rest + " } \r\n", nil, 201},
		"with an escaped name":        {`{"file_\u0063ontent_base64":"` + whole + `",` + rest + `}`, nil, 201},
		"the last counts":             {`{"file_content_base64":"!","file_content_base64":"` + whole + `",` + rest + `}`, nil, 201},
		"the last counts when broken": {`{"file_content_base64":"` + whole + `","file_content_base64":"!",` + rest + `}`, nil, 400},
		"the last counts when empty":  {`{"file_content_base64":"` + whole + `","file_content_base64":"",` + rest + `}`, nil, 422},
		"the last counts when null":   {`{"file_content_base64":"` + whole + `","file_content_base64":null,` + rest + `}`, nil, 422},
		"a file within is none":       {`{"x":{"file_content_base64":"` + whole + `"},` + rest + `}`, nil, 422},
		"a file in a list is none":    {`{"x":["file_content_base64",":","` + whole + `"],` + rest + `}`, nil, 422},
		"a name that is a value":      {`{"x":"file_content_base64","y":"z",` + rest + `}`, nil, 422},
		"packed":                      {string(packed(t, `{`+rest+`,"file_content_base64":"`+whole+`"}`)), []string{"Content-Encoding: gzip"}, 201},
		"packed and cut off":          {string(packed(t, `{`+rest+`,"file_content_base64":"`+whole+`"}`)[:40]), []string{"Content-Encoding: gzip"}, 400},
		"not compressed":              {`{}`, []string{"Content-Encoding: gzip"}, 400},
		"packed in another way":       {`{}`, []string{"Content-Encoding: br"}, 415},
		"packed beyond the limit":     {string(packed(t, `{"file_content_base64":"`+strings.Repeat("A", 150_000_000)+`"}`)), []string{"Content-Encoding: gzip"}, 413},
		"half an escape":              {`{"file_content_base64":"\u00`, nil, 400},
		"an escape of no digits":      {`{"file_content_base64":"\u00zz"}`, nil, 400},
		"a control character":         {"{\"file_content_base64\":\"a\nb\"," + rest + `}`, nil, 400},
		"a control character around":  {"{\"x\":\"a\nb\",\"file_content_base64\":\"" + whole + `",` + rest + `}`, nil, 400},
		"two objects":                 {`{` + rest + `,"file_content_base64":"` + whole + `"}{}`, nil, 400},
		"nothing":                     {``, nil, 400},
		"null":                        {`null`, nil, 400},
		"brackets":                    {strings.Repeat("[", 100_000), nil, 400},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := w.send("home", http.MethodPost, "/api/public/v2/dataset-versions/from-file", []byte(test.body), test.headers...)
			check.OK(t, err)
			if got.status != test.status {
				t.Fatalf("is answered with %d %s, want %d", got.status, clip(string(got.body)), test.status)
			}
			if got.status != http.StatusCreated {
				checkErrorShape(t, got.status, got.body)
				return
			}
			object, err := got.object()
			check.OK(t, err)
			page, err := w.send("home", http.MethodGet, fmt.Sprintf("/api/public/v2/datasets/%v/rows", object["dataset_id"]), nil)
			check.OK(t, err)
			const want = `"columns":["a?","b"],"rows":[[{"type":"dataset","value":"1~"},{"type":"dataset","value":"2"}]]`
			if !strings.Contains(string(page.body), want) {
				t.Errorf("the rows are %s", page.body)
			}
		})
	}
}
