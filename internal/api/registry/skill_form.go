package registry

import (
	"bufio"
	"bytes"
	"context"
	"mime"
	"net/http"
	"net/textproto"
	"slices"
	"unicode/utf8"

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
	archiveParts  = []string{"archive", "zip", "files", "file_updates"}
)

// formFields are the members of a body that a form may have as parts of their
// own. The value reports whether the member is a string, which is sent as it is;
// others are sent as JSON.
type formFields map[string]bool

var (
	createFields = formFields{
		"name": true, "provider": true, "commit_message": true, "release_label": true,
		"folder_id": false, "files": false, "external_ids": false,
	}
	saveFields = formFields{
		"provider": true, "commit_message": true, "release_label": true,
		"file_updates": false, "moves": false, "deletes": false,
	}
)

// maxMetadataTree limits the memory for parsing the metadata of a form.
const maxMetadataTree = 16 << 20

// skillForm is the content of a form.
type skillForm struct {
	// archive and metadata are nil if there are none.
	archive, metadata []byte
	fields            []formPart
}

// readSkillForm sets the request's body to the members in a form and returns
// the archive, nil if there is none or the body is JSON.
func readSkillForm(r *rest.Request, known formFields) (archive []byte, err error) {
	if r.MediaType != formType {
		return nil, nil
	}
	parts, err := splitForm(r.HTTP.Header.Get("Content-Type"), r.Bytes)
	if err != nil {
		return nil, err
	}
	form := skillForm{metadata: []byte("{}")}
	if err := form.sort(parts, known); err != nil {
		return nil, err
	}
	r.Body, err = form.members(known)
	return form.archive, err
}

// sort assigns the parts to the archive, the metadata and the fields.
func (f *skillForm) sort(parts []formPart, known formFields) error {
	var problems fault.Problems
	seen := map[string]bool{}
	for _, part := range parts {
		role := roleOf(part, known)
		if seen[role] {
			return fault.BadRequestf("The form must have at most one archive, one metadata part and one part per field")
		}
		seen[role] = true
		switch role {
		case metadataRole:
			f.metadata = part.content
		case archiveRole:
			f.archive = part.content
		case "":
			problems.Report([]any{"body", part.name}, fault.NoExtra)
			seen[role] = false
		default:
			f.fields = append(f.fields, part)
		}
	}
	return problems.Err()
}

// The roles of parts that are not fields. Fields cannot have these names.
const (
	metadataRole = "metadata"
	archiveRole  = "archive"
)

// roleOf returns metadataRole, archiveRole, the name of a field, or "" for a
// part that is not understood. Clients send a list of files under the same name
// as others send an archive; only the list starts with a bracket.
func roleOf(part formPart, known formFields) string {
	isText, isField := known[part.name]
	isArchive := part.isFile || slices.Contains(archiveParts, part.name)
	isList := bytes.HasPrefix(bytes.TrimSpace(part.content), []byte("["))
	switch {
	case slices.Contains(metadataParts, part.name):
		return metadataRole
	case isField && (isText || isList || !isArchive):
		return part.name
	case isArchive:
		return archiveRole
	}
	return ""
}

// members returns the members of the metadata and the fields as one object.
func (f *skillForm) members(known formFields) (jsontree.Value, error) {
	metadata, err := parseMetadata(f.metadata)
	if err != nil || len(f.fields) == 0 {
		return metadata, err
	}
	for _, field := range f.fields {
		if metadata.Get(field.name).Kind() != jsontree.Absent {
			return metadata, fault.BadRequestf("The form has %s both in the metadata and as a field", field.name)
		}
		if err := field.check(known[field.name]); err != nil {
			return metadata, err
		}
	}
	w := jsontree.NewWriter(nil)
	w.Object(func() {
		w.Members(metadata)
		for _, field := range f.fields {
			if known[field.name] {
				w.Key(field.name).String(string(field.content))
			} else {
				w.Key(field.name).Raw(field.content)
			}
		}
	})
	return jsontree.Parse(w.Bytes())
}

// check returns a fault unless a field is valid text or valid JSON.
func (p *formPart) check(isText bool) error {
	if isText {
		var problems fault.Problems
		if !utf8.Valid(p.content) {
			problems.Report([]any{"body", p.name}, fault.UTF8)
		}
		return problems.Err()
	}
	if jsontree.TreeSize(p.content) > maxMetadataTree {
		return fault.BadRequestf("The field %s is too large", p.name)
	}
	if _, err := jsontree.Parse(p.content); err != nil {
		return fault.BadRequestf("The field %s is not valid JSON: %v", p.name, err)
	}
	return nil
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
// the same members as metadata or fields, and an archive.
func skillHandler[In any](
	fields formFields, out any, fn func(ctx context.Context, w http.ResponseWriter, in *In, archive []skill.Content) error,
) rest.Handler {
	return rest.Raw(*new(In), out, func(w http.ResponseWriter, r *rest.Request) error {
		archive, err := readSkillForm(r, fields)
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
