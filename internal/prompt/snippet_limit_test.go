package prompt_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/template"
)

// spent runs do and returns its duration and the memory it allocated.
// Concurrent tests would count too, so there must be none.
func spent(do func()) (time.Duration, uint64) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	do()
	took := time.Since(start)
	runtime.ReadMemStats(&after)
	return took, after.TotalAlloc - before.TotalAlloc
}

// TestSnippetsThatMultiply reads templates whose snippets multiply: one would
// have 10^12 times ten bytes, and one uses many snippets of the maximum size.
// It is not parallel because it measures.
func TestSnippetsThatMultiply(t *testing.T) {
	r := onSQLite(t)
	r.publish("lol0", completion("0123456789"))
	for level := 1; level <= 12; level++ {
		r.publish(fmt.Sprintf("lol%d", level), completion(strings.Repeat(fmt.Sprintf("@@@lol%d@@@", level-1), 10)))
	}
	var wide strings.Builder
	labels := make([]string, 200)
	for i := range labels {
		labels[i] = fmt.Sprint(i)
		fmt.Fprintf(&wide, "@@@large@label:%d@@@", i)
	}
	r.publish("large", completion("@@@lol5@@@@@@lol5@@@@@@lol5@@@"), labels...)
	r.publish("wide", completion(wide.String()))
	for _, name := range []string{"lol12", "wide"} {
		t.Run(name, func(t *testing.T) {
			var run *prompt.Run
			took, allocated := spent(func() { run = r.prepare(name, prompt.Request{SkipRendering: true}) })
			if most := 2 * template.MaxExpanded; len(run.Prompt) > most {
				t.Errorf("the template has %d bytes, want at most %d", len(run.Prompt), most)
			}
			if allocated > 40*template.MaxExpanded {
				t.Errorf("it took %d MB of memory", allocated>>20)
			}
			if took > 10*time.Second {
				t.Errorf("it took %v", took)
			}
			if !strings.Contains(run.Warning, "could not be resolved") {
				t.Errorf("the warning is %q", run.Warning)
			}
		})
	}
}

// TestHugeReleases sends far more than real clients do; it must be rejected
// before other writers have to wait. It is not parallel because it measures.
func TestHugeReleases(t *testing.T) {
	r := onSQLite(t)
	r.publish("part", completion("x"))
	const many = 100_000
	var tags strings.Builder
	labels, refs := make([]string, many), make([]entity.ExternalRef, many)
	for i := range many {
		fmt.Fprintf(&tags, "@@@part@version_number:%d@@@", i+2)
		labels[i] = fmt.Sprint("label ", i)
		refs[i] = entity.ExternalRef{Source: "crm", ID: fmt.Sprint(i)}
	}
	for name, in := range map[string]prompt.Publication{
		"tags":         {Content: completion(tags.String())},
		"labels":       {Content: completion("x"), Release: registry.Release{Labels: labels}},
		"external ids": {Content: completion("x"), Release: registry.Release{ExternalIDs: refs}},
	} {
		t.Run(name, func(t *testing.T) {
			in.Name = "user"
			took, _ := spent(func() {
				r.unchanged(func() {
					_, err := r.Publish(r.ctx, r.workspace, in)
					check.Fault(t, err, fault.Invalid)
				})
			})
			if took > 4*time.Second {
				t.Errorf("it took %v", took)
			}
		})
	}
}

// TestSnippetsOfSnippetsStayBounded reads a template that uses one snippet with
// far too many references. It bypasses the service, which would reject it; a
// tree of smaller ones could have as many.
func TestSnippetsOfSnippetsStayBounded(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	r.publish("leaf", completion("l"))
	branch := r.publish("branch", completion("b"))
	r.publish("tree", completion("@@@branch@@@"))
	var tags strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&tags, "@@@leaf@version_number:%d@@@", i+1)
	}
	body := fmt.Sprintf(`{"prompt_template":%s,"metadata":null}`, completion(tags.String()).Template)
	check.Must(r.catalog.Entities.AddVersion(r.ctx, r.workspace, branch.Entity.ID, entity.NewVersion{Body: []byte(body)}))(t)
	service, counted := r.counting()
	tree := check.Must(service.Prepare(r.ctx, r.workspace, "tree", prompt.Request{SkipRendering: true}))(t)
	check.Equal(t, "references that were looked up", counted.references, 1000)
	_, rest, _ := strings.Cut(tags.String(), "@@@@@@")
	check.Equal(t, "text", texts(tree.Prompt), []string{"l@@@" + rest})
	check.Equal(t, "snippets", tree.Snippets, []prompt.Snippet{{Name: "branch", Version: 2}, {Name: "leaf", Version: 1}})
	check.Equal(t, "warning", tree.Warning, "Snippet leaf could not be resolved")
}

func TestTagsDoNotSpanItems(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		r.publish("part", completion("one"))
		r.publish("user", completion("<@@@part@@@>"))
		r.publish("a b", completion("never"))
		for _, text := range [][]string{{"x@@@a\x00", "b@@@y"}, {"x@@@a ", "b@@@y"}} {
			r.publish("part", completion(text...))
			run := r.prepare("user", prompt.Request{SkipRendering: true})
			check.Equal(t, "text", texts(run.Prompt), []string{"<" + text[0] + text[1] + ">"})
		}
	})
}
