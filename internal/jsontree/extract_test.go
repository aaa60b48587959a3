package jsontree

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"
)

// readExtracting returns the rest and the text of the member "file".
func readExtracting(body []byte) (rest Value, text string, err error) {
	rest, err = ParseExtracting(iotest.HalfReader(bytes.NewReader(body)), "file", 1<<20, func(r io.Reader) error {
		all, err := io.ReadAll(r)
		text = string(all)
		return err
	})
	return rest, text, err
}

// FuzzParseExtracting compares extracting a member with parsing everything.
func FuzzParseExtracting(f *testing.F) {
	for _, body := range []string{
		`{"file":"abc","x":1}`, `{"x":{"file":"no"},"file":"a\/b\n"}`, `{"file":"","file":"last"}`, `{"file":null}`, `{"f\u0069le":"a"}`,
		`["file","x"]`, `{"file":"open`, `{"file":"\u00e9"}`, `{"file":{"a":"b"}}`, `{"a":"\\","file":"\\\""}`, `{"file"::"a"}`,
		`{"file":"\ud83d\ude00\ud83d"}`, `{"file":"\ud83d\ud83d\ude00"}`, `{"file":"abc","x":nope}`,
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		if len(body) > 1<<20 {
			return
		}
		want, wrong := Parse(body)
		got, text, err := readExtracting(body)
		// The extracted text may be invalid UTF-8.
		if (wrong == nil) != (err == nil) && utf8.Valid(body) {
			t.Fatalf("extracting from %q: %v, parsing: %v", body, err, wrong)
		}
		if err != nil || wrong != nil {
			return
		}
		file := want.Get("file")
		if file.Kind() == String && file.Str() != text {
			t.Errorf("%q was read as %q", file.Str(), text)
		}
		if kept := got.Get("file"); kept.Kind() != file.Kind() || kept.Str() == "" != (file.Str() == "") {
			t.Errorf("%s replaces %s", kept.Raw(), file.Raw())
		}
		for key, member := range want.Members() {
			if key != "file" && !bytes.Equal(got.Get(key).Raw(), want.Get(key).Raw()) {
				t.Errorf("%s has become %s", member.Raw(), got.Get(key).Raw())
			}
		}
	})
}

func TestExtractingNamesThePlace(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"file":"abcdefghijklmnop","x":nope}`:              "unexpected character at byte 31",
		`{"file":"abc","file":"defghi","x":"\x"}`:           "invalid escape sequence in string at byte 35",
		`{"x":nope,"file":"abc"}`:                           "unexpected character at byte 5",
		`{"file":"abc`:                                      "unterminated string at byte 12",
		`{"file":"a\qb"}`:                                   "invalid escape sequence in string at byte 10",
		"{\"file\":\"a\nb\"}":                               "control character in string at byte 10",
		`{"file":"a\u00`:                                    "invalid escape sequence in string at byte 10",
		`{"x":"` + strings.Repeat("x", 70_000) + `","file"`: "unexpected end of text at byte 70014",
	} {
		if _, _, err := readExtracting([]byte(body)); err == nil || err.Error() != want {
			t.Errorf("extracting from %.50q: %v, want %s", body, err, want)
		}
	}
}

func TestExtractingIsBounded(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 1<<20)
	for body, want := range map[string]error{
		`{"x":1,"file":"` + long + `"}`:                           nil,
		`{"file":"1","x":"` + long + `"}`:                         ErrTooLarge,
		`{"file":"1","x":[` + strings.Repeat("1,", 1<<19) + `1]}`: ErrTooLarge,
	} {
		if _, _, err := readExtracting([]byte(body)); !errors.Is(err, want) {
			t.Errorf("extracting from %.20q: %v, want %v", body, err, want)
		}
	}
}

func TestExtractingPassesErrorsOn(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	refuse := func(io.Reader) error { return broken }
	if _, err := ParseExtracting(strings.NewReader(`{"file":"abc"}`), "file", 100, refuse); !errors.Is(err, broken) {
		t.Errorf("error of use: %v", err)
	}
	ignore := func(io.Reader) error { return nil }
	for _, start := range []string{``, `{"a`, `{"file":"a`, `{"file":"a\`, `{"file":"\ud83d`} {
		stream := io.MultiReader(strings.NewReader(start), iotest.ErrReader(broken))
		if _, err := ParseExtracting(stream, "file", 100, ignore); !errors.Is(err, broken) {
			t.Errorf("error of the stream after %q: %v", start, err)
		}
	}
	v, err := ParseExtracting(strings.NewReader(`{"file":"a\nb","x":1}`), "file", 100, ignore)
	if err != nil || v.Get("file").Str() != Extracted || v.Get("x").Kind() != Number {
		t.Errorf("text that use does not read: %s, %v", v.Raw(), err)
	}
}
