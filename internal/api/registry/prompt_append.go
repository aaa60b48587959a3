package registry

import (
	"crypto/rand"
	"encoding/hex"
	"slices"
	"strconv"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/prompt"
)

// The responses below repeat stored templates. They are written by hand for
// speed: programs fetch a template before every request to a model.

func writeSnippets(o *kit.Object, name string, snippets []prompt.Snippet) {
	kit.WriteList(o, name, snippets, func(snippet prompt.Snippet) {
		o.Begin()
		o.String("prompt_name", snippet.Name)
		o.Int("version", snippet.Version)
		o.StringOrNull("label", snippet.Label)
		o.End()
	})
}

// appendRecord appends the response with a new version and the labels of the
// request.
func appendRecord(dst []byte, r *prompt.Record, labels []string) []byte {
	o := kit.Object{Text: append(dst, '{')}
	o.Int("id", r.Entity.ID)
	o.String("prompt_name", r.Entity.Name)
	o.Int("prompt_version_id", r.Version.ID)
	o.Int("version_number", r.Version.Number)
	o.Strings("tags", r.Entity.Tags)
	o.JSON("prompt_template", r.Content.Template)
	o.ExternalIDs("external_ids", r.ExternalIDs)
	if labels == nil {
		o.Raw("release_labels", "null")
	} else {
		o.Strings("release_labels", labels)
	}
	o.JSONOrNull("metadata", r.Content.Metadata)
	o.OptString("commit_message", r.Version.CommitMessage)
	return append(o.Text, '}')
}

// appendRawPrompt appends one version as stored.
func appendRawPrompt(dst []byte, t *prompt.Template, resolve, arguments bool) []byte {
	dst = slices.Grow(dst, 1024+len(t.Expanded)+len(t.RunMetadata))
	o := kit.Object{Text: append(dst, '{')}
	o.Raw("success", "true")
	o.Int("id", t.Entity.ID)
	o.String("prompt_name", t.Entity.Name)
	o.Int("version", t.Version.Number)
	o.Int("workspace_id", t.Entity.WorkspaceID)
	if resolve {
		o.JSON("prompt_template", t.Expanded)
	} else {
		o.JSON("prompt_template", t.Content.Template)
	}
	o.JSONOrNull("metadata", t.RunMetadata)
	o.OptString("commit_message", t.Version.CommitMessage)
	o.Strings("tags", t.Entity.Tags)
	o.String("created_at", kit.Time(t.Version.CreatedAt).String())
	writeSnippets(&o, "snippets", t.Snippets)
	if arguments {
		o.JSONOrNull("llm_kwargs", t.RawArguments())
	} else {
		o.Raw("llm_kwargs", "null")
	}
	o.ExternalIDs("external_ids", t.ExternalIDs)
	o.Raw("is_snippet", strconv.FormatBool(t.IsSnippet()))
	return append(o.Text, '}')
}

// appendRun appends one version that is ready to run.
func appendRun(dst []byte, r *prompt.Run) []byte {
	dst = slices.Grow(dst, 1024+len(r.Prompt)+len(r.Arguments)+len(r.Metadata))
	o := kit.Object{Text: append(dst, '{')}
	o.Int("id", r.Entity.ID)
	o.String("prompt_name", r.Entity.Name)
	o.Strings("tags", r.Entity.Tags)
	o.Int("workspace_id", r.Entity.WorkspaceID)
	o.OptString("commit_message", r.Version.CommitMessage)
	o.JSONOrNull("metadata", r.Metadata)
	o.JSON("prompt_template", r.Prompt)
	o.JSONOrNull("llm_kwargs", r.Arguments)
	o.Raw("provider_base_url", "null")
	o.Raw("provider_id", "null")
	o.Raw("custom_provider", "null")
	o.Int("version", r.Version.Number)
	writeSnippets(&o, "snippets", r.Snippets)
	o.StringOrNull("warning", r.Warning)
	var id [16]byte
	_, _ = rand.Read(id[:]) // never fails
	o.String("request_id", hex.EncodeToString(id[:]))
	return append(o.Text, '}')
}
