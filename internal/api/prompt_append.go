package api

import (
	"crypto/rand"
	"encoding/hex"
	"slices"
	"strconv"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/rest"
)

// The answers below repeat stored templates. They are written by hand, as those
// to request logs are, because fetching a template is on the way of every
// request that a user's program makes.

// orNull writes null where there is no JSON text.
func (o *object) orNull(name string, text []byte) {
	if len(text) == 0 {
		o.raw(name, "null")
		return
	}
	o.json(name, text)
}

func (o *object) message(name string, text *string) {
	if text == nil {
		o.raw(name, "null")
		return
	}
	o.str(name, *text)
}

func (o *object) strings(name string, values []string) {
	list(o, name, values, func(value string) { o.text = jsontree.AppendQuoted(o.text, value) })
}

func (o *object) externalIDs(name string, pairs []entity.ExternalID) {
	list(o, name, pairs, func(pair entity.ExternalID) {
		o.begin()
		o.str("source", pair.Source)
		o.str("external_id", pair.ID)
		o.end()
	})
}

func (o *object) snippets(name string, snippets []prompt.Snippet) {
	list(o, name, snippets, func(snippet prompt.Snippet) {
		o.begin()
		o.str("prompt_name", snippet.Name)
		o.integer("version", snippet.Version)
		o.maybe("label", snippet.Label)
		o.end()
	})
}

// appendRecord writes the answer to a new version.
func appendRecord(dst []byte, r *prompt.Record) []byte {
	o := object{append(dst, '{')}
	o.integer("id", r.Entity.ID)
	o.str("prompt_name", r.Entity.Name)
	o.integer("prompt_version_id", r.Version.ID)
	o.integer("version_number", r.Version.Number)
	o.strings("tags", r.Entity.Tags)
	o.json("prompt_template", r.Content.Template)
	o.externalIDs("external_ids", r.ExternalIDs)
	if r.Labels == nil {
		o.raw("release_labels", "null")
	} else {
		o.strings("release_labels", r.Labels)
	}
	o.orNull("metadata", r.Content.Metadata)
	o.message("commit_message", r.Version.CommitMessage)
	return append(o.text, '}')
}

// appendRawPrompt writes one version as it is stored.
func appendRawPrompt(dst []byte, t *prompt.Template, resolve, arguments bool) []byte {
	dst = slices.Grow(dst, 1024+len(t.Expanded)+len(t.RunMetadata))
	o := object{append(dst, '{')}
	o.raw("success", "true")
	o.integer("id", t.Entity.ID)
	o.str("prompt_name", t.Entity.Name)
	o.integer("version", t.Version.Number)
	o.integer("workspace_id", t.Entity.WorkspaceID)
	if resolve {
		o.json("prompt_template", t.Expanded)
	} else {
		o.json("prompt_template", t.Content.Template)
	}
	o.orNull("metadata", t.RunMetadata)
	o.message("commit_message", t.Version.CommitMessage)
	o.strings("tags", t.Entity.Tags)
	o.str("created_at", rest.Time(t.Version.CreatedAt.UnixMicro()).String())
	o.snippets("snippets", t.Snippets)
	if arguments {
		o.orNull("llm_kwargs", t.RawArguments())
	} else {
		o.raw("llm_kwargs", "null")
	}
	o.externalIDs("external_ids", t.ExternalIDs)
	o.raw("is_snippet", strconv.FormatBool(t.IsSnippet()))
	return append(o.text, '}')
}

// appendRun writes one version that is ready to be run.
func appendRun(dst []byte, r *prompt.Run) []byte {
	dst = slices.Grow(dst, 1024+len(r.Prompt)+len(r.Arguments)+len(r.Metadata))
	o := object{append(dst, '{')}
	o.integer("id", r.Entity.ID)
	o.str("prompt_name", r.Entity.Name)
	o.strings("tags", r.Entity.Tags)
	o.integer("workspace_id", r.Entity.WorkspaceID)
	o.message("commit_message", r.Version.CommitMessage)
	o.orNull("metadata", r.Metadata)
	o.json("prompt_template", r.Prompt)
	o.orNull("llm_kwargs", r.Arguments)
	o.raw("provider_base_url", "null")
	o.raw("provider_id", "null")
	o.raw("custom_provider", "null")
	o.integer("version", r.Version.Number)
	o.snippets("snippets", r.Snippets)
	o.maybe("warning", r.Warning)
	var id [16]byte
	_, _ = rand.Read(id[:]) // never fails
	o.str("request_id", hex.EncodeToString(id[:]))
	return append(o.text, '}')
}
