package e2e

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"
)

// TestConcurrentAnnotations checks that no annotation is lost when many clients
// annotate one log concurrently, before and after a crash.
func TestConcurrentAnnotations(t *testing.T) {
	t.Parallel()
	const clients, rounds = 32, 5
	data := t.TempDir()
	p := start(t, data)
	e := entry{word: "zqannotated1", tokens: 1}
	id := p.log(t, e)
	groups := []int64{createGroup(t, p.client), createGroup(t, p.client)}
	var all errgroup.Group
	for n := range clients {
		all.Go(func() error { return annotateOften(p.client, id, n, rounds, groups) })
	}
	if err := all.Wait(); err != nil {
		t.Fatal(err)
	}
	check := func(p *program) {
		t.Helper()
		got, err := p.find(e, id)
		if err != nil {
			t.Fatal(err)
		}
		metadata := map[string]string{}
		var scores []score
		for n := range clients {
			metadata[fmt.Sprint("client", n)] = fmt.Sprint(rounds - 1)
			scores = append(scores, score{fmt.Sprint("client", n), int64(rounds - 1)})
		}
		if diff := cmp.Diff(metadata, got.metadata()); diff != "" {
			t.Errorf("metadata (-want +got):\n%s", diff)
		}
		byName := func(a, b score) int { return strings.Compare(a.Name, b.Name) }
		slices.SortFunc(scores, byName)
		slices.SortFunc(got.Scores, byName)
		if diff := cmp.Diff(scores, got.Scores); diff != "" {
			t.Errorf("scores (-want +got):\n%s", diff)
		}
		if !slices.Contains(groups, got.GroupID) {
			t.Errorf("group %d, want one of %v", got.GroupID, groups)
		}
	}
	check(p)
	p.kill()
	p = start(t, data)
	check(p)
	p.stop()
	check(start(t, data))
}

// annotateOften sets the same keys repeatedly; the last value wins.
func annotateOften(c *client, id int64, n, rounds int, groups []int64) error {
	name := fmt.Sprint("client", n)
	for round := range rounds {
		for path, body := range map[string]object{
			"/rest/track-metadata":    {"request_id": id, "metadata": object{name: round}},
			"/library-track-score":    {"request_id": id, "score": round, "name": name, "api_key": testKey},
			"/library-track-metadata": {"request_id": fmt.Sprint(id), "metadata": object{}, "api_key": testKey},
			"/rest/track-group":       {"request_id": id, "group_id": groups[(n+round)%len(groups)]},
		} {
			a, err := c.call(http.MethodPost, path, body)
			if err != nil {
				return err
			}
			if a.status != http.StatusOK {
				return fmt.Errorf("%s: status %d: %s", path, a.status, clip(a.body))
			}
		}
	}
	return nil
}
