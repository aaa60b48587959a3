package registry

import (
	"crypto/rand"
	"encoding/hex"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/prompt"
)

// The responses below repeat stored templates. They do not use encoding/json
// for speed: programs fetch a template before every request to a model.

func writeSnippets(w *jsontree.Writer, snippets []prompt.Snippet) {
	w.Array(func() {
		for _, snippet := range snippets {
			w.Object(func() {
				w.Key("prompt_name").String(snippet.Name)
				w.Key("version").Int(snippet.Version)
				w.Key("label").StringOrNull(snippet.Label)
			})
		}
	})
}

func writeExternalIDs(w *jsontree.Writer, pairs []entity.ExternalID) {
	w.Array(func() {
		for _, pair := range pairs {
			w.Object(func() {
				w.Key("source").String(pair.Source)
				w.Key("external_id").String(pair.ID)
			})
		}
	})
}

// appendRecord appends the response with a new version and the labels of the
// request.
func appendRecord(dst []byte, r *prompt.Record, labels []string) []byte {
	w := jsontree.NewWriter(dst)
	w.Object(func() {
		w.Key("id").Int(r.Entity.ID)
		w.Key("prompt_name").String(r.Entity.Name)
		w.Key("prompt_version_id").Int(r.Version.ID)
		w.Key("version_number").Int(r.Version.Number)
		w.Key("tags").Strings(r.Entity.Tags)
		w.Key("prompt_template").RawOr(r.Content.Template, "{}")
		writeExternalIDs(w.Key("external_ids"), r.ExternalIDs)
		if w.Key("release_labels"); labels == nil {
			w.Null()
		} else {
			w.Strings(distinct(labels))
		}
		w.Key("metadata").Raw(r.Content.Metadata)
		w.Key("commit_message").OptString(r.Version.CommitMessage)
	})
	return w.Bytes()
}

// distinct returns the names in order without duplicates.
func distinct(names []string) []string {
	out := make([]string, 0, len(names))
	seen := make(map[string]struct{}, len(names))
	for _, name := range names {
		if _, known := seen[name]; !known {
			seen[name] = struct{}{}
			out = append(out, name)
		}
	}
	return out
}

// rawForm says what of a version to return.
type rawForm struct {
	resolve   bool // the snippets in their places
	arguments bool // those of the provider's client
}

// encodeRawPrompt returns one version as stored.
func encodeRawPrompt(t *prompt.Template, form rawForm) []byte {
	content := t.Content.Template
	if form.resolve {
		content = t.Expanded
	}
	w := jsontree.NewWriter(nil)
	w.Grow(1024 + len(t.Expanded) + len(t.RunMetadata))
	w.Object(func() {
		w.Key("success").Bool(true)
		w.Key("id").Int(t.Entity.ID)
		w.Key("prompt_name").String(t.Entity.Name)
		w.Key("version").Int(t.Version.Number)
		w.Key("workspace_id").Int(t.Entity.WorkspaceID)
		w.Key("prompt_template").RawOr(content, "{}")
		w.Key("metadata").Raw(t.RunMetadata)
		w.Key("commit_message").OptString(t.Version.CommitMessage)
		w.Key("tags").Strings(t.Entity.Tags)
		w.Key("created_at").String(kit.Time(t.Version.CreatedAt).String())
		writeSnippets(w.Key("snippets"), t.Snippets)
		if w.Key("llm_kwargs"); form.arguments {
			w.Raw(t.RawArguments())
		} else {
			w.Null()
		}
		writeExternalIDs(w.Key("external_ids"), t.ExternalIDs)
		w.Key("is_snippet").Bool(t.IsSnippet())
	})
	return w.Bytes()
}

// appendRun appends one version that is ready to run.
func appendRun(dst []byte, r *prompt.Run) []byte {
	w := jsontree.NewWriter(dst)
	w.Grow(1024 + len(r.Prompt) + len(r.Arguments) + len(r.Metadata))
	w.Object(func() {
		w.Key("id").Int(r.Entity.ID)
		w.Key("prompt_name").String(r.Entity.Name)
		w.Key("tags").Strings(r.Entity.Tags)
		w.Key("workspace_id").Int(r.Entity.WorkspaceID)
		w.Key("commit_message").OptString(r.Version.CommitMessage)
		w.Key("metadata").Raw(r.Metadata)
		w.Key("prompt_template").RawOr(r.Prompt, "{}")
		w.Key("llm_kwargs").Raw(r.Arguments)
		w.Key("provider_base_url").Null()
		w.Key("provider_id").Null()
		w.Key("custom_provider").Null()
		w.Key("version").Int(r.Version.Number)
		writeSnippets(w.Key("snippets"), r.Snippets)
		w.Key("warning").StringOrNull(r.Warning)
		var id [16]byte
		_, _ = rand.Read(id[:]) // never fails
		w.Key("request_id").String(hex.EncodeToString(id[:]))
	})
	return w.Bytes()
}
