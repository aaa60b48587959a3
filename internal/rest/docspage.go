package rest

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:embed docspage.html
var docsPageText string

var docsPageTemplate = template.Must(template.New("docs").Funcs(template.FuncMap{
	"prose": prose,
	"lower": strings.ToLower,
}).Parse(docsPageText))

// docsPage is the data of the template.
type docsPage struct {
	Title, Version, About string
	Count                 int
	Tags                  []docsTag
	Errors                []docsField
}

type docsTag struct {
	Name, Anchor string
	Ops          []docsOp
}

type docsOp struct {
	ID, Method, Path, Summary, Description string
	Deprecated                             bool
	Key                                    string
	Limit                                  string
	Params, Body                           []docsField
	BodyTypes                              string
	EmptyBody                              bool
	Answers                                []docsAnswer
	Failures                               []docsAnswer
	Curl                                   string
}

type docsAnswer struct {
	Status int
	Text   string
	Fields []docsField
}

// docsField is a parameter, or a member of a body with its depth.
type docsField struct {
	Name, In, Type, Description string
	Required                    bool
	Depth                       int
	Rules                       []string
}

// DocsPage returns the API reference as one self-contained HTML page. The first
// call builds it.
func (rt *Router) DocsPage() []byte { return rt.page() }

// DocsHandler returns a handler of the page. Its policy allows only the style
// and the script that are part of the page. The first request builds the page.
func (rt *Router) DocsHandler() http.Handler {
	policy := sync.OnceValue(func() string {
		page := rt.page()
		return "default-src 'none'; style-src " + inlineHash(page, "style") + "; script-src " + inlineHash(page, "script") +
			"; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	})
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		header := w.Header()
		header.Set("Content-Type", "text/html; charset=utf-8")
		header.Set("Content-Security-Policy", policy())
		header.Set("Cache-Control", "no-cache")
		_, _ = w.Write(rt.page())
	})
}

// inlineHash returns the source expression that allows the content of the only
// element with the tag.
func inlineHash(page []byte, tag string) string {
	_, rest, _ := bytes.Cut(page, []byte("<"+tag+">"))
	content, _, _ := bytes.Cut(rest, []byte("</"+tag+">"))
	sum := sha256.Sum256(content)
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

func (rt *Router) buildDocsPage() []byte {
	page, err := rt.docsPage()
	if err != nil {
		return fmt.Appendf(nil, "<!doctype html><title>Error</title><p>The reference could not be built: %s",
			template.HTMLEscapeString(err.Error()))
	}
	var out bytes.Buffer
	if err := docsPageTemplate.Execute(&out, page); err != nil {
		panic("reference page: " + err.Error()) // the template and its data are ours
	}
	return out.Bytes()
}

func (rt *Router) docsPage() (*docsPage, error) {
	d, err := rt.document()
	if err != nil {
		return nil, err
	}
	// Only the encoded document has plain schemas.
	var spec docsSpec
	if err := json.Unmarshal(d.text, &spec); err != nil {
		return nil, err
	}
	reader := &schemaReader{schemas: spec.Components.Schemas, order: d.order}
	page := &docsPage{Title: rt.options.Title, Version: rt.options.Version, About: rt.options.About,
		Count: len(rt.operations), Errors: reader.fields(spec.Components.Schemas["ErrorResponse"])}
	for _, op := range rt.operations {
		i := slices.IndexFunc(page.Tags, func(t docsTag) bool { return t.Name == op.Tag })
		if i < 0 {
			i = len(page.Tags)
			page.Tags = append(page.Tags, docsTag{Name: op.Tag, Anchor: anchor(op.Tag)})
		}
		documented := spec.Paths[op.pattern.openAPI()][strings.ToLower(op.Method)]
		page.Tags[i].Ops = append(page.Tags[i].Ops, describe(op, documented, reader))
	}
	return page, nil
}

// docsSpec is the part of the OpenAPI document that the page shows.
type docsSpec struct {
	Paths      map[string]map[string]docsSpecOp `json:"paths"`
	Components struct {
		Schemas map[string]schema `json:"schemas"`
	} `json:"components"`
}

type docsSpecOp struct {
	Parameters []struct {
		Name        string `json:"name"`
		In          string `json:"in"`
		Description string `json:"description"`
		Required    bool   `json:"required"`
		Schema      schema `json:"schema"`
	} `json:"parameters"`
	RequestBody struct {
		Content map[string]docsContent `json:"content"`
	} `json:"requestBody"`
	Responses map[string]struct {
		Content map[string]docsContent `json:"content"`
	} `json:"responses"`
}

type docsContent struct {
	Schema schema `json:"schema"`
}

var keyTexts = map[Auth]string{
	AuthKey:       "key in the header",
	AuthKeyOrBody: "key in the header, or as api_key in the body",
	AuthNone:      "no key needed",
}

func describe(op *operation, documented docsSpecOp, reader *schemaReader) docsOp {
	out := docsOp{
		ID: op.ID, Method: op.Method, Path: op.pattern.openAPI(), Summary: op.Summary, Description: op.Description,
		Deprecated: op.Deprecated, Key: keyTexts[op.Auth], Limit: op.Limit, EmptyBody: op.EmptyBody,
	}
	for _, p := range documented.Parameters {
		f := reader.field(p.Name, p.Schema, 0)
		f.In, f.Description, f.Required = p.In, p.Description, p.Required
		if i := op.pattern.greedyAt; i >= 0 && op.pattern.segments[i].text == p.Name && p.In == "path" {
			f.Rules = append(f.Rules, "may contain slashes")
		}
		out.Params = append(out.Params, f)
	}
	if op.hasBody {
		out.BodyTypes = strings.Join(op.accepts(), ", ")
		out.Body = reader.fields(documented.RequestBody.Content[jsonType].Schema)
	}
	successes, failures := op.statuses()
	for _, status := range successes {
		content := documented.Responses[strconv.Itoa(status)].Content[jsonType]
		out.Answers = append(out.Answers, docsAnswer{status, http.StatusText(status), reader.fields(content.Schema)})
	}
	for _, status := range failures {
		out.Failures = append(out.Failures, docsAnswer{Status: status, Text: http.StatusText(status)})
	}
	out.Curl = curl(op, documented, reader)
	return out
}

// docsOrigin is the server in examples. The script of the page replaces it with
// its own address.
const docsOrigin = "http://localhost:8080"

// curl returns an example call with the required parameters and a small body.
func curl(op *operation, documented docsSpecOp, reader *schemaReader) string {
	target, query := op.pattern.openAPI(), ""
	for _, p := range documented.Parameters {
		value := fmt.Sprint(reader.example(p.Schema, 0))
		switch {
		case p.In == "path" && value == docsText:
			target = strings.Replace(target, "{"+p.Name+"}", strings.ToUpper(p.Name), 1)
		case p.In == "path":
			target = strings.Replace(target, "{"+p.Name+"}", value, 1)
		case p.Required:
			query += "&" + p.Name + "=" + value
		}
	}
	if query != "" {
		target += "?" + query[1:]
	}
	lines := []string{"curl '" + docsOrigin + target + "'"}
	if op.Method != http.MethodGet {
		lines[0] = "curl -X " + op.Method + " '" + docsOrigin + target + "'"
	}
	if op.Auth != AuthNone {
		lines = append(lines, "-H 'X-API-KEY: YOUR_KEY'")
	}
	if content, ok := documented.RequestBody.Content[jsonType]; ok {
		body, _ := json.MarshalIndent(reader.example(content.Schema, 0), "  ", "  ")
		lines = append(lines, "-H 'Content-Type: application/json'",
			"-d '"+strings.ReplaceAll(string(body), "'", `'\''`)+"'")
	}
	return strings.Join(lines, " \\\n  ")
}

// prose turns paragraphs and `code` into HTML.
func prose(text string) template.HTML {
	var out strings.Builder
	for paragraph := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		out.WriteString("<p>")
		for i, part := range strings.Split(template.HTMLEscapeString(paragraph), "`") {
			if i%2 == 1 {
				part = "<code>" + part + "</code>"
			}
			out.WriteString(part)
		}
		out.WriteString("</p>")
	}
	return template.HTML(out.String()) //nolint:gosec // escaped above
}

// anchor turns a name into the fragment of a URL.
func anchor(name string) string {
	return strings.ToLower(strings.Trim(notAName.ReplaceAllString(name, "-"), "-"))
}
