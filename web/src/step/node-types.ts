export type Configuration = Record<string, unknown>

export const groups = ['Values', 'Checks', 'Text and data', 'Numbers', 'Models', 'Code and calls', 'Repeat and nest', 'People'] as const
type Group = (typeof groups)[number]

interface NodeType {
  label: string
  group: Group
  /** What it does, in one sentence. */
  about: string
  /** The configuration of a new node; `source` is the node that it follows. */
  initial: (source: string) => Configuration
}

const pair = (source: string) => ({ sources: [source, source] })

/** The node types by their API names. */
export const nodeTypes: Record<string, NodeType> = {
  VARIABLE: { label: 'Value', group: 'Values', about: 'A constant value.', initial: () => ({ value: { type: 'string', value: '' } }) },
  COALESCE: { label: 'First value', group: 'Values', about: 'Returns the first source that is not null. Joins branches.', initial: (source) => ({ sources: [source, source] }) },
  COMBINE_COLUMNS: { label: 'Combine', group: 'Values', about: 'Combines several values into one object or text.', initial: (source) => ({ sources: [source] }) },
  COMPARE: { label: 'Compare', group: 'Checks', about: 'Checks whether two values are equal, or which is greater.', initial: (source) => ({ sources: [source, source], comparison_type: { type: 'STRING' } }) },
  CONTAINS: { label: 'Contains', group: 'Checks', about: 'Checks whether a text contains another text.', initial: (source) => ({ source, value: '' }) },
  REGEX: { label: 'Matches pattern', group: 'Checks', about: 'Checks whether a regular expression matches.', initial: (source) => ({ source, regex_pattern: '' }) },
  ASSERT_VALID: { label: 'Is valid', group: 'Checks', about: 'Checks whether a text is valid JSON, a number or SQL.', initial: (source) => ({ source, type: 'object' }) },
  REGEX_EXTRACTION: { label: 'Extract by pattern', group: 'Text and data', about: 'Returns the matches of a regular expression.', initial: (source) => ({ source, regex_pattern: '' }) },
  JSON_PATH: { label: 'JSON path', group: 'Text and data', about: 'Extracts a part of a JSON value.', initial: (source) => ({ source, json_path: '$' }) },
  XML_PATH: { label: 'XML path', group: 'Text and data', about: 'Extracts a part of an XML document.', initial: (source) => ({ source, xml_path: '' }) },
  PARSE_VALUE: { label: 'Convert', group: 'Text and data', about: 'Converts a value to text, a number, a boolean or an object.', initial: (source) => ({ source, type: 'object' }) },
  APPLY_DIFF: { label: 'Apply diff', group: 'Text and data', about: 'Applies a unified diff to a text.', initial: (source) => ({ original_source: source, diff_source: source }) },
  COUNT: { label: 'Count', group: 'Numbers', about: 'Counts characters, words, sentences or paragraphs.', initial: (source) => ({ source, type: 'words' }) },
  MATH_OPERATOR: { label: 'Calculate', group: 'Numbers', about: 'Compares numbers or calculates with them.', initial: (source) => ({ sources: [source], operator: 'gt', value: 0 }) },
  MIN_MAX: { label: 'Minimum or maximum', group: 'Numbers', about: 'Finds the smallest or largest number in a list.', initial: (source) => ({ source, type: 'max' }) },
  ABSOLUTE_NUMERIC_DISTANCE: { label: 'Distance', group: 'Numbers', about: 'The absolute difference of two numbers.', initial: pair },
  COSINE_SIMILARITY: { label: 'Similarity', group: 'Numbers', about: 'How similar two texts are, from 0 to 1.', initial: pair },
  PROMPT_TEMPLATE: { label: 'Prompt', group: 'Models', about: 'Renders a prompt and calls its model.', initial: () => ({ template: { prompt_name: '' }, prompt_template_variable_mappings: {} }) },
  LLM_ASSERTION: { label: 'LLM assertion', group: 'Models', about: 'A model checks whether a statement is true.', initial: (source) => ({ source, prompt: '' }) },
  AI_DATA_EXTRACTION: { label: 'LLM extraction', group: 'Models', about: 'A model extracts information from a text.', initial: (source) => ({ source, query: '' }) },
  CONVERSATION_SIMULATOR: { label: 'Conversation', group: 'Models', about: 'A model plays a user in a conversation with a prompt.', initial: () => ({ template: { prompt_name: '' }, prompt_template_variable_mappings: {}, user_persona: '', max_turns: 6 }) },
  CODING_AGENT: { label: 'Coding agent', group: 'Models', about: 'Not supported. Fails when run.', initial: () => ({ prompt: '' }) },
  CODE_EXECUTION: { label: 'Code', group: 'Code and calls', about: 'Runs JavaScript or Python with the values so far.', initial: () => ({ language: 'JAVASCRIPT', code: 'return data' }) },
  ENDPOINT: { label: 'HTTP request', group: 'Code and calls', about: 'Sends the values so far to a URL and returns the response.', initial: () => ({ url: 'https://' }) },
  MCP: { label: 'MCP tool', group: 'Code and calls', about: 'Calls a tool of an MCP server.', initial: () => ({ server_url: 'https://', function_name: '', input_mappings: {} }) },
  WORKFLOW: { label: 'Workflow', group: 'Repeat and nest', about: 'Runs another workflow and returns its output.', initial: () => ({ workflow_name: '', input_mappings: {} }) },
  FOR_LOOP: { label: 'For each', group: 'Repeat and nest', about: 'Runs a prompt or workflow for each item of a list.', initial: (source) => ({ loop_type: 'workflow', workflow_config: { workflow_id: 1, input_mappings: {} }, iterator_source: source }) },
  WHILE_LOOP: { label: 'While', group: 'Repeat and nest', about: 'Repeats a prompt or workflow until a condition is met.', initial: () => ({ loop_type: 'workflow', workflow_config: { workflow_id: 1, input_mappings: {} }, max_iterations: 5 }) },
  HUMAN: { label: 'Human input', group: 'People', about: 'Waits for human input in evaluations. Fails in workflow runs.', initial: () => ({ data_type: 'string', ui_element: {} }) },
}

export function typeLabel(type: string): string {
  return nodeTypes[type]?.label ?? type
}

/** The default name of a new node of a type. */
export function nameFor(type: string): string {
  return type.toLowerCase().replace(/_(template|execution|columns|operator)$/, '')
}
