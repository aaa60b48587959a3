package work

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// FuzzReadAround compares reading around a member with reading all at once.
func FuzzReadAround(f *testing.F) {
	for _, body := range []string{
		`{"file":"abc","x":1}`, `{"x":{"file":"no"},"file":"a\/b\n"}`, `{"file":"","file":"last"}`, `{"file":null}`, `{"f\u0069le":"a"}`,
		`["file","x"]`, `{"file":"open`, `{"file":"\u00e9"}`, `{"file":{"a":"b"}}`, "\xef\xbb\xbf{}", `{"a":"\\","file":"\\\""}`, `{"file"::"a"}`,
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		want, wrong := jsontree.Parse(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")))
		isObject := wrong == nil && want.Kind() == jsontree.Object
		text := ""
		got, err := readAround(iotest.HalfReader(bytes.NewReader(body)), "file", func(r io.Reader) error {
			all, err := io.ReadAll(r)
			text = string(all)
			return err
		})
		// What is read apart is not looked at, so that it can be no UTF-8.
		if isObject != (err == nil) && utf8.Valid(body) {
			t.Fatalf("reading around %q: %v, reading all: %v", body, err, wrong)
		}
		if err != nil || !isObject {
			return
		}
		file := want.Get("file")
		// Pairs of escapes for one character do not come in base64.
		if file.Kind() == jsontree.String && file.Str() != text && !strings.Contains(string(body), `\u`) {
			t.Errorf("%q was read as %q", file.Str(), text)
		}
		if kept := got.Get("file"); kept.Kind() != file.Kind() || kept.Str() == "" != (file.Str() == "") {
			t.Errorf("%s stands in the place of %s", kept.Raw(), file.Raw())
		}
		for key, member := range want.Members() {
			if key != "file" && !bytes.Equal(got.Get(key).Raw(), want.Get(key).Raw()) {
				t.Errorf("%s has become %s", member.Raw(), got.Get(key).Raw())
			}
		}
	})
}
