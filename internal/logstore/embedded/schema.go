package embedded

import (
	"context"
	"database/sql/driver"
	"fmt"
	"strconv"
	"strings"

	"github.com/promptuary/promptuary/internal/reqlog"
)

// schemaVersion changes whenever the tables do. An older table is dropped and
// filled again from the journal, which is all the migration derived data needs.
const schemaVersion = 2

// The table has what is filtered, sorted, grouped and summed by, and nothing
// else: whole logs are read from the journal, and texts are found by the text
// index. Only what annotations have changed since is kept here, as notes.
//
// Flattened pairs are lists of strings in which the key cannot run into its
// value: see pairText.
const schema = `
CREATE TABLE log (
	id              BIGINT NOT NULL,
	workspace       BIGINT NOT NULL,
	start_time      BIGINT NOT NULL,
	end_time        BIGINT NOT NULL,
	latency_ms      DOUBLE NOT NULL,
	provider        VARCHAR NOT NULL,
	engine          VARCHAR NOT NULL,
	status          VARCHAR NOT NULL,
	error_type      VARCHAR,
	input_tokens    BIGINT NOT NULL,
	output_tokens   BIGINT NOT NULL,
	cached_tokens   BIGINT NOT NULL,
	thinking_tokens BIGINT NOT NULL,
	price           DOUBLE NOT NULL,
	prompt_id       BIGINT,
	prompt_version  BIGINT,
	is_json         BOOLEAN NOT NULL,
	is_tool_call    BOOLEAN NOT NULL,
	turns           BIGINT NOT NULL,
	tool_calls      BIGINT NOT NULL,
	user_intent     BIGINT NOT NULL,
	agent_intent    BIGINT NOT NULL,
	tags            VARCHAR[] NOT NULL,
	tool_names      VARCHAR[] NOT NULL,
	metadata_keys   VARCHAR[] NOT NULL,
	metadata_pairs  VARCHAR[] NOT NULL,
	output_keys     VARCHAR[] NOT NULL,
	output_pairs    VARCHAR[] NOT NULL,
	variable_keys   VARCHAR[] NOT NULL,
	variable_pairs  VARCHAR[] NOT NULL,
	notes           VARCHAR
);
CREATE TABLE block (
	first_id BIGINT NOT NULL,
	position BIGINT NOT NULL
);
CREATE TABLE applied (
	block   BIGINT NOT NULL,
	records BIGINT NOT NULL
);
INSERT INTO applied VALUES (0, 0);
CREATE TABLE schema_version (version BIGINT NOT NULL);
`

func (t *table) createSchema(ctx context.Context) error {
	if err := t.exec(ctx, "CREATE TABLE IF NOT EXISTS schema_version (version BIGINT NOT NULL)"); err != nil {
		return fmt.Errorf("create schema: %w", err)
	}
	var version int64
	if err := t.db.QueryRowContext(ctx, "SELECT coalesce(max(version), 0) FROM schema_version").Scan(&version); err != nil {
		return fmt.Errorf("read schema version: %w", err)
	}
	if version == schemaVersion {
		return nil
	}
	return t.transact(ctx, func() error {
		for _, name := range []string{"log", "block", "applied", "schema_version"} {
			if err := t.exec(ctx, "DROP TABLE IF EXISTS "+name); err != nil {
				return fmt.Errorf("drop old schema: %w", err)
			}
		}
		if err := t.exec(ctx, schema); err != nil {
			return fmt.Errorf("create schema: %w", err)
		}
		return t.exec(ctx, "INSERT INTO schema_version VALUES ("+strconv.Itoa(schemaVersion)+")")
	})
}

// row lists a log's values in the order of the columns. The notes are kept
// only of logs that were annotated; those of others are in the journal.
func row(l *reqlog.Log, annotated bool) ([]driver.Value, error) {
	var notes, promptID, promptVersion driver.Value
	if annotated {
		encoded, err := encodeNotes(&l.Notes)
		if err != nil {
			return nil, err
		}
		notes = string(encoded)
	}
	if l.Prompt != nil {
		promptID, promptVersion = l.Prompt.ID, l.Prompt.Version
	}
	return []driver.Value{
		l.ID, l.Workspace, int64(l.Start), int64(l.End), l.LatencyMS(),
		l.Provider, l.Engine, l.Status, orNull(l.ErrorType),
		l.InputTokens, l.OutputTokens, l.CachedTokens, l.ThinkingTokens, l.Price,
		promptID, promptVersion,
		l.Index.IsJSON, l.Index.IsToolCall, l.Index.TurnCount, l.Index.ToolCallCount,
		intentMask(l.Index.UserIntent), intentMask(l.Index.AgentIntent),
		list(l.Tags), list(l.Index.ToolNames),
		list(reqlog.Keys(l.Index.Metadata)), pairTexts(l.Index.Metadata),
		list(reqlog.Keys(l.Index.Output)), pairTexts(l.Index.Output),
		list(reqlog.Keys(l.Index.Variables)), pairTexts(l.Index.Variables),
		notes,
	}, nil
}

func orNull(text string) driver.Value {
	if text == "" {
		return nil
	}
	return text
}

func list(values []string) []string {
	if values == nil {
		return []string{}
	}
	return values
}

// pairTexts lists the distinct pairs that have a value.
func pairTexts(pairs []reqlog.Pair) []string {
	texts := make([]string, 0, len(pairs))
	seen := make(map[string]struct{}, len(pairs))
	for _, p := range pairs {
		text := pairText(p.Key, p.Value)
		if _, twice := seen[text]; !twice && !p.Empty {
			seen[text] = struct{}{}
			texts = append(texts, text)
		}
	}
	return texts
}

// pairText joins a key and a value so that no other pair gives the same text,
// all values of one key share a beginning that no other key has, and texts sort
// by key, then by value. A zero byte ends the key; those within it are marked.
func pairText(key, value string) string {
	return strings.ReplaceAll(key, "\x00", "\x00\x01") + pairEnd + value
}

const pairEnd = "\x00\x00"

// splitPair undoes pairText.
func splitPair(pair string) (key, value string) {
	key, value, _ = strings.Cut(pair, pairEnd)
	return strings.ReplaceAll(key, "\x00\x01", "\x00"), value
}

// intents are the labels of both intent fields; a log's are kept as bits.
var intents = []string{"frustrated", "satisfied", "curious", "apologetic", "refusal", "uncertain"}

func intentMask(labels []string) int64 {
	var mask int64
	for _, label := range labels {
		for i, known := range intents {
			if label == known {
				mask |= 1 << i
			}
		}
	}
	return mask
}
