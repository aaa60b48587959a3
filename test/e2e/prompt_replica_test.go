package e2e

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/promptuary/promptuary/internal/catalog/pgtest"
)

func number(n int64) string { return strconv.FormatInt(n, 10) }

// replicas starts two servers with their own folders on one catalog.
func replicas(t *testing.T) [2]*program {
	t.Helper()
	dsn := pgtest.Start(t)
	first := setup{data: t.TempDir(), catalog: dsn, args: ownLogs}.start(t)
	return [2]*program{first, setup{data: t.TempDir(), catalog: dsn, args: ownLogs}.start(t)}
}

// TestReplicasShareTemplates changes templates on one server and fetches them
// from another that has cached them: the very next fetch must return the
// change.
func TestReplicasShareTemplates(t *testing.T) {
	t.Parallel()
	both := replicas(t)
	const name = "team/shared bot"
	both[0].publish(t, snippet("rules", "Rules 0."))
	both[0].publish(t, publication(name, "@@@rules@@@ Text 1", "prod"))
	expect := func(when string, p *program, body object, version int64, text string) {
		t.Helper()
		got := p.fetch(t, name, body)
		if got.Version != version || got.Template.String() != "user("+text+")" {
			t.Fatalf("%s: version %d, %s, want %d with %q", when, got.Version, got.Template, version, text)
		}
	}
	for round := range int64(30) {
		writer, reader := both[round%2], both[(round+1)%2]
		rules := fmt.Sprintf("Rules %d. ", round)
		latest := round + 2
		// This fetch fills the cache, which must not be used below.
		expect("before", reader, nil, latest-1, rules+fmt.Sprint("Text ", latest-1))
		expect("before, by label", reader, object{"label": "prod"}, latest-1, rules+fmt.Sprint("Text ", latest-1))

		writer.publish(t, publication(name, fmt.Sprint("@@@rules@@@ Text ", latest)))
		expect("after a publish", reader, nil, latest, rules+fmt.Sprint("Text ", latest))
		expect("after a publish, by label", reader, object{"label": "prod"}, latest-1, rules+fmt.Sprint("Text ", latest-1))

		labels, err := reader.labels(name)
		if err != nil {
			t.Fatal(err)
		}
		writer.do(t, http.MethodPatch, "/prompt-labels/"+number(labels["prod"].ID), object{"prompt_version_number": latest}, http.StatusOK)
		expect("after the label was moved", reader, object{"label": "prod"}, latest, rules+fmt.Sprint("Text ", latest))

		rules = fmt.Sprintf("Rules %d. ", round+1)
		writer.publish(t, snippet("rules", fmt.Sprintf("Rules %d.", round+1)))
		expect("after a snippet was published", reader, object{"version": 1}, 1, rules+"Text 1")
	}
}

// TestReplicasPublishConcurrently publishes versions of the same new templates
// on two servers: their numbers must have no gaps.
func TestReplicasPublishConcurrently(t *testing.T) {
	t.Parallel()
	const clients, rounds = 8, 10
	both := replicas(t)
	versions := make([][]int64, clients)
	var all errgroup.Group
	for n := range clients {
		all.Go(func() error {
			for round := range rounds {
				text := fmt.Sprintf("client %d round %d", n, round)
				a, err := both[n%2].call(http.MethodPost, publishPath, publication("contested", text, "last"))
				if err != nil {
					return err
				}
				got, err := decode[publishedPrompt](a)
				if err != nil || a.status != http.StatusCreated {
					return fmt.Errorf("status %d: %s", a.status, clip(a.body))
				}
				versions[n] = append(versions[n], got.Version)
			}
			return nil
		})
	}
	if err := all.Wait(); err != nil {
		t.Fatal(err)
	}
	numbers := slices.Sorted(slices.Values(slices.Concat(versions...)))
	for i, got := range numbers {
		if got != int64(i+1) {
			t.Fatalf("the numbers are %v, want 1 to %d", numbers, clients*rounds)
		}
	}
	last := both[1].fetch(t, "contested", object{"label": "last"})
	if last.Version != clients*rounds {
		t.Errorf("the label is at version %d, want %d, which was published last", last.Version, clients*rounds)
	}
}

// TestReplicasLinkLogs logs a request on one server that refers to a template
// published on another.
func TestReplicasLinkLogs(t *testing.T) {
	t.Parallel()
	both := replicas(t)
	published := both[0].publish(t, publication("linked", "Hello {name}"))
	body := entry{word: "zqlinked1", tokens: 1}.body()
	body["prompt_name"], body["prompt_input_variables"] = "linked", object{"name": "Ada"}
	id := mustDecode[created](t, both[1].post(t, "/log-request", body, http.StatusCreated)).ID
	got := both[1].linkOf(t, id)
	if got.PromptID != published.ID || got.Version != 1 || got.Name != "linked" {
		t.Errorf("logged as %+v, want version 1 of template %d", got, published.ID)
	}
}
