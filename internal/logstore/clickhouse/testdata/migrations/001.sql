CREATE TABLE IF NOT EXISTS log (
	workspace Int64,
	month UInt32,
	head String CODEC(ZSTD(1)),
	input String CODEC(ZSTD(3)),
	output String CODEC(ZSTD(3)),
	parameters String CODEC(ZSTD(1)),
	input_text String CODEC(ZSTD(3)),
	output_text String CODEC(ZSTD(3)),
	thinking_text String CODEC(ZSTD(3)),
	words Array(String) CODEC(ZSTD(1)),
	agent_intent Int64,
	cache_write_tokens Nullable(Int64),
	cached_tokens Nullable(Int64),
	end_time Int64,
	engine LowCardinality(String),
	error_type LowCardinality(Nullable(String)),
	id Int64,
	input_tokens Nullable(Int64),
	is_batch Bool,
	is_json Bool,
	is_plain_text Bool,
	is_tool_call Bool,
	latency_ms Float64,
	logged_price Nullable(Float64),
	logged_price_source LowCardinality(String),
	long_cache_write_tokens Nullable(Int64),
	metadata_keys Array(LowCardinality(String)),
	metadata_pairs Array(String),
	of_span Bool,
	output_keys Array(LowCardinality(String)),
	output_pairs Array(String),
	output_tokens Nullable(Int64),
	price Nullable(Float64),
	price_source LowCardinality(String),
	prompt_id Nullable(Int64),
	prompt_version Nullable(Int64),
	provider LowCardinality(String),
	repricing Int64,
	score_names Array(LowCardinality(String)),
	score_pairs Array(String),
	span_key Int64,
	start_time Int64,
	status LowCardinality(String),
	tags Array(LowCardinality(String)),
	thinking_tokens Nullable(Int64),
	tool_calls Int64,
	tool_names Array(LowCardinality(String)),
	total_tokens Nullable(Int64),
	turns Int64,
	user_intent Int64,
	variable_keys Array(LowCardinality(String)),
	variable_pairs Array(String),
	notes String DEFAULT '' CODEC(ZSTD(1)),
	changes Int64 DEFAULT 0,
	INDEX word_index words TYPE text(tokenizer = 'array'),
	INDEX id_index id TYPE minmax GRANULARITY 1,
	INDEX span_index span_key TYPE bloom_filter(0.001) GRANULARITY 32
) ENGINE = MergeTree PARTITION BY month ORDER BY (workspace, start_time, id)
SETTINGS index_granularity = 256, fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 10000, enable_block_number_column = 1, enable_block_offset_column = 1;
CREATE TABLE IF NOT EXISTS change (
	workspace Int64,
	id Int64,
	at Int64 DEFAULT toUnixTimestamp64Micro(now64(6)),
	writer String,
	slot Int64,
	document String CODEC(ZSTD(1))
) ENGINE = MergeTree ORDER BY (workspace, id, at, writer, slot)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 10000;
CREATE TABLE IF NOT EXISTS term (
	term String CODEC(ZSTD(1))
) ENGINE = ReplacingMergeTree ORDER BY term
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 10000;
CREATE TABLE IF NOT EXISTS span (
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
SETTINGS index_granularity = 1024, fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 10000;
CREATE TABLE IF NOT EXISTS closure (
	workspace Int64,
	key Int64,
	trace_key Int64,
	trace_id String,
	closed_at Int64
) ENGINE = MergeTree ORDER BY key
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 10000;
CREATE TABLE IF NOT EXISTS installation (
	id String,
	at Int64 DEFAULT toUnixTimestamp64Micro(now64(6))
) ENGINE = MergeTree ORDER BY at SETTINGS fsync_after_insert = 1, fsync_part_directory = 1;
CREATE TABLE IF NOT EXISTS copy (
	state String CODEC(ZSTD(1)),
	at Int64 DEFAULT toUnixTimestamp64Micro(now64(6))
) ENGINE = MergeTree ORDER BY at SETTINGS fsync_after_insert = 1, fsync_part_directory = 1;
