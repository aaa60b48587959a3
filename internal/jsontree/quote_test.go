package jsontree

import (
	"encoding/json"
	"testing"
)

func FuzzAppendQuoted(f *testing.F) {
	for _, text := range []string{"", "plain", "a\"b\\c", "\x00\x1f\n", "é😀", "\xff\xfe", "a\xc3", "</script>"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var got, want string
		quoted := AppendQuoted(nil, text)
		if err := json.Unmarshal(quoted, &got); err != nil {
			t.Fatalf("AppendQuoted(%q) = %s: %v", text, quoted, err)
		}
		reference, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(reference, &want); err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("AppendQuoted(%q) reads back as %q, want %q", text, got, want)
		}
	})
}
