package embedded

import (
	"fmt"
	"testing"

	"github.com/promptuary/promptuary/internal/logstore/logstoretest"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// TestManyTextConditions expects a filter with many text conditions to be
// answered, within the time that requests.Service allows.
func TestManyTextConditions(t *testing.T) {
	t.Parallel()
	s := openAt(t, t.TempDir())
	defer closeStore(t, s)
	logstoretest.Fill(t, s)
	filter := func(count int) query.Node {
		group := query.Group{Any: true}
		for i := range count {
			// The index cannot decide texts across words.
			text := fmt.Sprintf("no text has this %d", i)
			group.Nodes = append(group.Nodes, query.Cond{Field: query.FieldInputText, Op: query.OpNotContains, Texts: []string{text}})
		}
		return group
	}
	search := func(count int) (query.Found, error) {
		return s.Search(t.Context(), query.SearchQuery{Query: query.Query{Workspace: logstoretest.Home, Filter: filter(count)}, Page: 1, PerPage: 5})
	}
	all, err := search(0)
	if err != nil {
		t.Fatal(err)
	}
	if found, err := search(500); err != nil || found.Total != all.Total {
		t.Errorf("found %d of %d, %v", found.Total, all.Total, err)
	}
}
