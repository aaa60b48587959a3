package registry

import (
	"bufio"
	"bytes"
	"context"
	"mime"
	"net/http"
	"net/textproto"
	"slices"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/rest"
	"github.com/promptuary/promptuary/internal/skill"
)

// formPart is one part of a form. Its content is a slice of the request body;
// mime/multipart would copy the archive.
type formPart struct {
	name    string
	isFile  bool
	content []byte
}

// maxFormParts is far more than any client sends.
const maxFormParts = 100

// splitForm returns the parts of a form. The fault is BadRequest if the form
// is malformed.
func splitForm(contentType string, body []byte) ([]formPart, error) {
	_, params, err := mime.ParseMediaType(contentType)
	if err != nil || params["boundary"] == "" {
		return nil, fault.BadRequestf("Malformed form: the content type has no boundary")
	}
	delimiter := []byte("\r\n--" + params["boundary"])
	_, after, last, found := cutFirst(body, delimiter)
	var parts []formPart
	for found && !last && len(parts) < maxFormParts {
		var raw []byte
		if raw, after, last, found = cutDelimiter(after, delimiter); !found {
			break
		}
		part, err := readPart(raw)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	if !last {
		return nil, fault.BadRequestf("Malformed form: the final boundary is missing")
	}
	return parts, nil
}

// cutFirst is cutDelimiter for the first delimiter, which has no line break
// before it at the start of the body.
func cutFirst(body, delimiter []byte) (before, after []byte, last, found bool) {
	if bytes.HasPrefix(body, delimiter[2:]) {
		if after, last, found = afterDelimiter(body[len(delimiter)-2:]); found {
			return nil, after, last, true
		}
	}
	return cutDelimiter(body, delimiter)
}

// cutDelimiter returns the bytes before and after the first delimiter, and
// whether it is the last one of the form.
func cutDelimiter(body, delimiter []byte) (before, after []byte, last, found bool) {
	for from := 0; ; {
		at := bytes.Index(body[from:], delimiter)
		if at < 0 {
			return nil, nil, false, false
		}
		at += from
		from = at + len(delimiter)
		if after, last, found = afterDelimiter(body[from:]); found {
			return body[:at], after, last, true
		}
	}
}

// afterDelimiter parses the rest of a delimiter line: two dashes mark the
// last delimiter. If anything else follows, it is not a delimiter.
func afterDelimiter(tail []byte) (after []byte, last, ok bool) {
	tail, last = bytes.CutPrefix(tail, []byte("--"))
	line := bytes.TrimLeft(tail, " \t")
	return line, last, bytes.HasPrefix(line, []byte("\r\n")) || last && len(line) == 0
}

// readPart parses the header of a part; raw starts with the line break after
// the delimiter.
func readPart(raw []byte) (formPart, error) {
	head, content, ok := bytes.Cut(raw, []byte("\r\n\r\n"))
	if !ok {
		return formPart{}, fault.BadRequestf("Malformed form: a part has no header")
	}
	head = slices.Concat(bytes.TrimPrefix(head, []byte("\r\n")), []byte("\r\n\r\n"))
	header, err := textproto.NewReader(bufio.NewReader(bytes.NewReader(head))).ReadMIMEHeader()
	if err != nil {
		return formPart{}, fault.BadRequestf("Malformed form: a part has an invalid header")
	}
	_, params, err := mime.ParseMediaType(header.Get("Content-Disposition"))
	if err != nil {
		return formPart{}, fault.BadRequestf("Malformed form: a part has no name")
	}
	_, isFile := params["filename"]
	return formPart{name: params["name"], isFile: isFile, content: content}, nil
}

var (
	metadataParts = []string{"metadata", "json"}
	archiveParts  = []string{"archive", "zip", "files"}
)

// maxMetadataTree limits the memory for parsing the metadata of a form.
const maxMetadataTree = 16 << 20

// readSkillForm sets the request's body to the metadata of a form and returns
// the archive, nil if there is none or the body is JSON.
func readSkillForm(r *rest.Request) (archive []byte, err error) {
	if r.MediaType != formType {
		return nil, nil
	}
	parts, err := splitForm(r.HTTP.Header.Get("Content-Type"), r.Bytes)
	if err != nil {
		return nil, err
	}
	metadata := []byte("{}")
	seen := map[bool]bool{}
	for _, part := range parts {
		isMetadata := slices.Contains(metadataParts, part.name)
		if !isMetadata && !part.isFile && !slices.Contains(archiveParts, part.name) {
			continue
		}
		if seen[isMetadata] {
			return nil, fault.BadRequestf("The form must have at most one archive and one metadata part")
		}
		seen[isMetadata] = true
		if isMetadata {
			metadata = part.content
		} else {
			archive = part.content
		}
	}
	r.Body, err = parseMetadata(metadata)
	return archive, err
}

func parseMetadata(text []byte) (jsontree.Value, error) {
	if jsontree.TreeSize(text) > maxMetadataTree {
		return jsontree.Value{}, fault.BadRequestf("The metadata is too large")
	}
	metadata, err := jsontree.Parse(text)
	if err != nil {
		return metadata, fault.BadRequestf("The metadata is not valid JSON: %v", err)
	}
	if metadata.Kind() != jsontree.Object {
		return metadata, fault.BadRequestf("The metadata must be a JSON object, not %v", metadata.Kind())
	}
	return metadata, nil
}

// skillHandler returns a handler whose input is a JSON body, or a form with
// the same members as metadata and an archive.
func skillHandler[In any](
	out any, fn func(ctx context.Context, w http.ResponseWriter, in *In, archive []skill.Content) error,
) rest.Handler {
	return rest.Raw(*new(In), out, func(w http.ResponseWriter, r *rest.Request) error {
		archive, err := readSkillForm(r)
		if err != nil {
			return err
		}
		in := new(In)
		if err := r.Bind(in); err != nil {
			return err
		}
		contents, err := unpackSkill(archive)
		if err != nil {
			return err
		}
		return fn(r.Context(), w, in, contents)
	})
}

// unpackSkill returns the files of an archive, nil if there is no archive.
func unpackSkill(archive []byte) ([]skill.Content, error) {
	if archive == nil {
		return nil, nil
	}
	return skill.Unpack(archive)
}
