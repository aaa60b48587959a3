package clickhouse

import (
	"slices"
	"strings"
)

// migrations are the statements that create and change the tables, in the order
// of their numbers, which start with 1. A migration that was released never
// changes. Each statement may be run twice: if several servers start at once,
// they all run it. There is no ON CLUSTER: a database of the engine Replicated
// runs them on every replica; see replicated.
var migrations = [][]string{
	{logTable(), changeTable, termTable, spanTable, closureTable, installationTable, copyTable},
	// Words are found in the index although they were deleted by an update of the row,
	// until the part is rewritten.
	{`ALTER TABLE log ADD COLUMN IF NOT EXISTS texts_deleted Bool DEFAULT false`},
	// The defaults are for rows from before: those of reqlog.Log.Origin and
	// reqlog.PromptLink.Ref.
	{
		`ALTER TABLE log ADD COLUMN IF NOT EXISTS source LowCardinality(String) DEFAULT
	multiIf(has(tags, 'playground'), 'playground', has(tags, 'evaluate'), 'evaluation', has(tags, 'workflow'), 'workflow', 'api')`,
		`ALTER TABLE log ADD COLUMN IF NOT EXISTS api_key_id Nullable(Int64)`,
		`ALTER TABLE log ADD COLUMN IF NOT EXISTS prompt_ref LowCardinality(Nullable(String)) DEFAULT
	toString(prompt_id) || ':' || toString(prompt_version)`,
	},
	{removalTable},
}

// addedColumns are those that later migrations than the first one add.
var addedColumns = []string{"source", "api_key_id", "prompt_ref"}

// versionTable has the numbers of the migrations that were run.
const versionTable = `CREATE TABLE IF NOT EXISTS schema_version (
	version Int64
) ENGINE = MergeTree ORDER BY version SETTINGS ` + durable

const (
	// durable are the settings of tables: an insert is answered when it is on the
	// disk, not only in the memory of the operating system.
	durable = `fsync_after_insert = 1, fsync_part_directory = 1`
	// repeatable are those of tables whose inserts can be repeated.
	repeatable = durable + `, non_replicated_deduplication_window = 10000`
	// updatable are those of tables whose rows are changed in place.
	updatable = repeatable + `, enable_block_number_column = 1, enable_block_offset_column = 1`
)

// replicated turns a statement into that of a database of the engine Replicated,
// which copies tables to all replicas, but rows only of tables with such engines.
func replicated(sql string) string {
	return strings.NewReplacer("ENGINE = MergeTree", "ENGINE = ReplicatedMergeTree", "ENGINE = ReplacingMergeTree", "ENGINE = ReplicatedReplacingMergeTree",
		"non_replicated_deduplication_window", "replicated_deduplication_window").Replace(sql)
}

// logTable has a row per log. It is ordered for the newest logs of a workspace;
// ids rise with time, so that an index of the lowest and highest one in each
// granule finds a log. Granules are small, because reading one log reads one of
// each column. A part has logs of one month, the one in which they arrived. The
// words of free text never change, so that their index can be read without the
// updates of rows; see freeText.
func logTable() string {
	var lines strings.Builder
	for _, c := range logColumns {
		if slices.Contains(addedColumns, c.name) {
			continue
		}
		lines.WriteString("\t" + c.name + " " + c.sqlType + ",\n")
	}
	return `CREATE TABLE IF NOT EXISTS log (
` + lines.String() + `	notes String DEFAULT '' CODEC(ZSTD(1)),
	changes Int64 DEFAULT 0,
	INDEX word_index words TYPE text(tokenizer = 'array'),
	INDEX id_index id TYPE minmax GRANULARITY 1,
	INDEX span_index span_key TYPE bloom_filter(0.001) GRANULARITY 32
) ENGINE = MergeTree PARTITION BY month ORDER BY (workspace, start_time, id)
SETTINGS index_granularity = 256, ` + updatable
}

// changeTable has every annotation of a log that was stored before. The order
// counts: that of the server's clock, then that of the writer.
const changeTable = `CREATE TABLE IF NOT EXISTS change (
	workspace Int64,
	id Int64,
	at Int64 DEFAULT toUnixTimestamp64Micro(now64(6)),
	writer String,
	slot Int64,
	document String CODEC(ZSTD(1))
) ENGINE = MergeTree ORDER BY (workspace, id, at, writer, slot)
SETTINGS ` + repeatable

// removalTable has the logs whose heads or annotations may have metadata and scores
// that an annotation has removed; see dropRemoved.
const removalTable = `CREATE TABLE IF NOT EXISTS removal (
	workspace Int64,
	id Int64,
	at Int64 DEFAULT toUnixTimestamp64Micro(now64(6))
) ENGINE = MergeTree ORDER BY (workspace, id, at)
SETTINGS ` + repeatable

// termTable has the words of all logs, for beginnings and typing errors.
const termTable = `CREATE TABLE IF NOT EXISTS term (
	term String CODEC(ZSTD(1))
) ENGINE = ReplacingMergeTree ORDER BY term
SETTINGS ` + repeatable

// spanTable has a row per span. The last one that was written counts.
const spanTable = `CREATE TABLE IF NOT EXISTS span (
	workspace Int64,
	key Int64,
	trace_key Int64,
	log_key Int64,
	trace_id String,
	span_id String,
	parent_id Nullable(String),
	name LowCardinality(String),
	kind LowCardinality(String),
	status LowCardinality(String),
	start_time Int64,
	end_time Int64,
	type LowCardinality(Nullable(String)),
	tool_name LowCardinality(Nullable(String)),
	model LowCardinality(Nullable(String)),
	user_id Nullable(String),
	session_id Nullable(String),
	workflow Nullable(Int64),
	workflow_version Nullable(Int64),
	output_text Nullable(String) CODEC(ZSTD(1)),
	exception_text Nullable(String) CODEC(ZSTD(1)),
	attributes Array(String) CODEC(ZSTD(1)),
	resource Array(String) CODEC(ZSTD(1)),
	head String CODEC(ZSTD(1)),
	attribute_object String CODEC(ZSTD(3)),
	resource_object String CODEC(ZSTD(3)),
	event_list String CODEC(ZSTD(3)),
	link_list String CODEC(ZSTD(3)),
	size Int64,
	written Int64 DEFAULT toUnixTimestamp64Micro(now64(6)),
	INDEX log_index log_key TYPE bloom_filter(0.001) GRANULARITY 1
) ENGINE = ReplacingMergeTree(written) ORDER BY (workspace, trace_key, key)
SETTINGS index_granularity = 1024, ` + repeatable

// installationTable names the installation that the logs belong to.
const installationTable = `CREATE TABLE IF NOT EXISTS installation (
	id String,
	at Int64 DEFAULT toUnixTimestamp64Micro(now64(6))
) ENGINE = MergeTree ORDER BY at SETTINGS ` + durable

// closureTable has the closed traces.
const closureTable = `CREATE TABLE IF NOT EXISTS closure (
	workspace Int64,
	key Int64,
	trace_key Int64,
	trace_id String,
	closed_at Int64
) ENGINE = MergeTree ORDER BY key
SETTINGS ` + repeatable
