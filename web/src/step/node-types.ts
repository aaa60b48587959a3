export type Configuration = Record<string, unknown>

export const groups = ['Values', 'Checks', 'Text and data', 'Numbers', 'Models', 'Code and calls', 'Repeat and nest', 'People'] as const
type Group = (typeof groups)[number]

interface NodeType {
  label: string
  group: Group
  /** What it does, in one sentence. */
  about: string
  /** The configuration of a new one; `source` stands for the node that it follows. */
  initial: (source: string) => Configuration
}

const pair = (source: string) => ({ sources: [source, source] })

/** The types of nodes by their names in the API. */
export const nodeTypes: Record<string, NodeType> = {
  VARIABLE: { label: 'Value', group: 'Values', about: 'Always has the same value.', initial: () => ({ value: { type: 'string', value: '' } }) },
  COALESCE: { label: 'First that has a value', group: 'Values', about: 'Joins branches: takes the first source that is not null.', initial: (source) => ({ sources: [source, source] }) },
  COMBINE_COLUMNS: { label: 'Combine', group: 'Values', about: 'Puts several values into one object or text.', initial: (source) => ({ sources: [source] }) },
  COMPARE: { label: 'Compare', group: 'Checks', about: 'Tells whether two values are the same, or which is larger.', initial: (source) => ({ sources: [source, source], comparison_type: { type: 'STRING' } }) },
  CONTAINS: { label: 'Contains', group: 'Checks', about: 'Tells whether a text contains another.', initial: (source) => ({ source, value: '' }) },
  REGEX: { label: 'Pattern matches', group: 'Checks', about: 'Tells whether a regular expression matches.', initial: (source) => ({ source, regex_pattern: '' }) },
  ASSERT_VALID: { label: 'Is valid', group: 'Checks', about: 'Tells whether a text is valid JSON, a number or SQL.', initial: (source) => ({ source, type: 'object' }) },
  REGEX_EXTRACTION: { label: 'Extract by pattern', group: 'Text and data', about: 'Lists what a regular expression finds.', initial: (source) => ({ source, regex_pattern: '' }) },
  JSON_PATH: { label: 'JSON path', group: 'Text and data', about: 'Takes a part out of JSON.', initial: (source) => ({ source, json_path: '$' }) },
  XML_PATH: { label: 'XML path', group: 'Text and data', about: 'Takes a part out of XML.', initial: (source) => ({ source, xml_path: '' }) },
  PARSE_VALUE: { label: 'Convert', group: 'Text and data', about: 'Makes a text, number, boolean or object out of a value.', initial: (source) => ({ source, type: 'object' }) },
  APPLY_DIFF: { label: 'Apply diff', group: 'Text and data', about: 'Applies a unified diff to a text.', initial: (source) => ({ original_source: source, diff_source: source }) },
  COUNT: { label: 'Count', group: 'Numbers', about: 'Counts characters, words, sentences or paragraphs.', initial: (source) => ({ source, type: 'words' }) },
  MATH_OPERATOR: { label: 'Calculate', group: 'Numbers', about: 'Compares or computes with numbers.', initial: (source) => ({ sources: [source], operator: 'gt', value: 0 }) },
  MIN_MAX: { label: 'Smallest or largest', group: 'Numbers', about: 'Finds the smallest or largest number of a list.', initial: (source) => ({ source, type: 'max' }) },
  ABSOLUTE_NUMERIC_DISTANCE: { label: 'Distance', group: 'Numbers', about: 'How far apart two numbers are.', initial: pair },
  COSINE_SIMILARITY: { label: 'Similarity', group: 'Numbers', about: 'How alike two texts are, from 0 to 1.', initial: pair },
  PROMPT_TEMPLATE: { label: 'Prompt', group: 'Models', about: 'Renders a prompt template and asks its model.', initial: () => ({ template: { prompt_name: '' }, prompt_template_variable_mappings: {} }) },
  LLM_ASSERTION: { label: 'Model checks', group: 'Models', about: 'A model tells whether a statement holds.', initial: (source) => ({ source, prompt: '' }) },
  AI_DATA_EXTRACTION: { label: 'Model extracts', group: 'Models', about: 'A model takes a piece of information out of a text.', initial: (source) => ({ source, query: '' }) },
  CONVERSATION_SIMULATOR: { label: 'Conversation', group: 'Models', about: 'A model plays a user who talks to a prompt.', initial: () => ({ template: { prompt_name: '' }, prompt_template_variable_mappings: {}, user_persona: '', max_turns: 6 }) },
  CODING_AGENT: { label: 'Coding agent', group: 'Models', about: 'Is not supported: it fails in a run.', initial: () => ({ prompt: '' }) },
  CODE_EXECUTION: { label: 'Code', group: 'Code and calls', about: 'Runs JavaScript or Python over the values so far.', initial: () => ({ language: 'JAVASCRIPT', code: 'return data' }) },
  ENDPOINT: { label: 'HTTP call', group: 'Code and calls', about: 'Posts the values so far to an address and takes its answer.', initial: () => ({ url: 'https://' }) },
  MCP: { label: 'MCP tool', group: 'Code and calls', about: 'Calls a tool of an MCP server.', initial: () => ({ server_url: 'https://', function_name: '', input_mappings: {} }) },
  WORKFLOW: { label: 'Workflow', group: 'Repeat and nest', about: 'Runs another workflow and takes its output.', initial: () => ({ workflow_name: '', input_mappings: {} }) },
  FOR_LOOP: { label: 'For each', group: 'Repeat and nest', about: 'Runs a prompt or workflow for each member of a list.', initial: (source) => ({ loop_type: 'workflow', workflow_config: { workflow_id: 1, input_mappings: {} }, iterator_source: source }) },
  WHILE_LOOP: { label: 'While', group: 'Repeat and nest', about: 'Repeats a prompt or workflow until a condition holds.', initial: () => ({ loop_type: 'workflow', workflow_config: { workflow_id: 1, input_mappings: {} }, max_iterations: 5 }) },
  HUMAN: { label: 'Person', group: 'People', about: 'Waits for a person in evaluations; it fails in a run.', initial: () => ({ data_type: 'string', ui_element: {} }) },
}

export function typeLabel(type: string): string {
  return nodeTypes[type]?.label ?? type
}

/** A word to name a new node of a type with. */
export function nameFor(type: string): string {
  return type.toLowerCase().replace(/_(template|execution|columns|operator)$/, '')
}
