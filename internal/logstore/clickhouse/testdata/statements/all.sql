ALTER TABLE change UPDATE document = {p2:Array(String)}[indexOf({p1:Array(String)}, concat(toString(id), ' ', toString(at), ' ', writer, ' ', toString(slot)))]
WHERE workspace = {p3:Int64} AND id IN {p4:Array(Int64)} AND has({p1:Array(String)}, concat(toString(id), ' ', toString(at), ' ', writer, ' ', toString(slot)));
CHECK TABLE change;
CHECK TABLE closure;
CHECK TABLE copy;
CHECK TABLE installation;
CHECK TABLE log;
CHECK TABLE removal;
CHECK TABLE span;
CHECK TABLE term;
DELETE
FROM change
WHERE workspace = {p1:Int64} AND id IN {p2:Array(Int64)};
DELETE
FROM closure
WHERE workspace = {p1:Int64} AND trace_key IN {p2:Array(Int64)};
DELETE
FROM log
WHERE workspace IN {p1:Array(Int64)} AND id IN {p2:Array(Int64)};
DELETE
FROM removal
WHERE workspace = {p2:Int64} AND id IN {p1:Array(Int64)}
	AND (id, at) IN (SELECT arrayJoin(arrayZip({p1:Array(Int64)}, {p3:Array(Int64)})));
DELETE
FROM span
WHERE workspace = {p1:Int64} AND trace_key IN {p2:Array(Int64)};
INSERT INTO change (workspace, id, writer, slot, document) FORMAT RowBinary;
INSERT INTO closure (workspace, key, trace_key, trace_id, closed_at) FORMAT RowBinary;
INSERT INTO copy (state) FORMAT RowBinary;
INSERT INTO installation (id) FORMAT RowBinary;
INSERT INTO log (workspace, month, head, input, output, parameters, input_text, output_text, thinking_text, words, agent_intent, api_key_id, cache_write_tokens, cached_tokens, end_time, engine, error_type, id, input_tokens, is_batch, is_json, is_plain_text, is_tool_call, latency_ms, logged_price, logged_price_source, long_cache_write_tokens, metadata_keys, metadata_pairs, of_span, output_keys, output_pairs, output_tokens, price, price_source, prompt_id, prompt_ref, prompt_version, provider, repricing, score_names, score_pairs, source, span_key, start_time, status, tags, thinking_tokens, tool_calls, tool_names, total_tokens, turns, user_intent, variable_keys, variable_pairs) FORMAT RowBinary;
INSERT INTO removal (workspace, id) FORMAT RowBinary;
INSERT INTO span (workspace, key, trace_key, log_key, trace_id, span_id, parent_id, name, kind, status, start_time, end_time, type, tool_name, model, user_id, session_id, workflow, workflow_version, output_text, exception_text, attributes, resource, head, attribute_object, resource_object, event_list, link_list, size) FORMAT RowBinary;
INSERT INTO term (term) FORMAT RowBinary;
OPTIMIZE TABLE change FINAL;
OPTIMIZE TABLE closure FINAL;
OPTIMIZE TABLE log PARTITION ID '0' FINAL;
OPTIMIZE TABLE span FINAL;
SELECT (SELECT count()
FROM span FINAL), (SELECT uniqExact(key)
FROM closure), (SELECT count()
FROM change);
SELECT DISTINCT key
FROM closure
WHERE key IN {p1:Array(Int64)};
SELECT DISTINCT month
FROM log
ORDER BY month;
SELECT DISTINCT splitByChar('-', partition_id)[-1] AS month
FROM system.parts
WHERE active AND database = currentDatabase() AND table = 'log'
	AND (has_lightweight_delete OR startsWith(partition_id, 'patch-'))
ORDER BY month;
SELECT DISTINCT trace_key
FROM span
WHERE workspace = {p1:Int64} AND log_key IN (SELECT span_key
FROM log
WHERE workspace = {p1:Int64} AND span_key <> 0 AND id IN {p2:Array(Int64)});
SELECT closed_at
FROM closure
WHERE key = {p1:Int64}
ORDER BY closed_at
LIMIT 1;
SELECT concat(toString(id), ' ', toString(at), ' ', writer, ' ', toString(slot)), document
FROM change
WHERE workspace = {p1:Int64} AND id IN {p2:Array(Int64)};
SELECT count()
FROM span FINAL
WHERE workspace = {p1:Int64} AND trace_key = {p2:Int64};
SELECT count()
FROM system.tables
WHERE database = currentDatabase() AND name = 'schema_version';
SELECT count(), uniqExact(id), countIf(changes > 0 AND id NOT IN (SELECT id
FROM change)), countIf(head = '')
FROM log
WHERE month = 0;
SELECT head, attribute_object, resource_object, event_list, link_list
FROM span FINAL
WHERE workspace = {p1:Int64} AND trace_key = {p2:Int64}
ORDER BY start_time, bitAnd(key, 9007199254740991)
LIMIT {p3:Int64};
SELECT id
FROM installation
ORDER BY at, id
LIMIT 1;
SELECT id
FROM log
WHERE workspace = {p1:Int64} AND id = {p2:Int64};
SELECT id, concat(toString(id), ' ', toString(at), ' ', writer, ' ', toString(slot)), document
FROM change
WHERE workspace = {p1:Int64} AND id IN {p2:Array(Int64)}
ORDER BY id, at, writer, slot;
SELECT id, document
FROM change
WHERE workspace = {p1:Int64} AND id IN {p2:Array(Int64)} AND position(document, '"removed_') > 0;
SELECT id, document
FROM change
WHERE workspace IN {p1:Array(Int64)} AND id IN {p2:Array(Int64)}
ORDER BY workspace, id, at, writer, slot;
SELECT id, head, notes
FROM log
WHERE workspace = {p1:Int64} AND id IN {p2:Array(Int64)} AND NOT texts_deleted
ORDER BY id;
SELECT id, head, texts_deleted
FROM log
WHERE workspace = {p1:Int64} AND id IN {p2:Array(Int64)};
SELECT id, workspace, head
FROM log
WHERE (workspace, id) IN (SELECT arrayJoin(arrayZip({p1:Array(Int64)}, {p2:Array(Int64)}))) AND workspace IN {p3:Array(Int64)} AND id IN {p4:Array(Int64)};
SELECT id, workspace, head, notes, price, price_source, repricing, input, output, parameters
FROM log
WHERE workspace = {p1:Int64} AND id = {p2:Int64};
SELECT max(id)
FROM log;
SELECT max(version)
FROM schema_version;
SELECT span_key, id, of_span
FROM log
WHERE workspace IN {p1:Array(Int64)} AND span_key IN {p2:Array(Int64)}
ORDER BY span_key, id;
SELECT span_key, min(id)
FROM log
WHERE workspace = {p1:Int64} AND span_key IN {p2:Array(Int64)}
GROUP BY span_key;
SELECT state
FROM copy
ORDER BY at DESC
LIMIT 1;
SELECT toInt64(sum(bytes_on_disk))
FROM system.parts
WHERE active AND database = currentDatabase() AND table = {p1:String} AND splitByChar('-', partition_id)[-1] = {p2:String};
SELECT toInt64(sum(bytes_on_disk))
FROM system.parts
WHERE active AND database = currentDatabase() AND table = {p1:String};
SELECT uniqExact(word)
FROM (SELECT arrayJoin(words) AS word
FROM log
WHERE month = 0)
WHERE word NOT IN (SELECT term
FROM term);
SELECT version();
SELECT workspace, id, at
FROM removal
WHERE workspace = (SELECT min(workspace)
FROM removal)
ORDER BY id, at
LIMIT {p1:Int64};
UPDATE log SET input = if(JSONExtractString(input, 'type') = 'completion', '{"type":"completion","content":[]}', '{"type":"chat","messages":[]}'), output = if(JSONExtractString(output, 'type') = 'completion', '{"type":"completion","content":[]}', '{"type":"chat","messages":[]}'), parameters = '', input_text = '', output_text = '', thinking_text = '', output_keys = [], output_pairs = [], variable_keys = [], variable_pairs = [], words = [], head = {p2:Array(String)}[indexOf({p1:Array(Int64)}, id)], notes = {p3:Array(String)}[indexOf({p1:Array(Int64)}, id)], texts_deleted = true
WHERE workspace = {p4:Int64} AND id IN {p1:Array(Int64)};
UPDATE log SET metadata_keys = {p2:Array(Array(String))}[indexOf({p1:Array(Int64)}, id)], metadata_pairs = {p3:Array(Array(String))}[indexOf({p1:Array(Int64)}, id)], prompt_id = {p4:Array(Nullable(Int64))}[indexOf({p1:Array(Int64)}, id)], prompt_version = {p5:Array(Nullable(Int64))}[indexOf({p1:Array(Int64)}, id)], prompt_ref = {p6:Array(Nullable(String))}[indexOf({p1:Array(Int64)}, id)], score_names = {p7:Array(Array(String))}[indexOf({p1:Array(Int64)}, id)], score_pairs = {p8:Array(Array(String))}[indexOf({p1:Array(Int64)}, id)], variable_keys = {p9:Array(Array(String))}[indexOf({p1:Array(Int64)}, id)], variable_pairs = {p10:Array(Array(String))}[indexOf({p1:Array(Int64)}, id)], notes = {p12:Array(String)}[indexOf({p1:Array(Int64)}, id)], changes = {p11:Array(Int64)}[indexOf({p1:Array(Int64)}, id)]
WHERE workspace IN {p13:Array(Int64)} AND id IN {p14:Array(Int64)} AND changes < {p11:Array(Int64)}[indexOf({p1:Array(Int64)}, id)];
