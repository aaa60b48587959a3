package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// page is an answer to a search.
type page struct {
	Total int64  `json:"total"`
	Items []item `json:"items"`
}

type item struct {
	ID          int64                        `json:"id"`
	Engine      string                       `json:"engine"`
	InputTokens int64                        `json:"input_tokens"`
	Tags        []string                     `json:"tags_array"`
	Metadata    []map[string]json.RawMessage `json:"metadata"`
	Scores      []score                      `json:"scores"`
	GroupID     int64                        `json:"group_id"`
}

type score struct {
	Name  string `json:"name"`
	Score int64  `json:"score"`
}

// metadata returns the metadata as one object, with the values as JSON text.
func (i item) metadata() map[string]string {
	all := map[string]string{}
	for _, object := range i.Metadata {
		for key, value := range object {
			all[key] = string(value)
		}
	}
	return all
}

const (
	searchPath    = "/api/public/v2/requests/search"
	analyticsPath = "/api/public/v2/requests/analytics"
	requestsPath  = "/api/public/v2/requests/"
)

type object = map[string]any

func (c *client) search(t *testing.T, query object) page {
	t.Helper()
	return mustDecode[page](t, c.post(t, searchPath, query, http.StatusOK))
}

// totals are the totals of analytics.
type totals struct {
	Requests int64 `json:"totalRequests"`
	Tokens   int64 `json:"totalTokens"`
}

// entry is a log with a unique word and a unique number of tokens.
type entry struct {
	word    string
	tokens  int64
	padding string
}

// logTime is the start time of all entries.
var logTime = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func (e entry) body() object {
	return object{
		"provider": "openai", "model": "gpt-4o",
		"input":              chat("user", "what about "+e.word+"? "+e.padding),
		"output":             chat("assistant", "nothing at all"),
		"request_start_time": logTime.Format(time.RFC3339), "request_end_time": logTime.Add(time.Second).Format(time.RFC3339),
		"input_tokens": e.tokens, "tags": []string{"e2e"},
	}
}

func chat(role, text string) object {
	return object{"type": "chat", "messages": []any{message(role, text)}}
}

func message(role, text string) object {
	return object{"role": role, "content": []any{object{"type": "text", "text": text}}}
}

// created is the response to a new log.
type created struct {
	ID int64 `json:"id"`
}

func (c *client) log(t *testing.T, e entry) int64 {
	t.Helper()
	return mustDecode[created](t, c.post(t, "/log-request", e.body(), http.StatusCreated)).ID
}

// checkStored returns an error unless the entry is stored under an ID and found
// exactly once by its word.
func (c *client) checkStored(e entry, id int64) error {
	if err := c.checkDetail(e, id); err != nil {
		return err
	}
	_, err := c.find(e, id)
	return err
}

// detail is the compared part of a log fetched by ID.
type detail struct {
	RequestID   int64  `json:"request_id"`
	Provider    string `json:"provider"`
	Model       string `json:"model"`
	InputTokens int64  `json:"input_tokens"`
	Start       string `json:"request_start_time"`
	Blueprint   struct {
		Template struct {
			Messages []any `json:"messages"`
		} `json:"prompt_template"`
	} `json:"prompt_blueprint"`
}

func (c *client) checkDetail(e entry, id int64) error {
	a, err := c.call(http.MethodGet, fmt.Sprint(requestsPath, id), nil)
	if err != nil {
		return err
	}
	if a.status != http.StatusOK {
		return fmt.Errorf("get log %d (%s): status %d: %s", id, e.word, a.status, clip(a.body))
	}
	got, err := decode[detail](a)
	if err != nil {
		return err
	}
	want := detail{RequestID: id, Provider: "openai", Model: "gpt-4o", InputTokens: e.tokens, Start: logTime.Format(time.RFC3339)}
	want.Blueprint.Template.Messages = plain([]any{
		message("user", "what about "+e.word+"? "+e.padding), message("assistant", "nothing at all"),
	})
	if diff := cmp.Diff(want, got); diff != "" {
		return fmt.Errorf("log %d (-want +got):\n%s", id, diff)
	}
	return nil
}

// plain returns a value after a JSON round trip.
func plain(v []any) []any {
	text, err := json.Marshal(v)
	if err == nil {
		v = nil
		err = json.Unmarshal(text, &v)
	}
	if err != nil {
		panic(err) // tests send maps and strings
	}
	return v
}

// find returns the one log that has the entry's word.
func (c *client) find(e entry, id int64) (item, error) {
	found, err := c.searchWord(e.word)
	if err != nil {
		return item{}, err
	}
	if found.Total != 1 || len(found.Items) != 1 || found.Items[0].ID != id {
		return item{}, fmt.Errorf("search for %s found %d logs, want only log %d: %+v", e.word, found.Total, id, found.Items)
	}
	return found.Items[0], nil
}

// searchWord searches for a word, "" for all logs.
func (c *client) searchWord(word string) (page, error) {
	a, err := c.call(http.MethodPost, searchPath, object{"q": word})
	if err != nil {
		return page{}, err
	}
	if a.status != http.StatusOK {
		return page{}, fmt.Errorf("search for %q: status %d: %s", word, a.status, clip(a.body))
	}
	return decode[page](a)
}
