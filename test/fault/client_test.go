package fault

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync/atomic"
)

// client calls the API and may be used from any goroutine.
type client struct {
	address string
	key     string
	http    *http.Client
	// off says that the machine of the server is off. Nobody would get the
	// responses that still arrive, nor those whose reading ends now.
	off atomic.Bool
}

func newClient(key string) *client {
	transport := &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true}
	return &client{key: key, http: &http.Client{Transport: transport, Timeout: patience}}
}

// answer is a complete response.
type answer struct {
	status int
	body   []byte
}

// errNoAnswer means that the server could not be reached, or ended before it
// completed its response.
var errNoAnswer = errors.New("no whole answer")

type object = map[string]any

// call sends a body, which may be nil, and reads the whole response.
func (c *client) call(method, path string, body object) (answer, error) {
	var content io.Reader = http.NoBody
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return answer{}, err
		}
		content = bytes.NewReader(text)
	}
	request, err := http.NewRequest(method, c.address+path, content)
	if err != nil {
		return answer{}, err
	}
	request.Header.Set("X-API-KEY", c.key)
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	return c.send(request)
}

func (c *client) send(request *http.Request) (answer, error) {
	response, err := c.http.Do(request)
	if err != nil {
		return answer{}, fmt.Errorf("%w: %w", errNoAnswer, err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return answer{}, fmt.Errorf("%w: %w", errNoAnswer, err)
	}
	if c.off.Load() {
		return answer{}, fmt.Errorf("%w: the power is off", errNoAnswer)
	}
	return answer{status: response.StatusCode, body: text}, nil
}

// statusError is a response with an unexpected status.
type statusError struct {
	request string
	answer
}

func (e *statusError) Error() string {
	return fmt.Sprintf("%s: status %d: %s", e.request, e.status, e.body[:min(len(e.body), 500)])
}

// refused reports whether the server answered that it cannot do it at present.
func refused(err error) bool {
	e, ok := errors.AsType[*statusError](err)
	return ok && (e.status >= 500 || e.status == http.StatusTooManyRequests)
}

// ask makes a call and decodes its response, which must have a status of 2xx.
func ask[T any](c *client, method, path string, body object) (v T, err error) {
	a, err := c.call(method, path, body)
	if err != nil {
		return v, err
	}
	if a.status < 200 || a.status > 299 {
		return v, &statusError{method + " " + path, a}
	}
	if err := json.Unmarshal(a.body, &v); err != nil {
		return v, fmt.Errorf("%s %s: %w in %s", method, path, err, a.body)
	}
	return v, nil
}

const (
	searchPath    = "/api/public/v2/requests/search"
	analyticsPath = "/api/public/v2/requests/analytics"
	requestsPath  = "/api/public/v2/requests/"
	publishPath   = "/rest/prompt-templates"
	datasetsPath  = "/api/public/v2/datasets/"
	perPage       = 25
)

func templatePath(name string) string { return "/prompt-templates/" + url.PathEscape(name) }

// item is a log as searches return it.
type item struct {
	ID          int64                        `json:"id"`
	InputTokens int64                        `json:"input_tokens"`
	Metadata    []map[string]json.RawMessage `json:"metadata"`
	Scores      []struct {
		Score int64 `json:"score"`
	} `json:"scores"`
}

// page is a response to a search.
type page struct {
	Total   int64   `json:"total"`
	Items   []item  `json:"items"`
	Damaged []int64 `json:"damaged_request_ids"`
}

// search returns all pages of a search as one.
func (c *client) search(query object) (all page, err error) {
	query["per_page"] = perPage
	for number := 1; ; number++ {
		query["page"] = number
		found, err := ask[page](c, http.MethodPost, searchPath, query)
		if err != nil {
			return page{}, err
		}
		all.Total = found.Total
		all.Items, all.Damaged = append(all.Items, found.Items...), append(all.Damaged, found.Damaged...)
		if int64(number)*perPage >= found.Total {
			return all, nil
		}
	}
}

func tagged(tag string) object {
	return object{"filter_group": object{"filters": []any{object{"field": "tags", "operator": "contains", "value": tag}}}}
}

// totals are the totals of analytics.
type totals struct {
	Requests int64 `json:"totalRequests"`
	Tokens   int64 `json:"totalTokens"`
}

// prompt is a version of a template.
type prompt struct {
	Version  int64 `json:"version"`
	Template struct {
		Messages []struct {
			Content []struct {
				Text string `json:"text"`
			} `json:"content"`
		} `json:"messages"`
	} `json:"prompt_template"`
}

func (p prompt) text() string {
	if m := p.Template.Messages; len(m) == 1 && len(m[0].Content) == 1 {
		return m[0].Content[0].Text
	}
	return fmt.Sprint(p.Template)
}

// label is a release label of a template.
type label struct {
	ID      int64  `json:"release_label_id"`
	Name    string `json:"release_label"`
	Version int64  `json:"prompt_version_number"`
}

// labels returns the labels of a template by their names.
func (c *client) labels(template string) (map[string]label, error) {
	list, err := ask[struct {
		Labels []label `json:"release_labels"`
	}](c, http.MethodGet, templatePath(template)+"/labels", nil)
	byName := map[string]label{}
	for _, l := range list.Labels {
		byName[l.Name] = l
	}
	return byName, err
}

func chat(role, text string) object {
	return object{"type": "chat", "messages": []any{message(role, text)}}
}

func message(role, text string) object {
	return object{"role": role, "content": []any{object{"type": "text", "text": text}}}
}
