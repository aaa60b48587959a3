package rest_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/rest"
)

// shelfQuery reads its members itself.
type shelfQuery struct {
	Shelf string `json:"shelf" minLength:"3" description:"Where the book is."`
	read  string
}

var errNoShelf = errors.New("no such shelf")

func (q *shelfQuery) BindMembers(body jsontree.Value, problems *fault.Problems) error {
	if q.read = body.Get("shelf").Str(); q.read == "" {
		problems.Report([]any{"body", "shelf"}, fault.Required)
	}
	if q.read == "none" {
		return errNoShelf
	}
	return nil
}

type booksOnShelf struct {
	shelfQuery
	Limit int `json:"limit" minimum:"1" default:"10" description:"How many."`
}

type freeBooks struct {
	booksOnShelf
	Free bool `json:"free" description:"Whether nobody has borrowed them."`
}

// TestMemberBinder binds an input with a part that reads its members itself: the kernel
// reads all other members, however deep the part is embedded, and those of the part not.
func TestMemberBinder(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		body, shelf string
		limit       int
		free        bool
		problems    []string
	}{
		{body: `{"shelf":"a","limit":3,"free":true}`, shelf: "a", limit: 3, free: true},
		{body: `{"shelf":"abc"}`, shelf: "abc", limit: 10},
		{body: `{"limit":0,"free":1}`, problems: []string{"body free bool_type", "body limit greater_than_equal", "body shelf missing"}},
		{body: `{"shelf":"none","limit":0}`, problems: []string{"body limit greater_than_equal"}},
	} {
		var in freeBooks
		err := rest.BindBody(jsontree.MustParse(c.body), &in)
		if len(c.problems) > 0 {
			got := problems(err)
			check.Equal(t, "number of problems of "+c.body, len(got), len(c.problems))
			for _, want := range c.problems {
				check.Equal(t, want, slices.Contains(got, want), true)
			}
			continue
		}
		check.OK(t, err)
		check.Equal(t, "shelf", in.read, c.shelf)
		check.Equal(t, "member that the kernel does not read", in.Shelf, "")
		check.Equal(t, "limit", in.Limit, c.limit)
		check.Equal(t, "free", in.Free, c.free)
	}
	if err := rest.BindBody(jsontree.MustParse(`{"shelf":"none"}`), &freeBooks{}); !errors.Is(err, errNoShelf) {
		t.Errorf("error = %v", err)
	}
	nested := &struct {
		Query shelfQuery `json:"query"`
	}{}
	if err := rest.BindBody(jsontree.MustParse(`{"query":{"shelf":"a"}}`), nested); err == nil {
		t.Error("a part that is not part of the body itself was accepted")
	}
}
