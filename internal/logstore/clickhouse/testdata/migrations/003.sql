ALTER TABLE log ADD COLUMN IF NOT EXISTS source LowCardinality(String) DEFAULT
	multiIf(has(tags, 'playground'), 'playground', has(tags, 'evaluate'), 'evaluation', has(tags, 'workflow'), 'workflow', 'api');
ALTER TABLE log ADD COLUMN IF NOT EXISTS api_key_id Nullable(Int64);
ALTER TABLE log ADD COLUMN IF NOT EXISTS prompt_ref LowCardinality(Nullable(String)) DEFAULT
	toString(prompt_id) || ':' || toString(prompt_version);
