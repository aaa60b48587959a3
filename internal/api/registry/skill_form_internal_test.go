package registry

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/fault"
)

// standardParts returns the parts of a form as parsed by mime/multipart, nil
// for a malformed form.
func standardParts(boundary string, body []byte) [][3]string {
	reader := multipart.NewReader(bytes.NewReader(body), boundary)
	parts := [][3]string{}
	for {
		part, err := reader.NextRawPart()
		if errors.Is(err, io.EOF) {
			return parts
		}
		if err != nil {
			return nil
		}
		content, err := io.ReadAll(part)
		if err != nil {
			return nil
		}
		_, params, err := mime.ParseMediaType(part.Header.Get("Content-Disposition"))
		if err != nil {
			return nil
		}
		isFile := ""
		if _, has := params["filename"]; has {
			isFile = "file"
		}
		parts = append(parts, [3]string{params["name"], isFile, string(content)})
	}
}

func TestSplitForm(t *testing.T) {
	t.Parallel()
	const head = "Content-Disposition: form-data; name=\"a\"\r\n\r\n"
	tests := []struct {
		name, body string
		want       []string // nil if rejected
	}{
		{"one", "--b\r\n" + head + "text\r\n--b--", []string{"text"}},
		{"preamble, blanks and epilogue", "hello\r\n--b \t\r\n" + head + "text\r\n--b--\r\nbye", []string{"text"}},
		{"two", "--b\r\n" + head + "1\r\n--b\r\n" + head + "\r\n--b--\r\n", []string{"1", ""}},
		{"almost a delimiter", "--b\r\n" + head + "1\r\n--bc\r\n--b--", []string{"1\r\n--bc"}},
		{"none", "--b--", []string{}},
		{"does not begin", "text", nil},
		{"does not end", "--b\r\n" + head + "text\r\n--b\r\n", nil},
		{"no head", "--b\r\ntext\r\n--b--", nil},
		{"no name", "--b\r\n\r\n\r\ntext\r\n--b--", nil},
		{"broken head", "--b\r\nnothing\r\n\r\ntext\r\n--b--", nil},
		{"very many parts", string(bytes.Repeat([]byte("--b\r\n"+head+"\r\n"), 101)) + "--b--", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			parts, err := splitForm("multipart/form-data; boundary=b", []byte(tt.body))
			if tt.want == nil {
				if !fault.Is(err, fault.BadRequest) {
					t.Errorf("got %v and the error %v", parts, err)
				}
				return
			}
			got := []string{}
			for _, part := range parts {
				got = append(got, string(part.content))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
				t.Errorf("contents (-want +got):\n%s%v", diff, err)
			}
		})
	}
}

// FuzzSplitForm compares splitForm with mime/multipart: forms that splitForm
// accepts have the same parts there.
func FuzzSplitForm(f *testing.F) {
	f.Add([]byte("--b\r\nContent-Disposition: form-data; name=\"zip\"; filename=\"x\"\r\n\r\nPK\r\n--b--\r\n"))
	f.Add([]byte("x\r\n--b \r\nContent-Disposition: form-data; name=json\r\n\r\n{}\r\n--bb\r\n--b\r\nContent-Disposition: a\r\n\r\n\r\n--b--"))
	f.Fuzz(func(t *testing.T, body []byte) {
		parts, err := splitForm("multipart/form-data; boundary=b", bytes.Clone(body))
		if err != nil {
			if !fault.Is(err, fault.BadRequest) {
				t.Fatal(err)
			}
			return
		}
		want := standardParts("b", body)
		if want == nil || bytes.Count(body, []byte("\n")) != bytes.Count(body, []byte("\r\n")) {
			return // mime/multipart has its own limits and accepts other line endings
		}
		got := [][3]string{}
		for _, part := range parts {
			isFile := ""
			if part.isFile {
				isFile = "file"
			}
			got = append(got, [3]string{part.name, isFile, string(part.content)})
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("parts (-usual +ours):\n%s", diff)
		}
	})
}
