CREATE TABLE log (
	workspace BIGINT NOT NULL,
	agent_intent BIGINT NOT NULL,
	api_key_id BIGINT,
	cache_write_tokens BIGINT,
	cached_tokens BIGINT,
	end_time BIGINT NOT NULL,
	engine VARCHAR NOT NULL,
	error_type VARCHAR,
	id BIGINT NOT NULL,
	input_tokens BIGINT,
	is_batch BOOLEAN NOT NULL,
	is_json BOOLEAN NOT NULL,
	is_plain_text BOOLEAN NOT NULL,
	is_tool_call BOOLEAN NOT NULL,
	latency_ms DOUBLE NOT NULL,
	logged_price DOUBLE,
	logged_price_source VARCHAR,
	long_cache_write_tokens BIGINT,
	metadata_keys VARCHAR[] NOT NULL,
	metadata_keys_hash BIGINT NOT NULL,
	metadata_pairs VARCHAR[] NOT NULL,
	metadata_pairs_hashes BIGINT[] NOT NULL,
	output_keys VARCHAR[] NOT NULL,
	output_keys_hash BIGINT NOT NULL,
	output_pairs VARCHAR[] NOT NULL,
	output_pairs_hashes BIGINT[] NOT NULL,
	output_tokens BIGINT,
	price DOUBLE,
	price_source VARCHAR,
	prompt_id BIGINT,
	prompt_ref VARCHAR,
	prompt_version BIGINT,
	provider VARCHAR NOT NULL,
	repricing BIGINT,
	score_names VARCHAR[] NOT NULL,
	score_pairs VARCHAR[] NOT NULL,
	source VARCHAR NOT NULL,
	span_key BIGINT,
	start_time BIGINT NOT NULL,
	status VARCHAR NOT NULL,
	tags VARCHAR[] NOT NULL,
	thinking_tokens BIGINT,
	tool_calls BIGINT NOT NULL,
	tool_names VARCHAR[] NOT NULL,
	total_tokens BIGINT,
	turns BIGINT NOT NULL,
	user_intent BIGINT NOT NULL,
	variable_keys VARCHAR[] NOT NULL,
	variable_pairs VARCHAR[] NOT NULL,
	variable_pairs_hashes BIGINT[] NOT NULL,
	notes VARCHAR
);
CREATE TABLE block (
	first_id BIGINT NOT NULL,
	position BIGINT NOT NULL
);
CREATE TABLE applied (
	block BIGINT NOT NULL,
	records BIGINT NOT NULL,
	last_id BIGINT NOT NULL
);
INSERT INTO applied VALUES (0, 0, 0);
CREATE TABLE deleted (
	kind BIGINT NOT NULL,
	key BIGINT NOT NULL,
	block BIGINT NOT NULL
);
CREATE TABLE schema_version (version BIGINT NOT NULL);
CREATE TABLE span (
	workspace BIGINT NOT NULL,
	key BIGINT NOT NULL,
	trace_key BIGINT NOT NULL,
	log_key BIGINT NOT NULL,
	trace_id VARCHAR NOT NULL,
	span_id VARCHAR NOT NULL,
	parent_id VARCHAR,
	name VARCHAR NOT NULL,
	kind VARCHAR NOT NULL,
	status VARCHAR NOT NULL,
	start_time BIGINT NOT NULL,
	end_time BIGINT NOT NULL,
	type VARCHAR,
	tool_name VARCHAR,
	model VARCHAR,
	user_id VARCHAR,
	session_id VARCHAR,
	workflow BIGINT,
	workflow_version BIGINT,
	output_text VARCHAR,
	exception_text VARCHAR,
	attributes VARCHAR NOT NULL,
	resource VARCHAR NOT NULL,
	block BIGINT NOT NULL,
	slot BIGINT NOT NULL
);
CREATE TABLE closure (
	workspace BIGINT NOT NULL,
	key BIGINT NOT NULL,
	trace_key BIGINT NOT NULL,
	trace_id VARCHAR NOT NULL,
	closed_at BIGINT NOT NULL
);
