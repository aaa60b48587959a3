/** The columns of exported requests, in the order of the file. */
export const requestColumns = [
  'id', 'workspace_id', 'created_at', 'request_start_time', 'request_end_time', 'latency', 'provider_type', 'engine', 'api_type', 'function_name', 'status', 'error_type', 'error_message',
  'input_tokens', 'output_tokens', 'tokens', 'cached_tokens', 'thinking_tokens', 'token_counts', 'price', 'price_source', 'repricing_id', 'logged_price', 'logged_price_source',
  'source', 'api_key_id', 'tags_array', 'metadata', 'scores', 'score', 'prompt_id', 'prompt_version_number', 'prompt_name', 'prompt_referenced_variables', 'prompt_input_variables', 'group_id', 'span_id', 'trace_id',
  'parameters', 'input', 'output',
]

/** The columns of exported spans. */
export const spanColumns = [
  'workspace_id', 'trace_id', 'span_id', 'parent_id', 'trace_state', 'name', 'kind', 'type', 'status', 'status_message', 'start_time', 'end_time', 'duration_ms', 'model', 'tool_name',
  'user_id', 'session_id', 'request_span_id', 'schema_url', 'attributes', 'resource', 'events', 'links',
]

/** The columns of the exported audit log. */
export const auditColumns = ['id', 'workspace_id', 'at', 'actor_kind', 'actor_id', 'actor', 'action', 'subject_kind', 'subject_id', 'subject_name', 'detail']
