package reqlog

// Node is a part of a filter: a Group or a Cond.
type Node interface{ isNode() }

// Group joins nodes. An empty group constrains nothing, whatever its logic.
type Group struct {
	// Any joins with OR, otherwise with AND.
	Any   bool
	Nodes []Node
}

// Cond is one checked condition. Which operand slice is filled depends on the
// field's type: Texts for strings, intents, texts, arrays and nested values,
// IDs for identifiers, Numbers for numeric, Times for datetime fields; none
// for operators without a value. Negative operators are the exact complement
// of their positives: they match logs without a value.
type Cond struct {
	Field Field
	Op    Op
	// Key is the dotted path of a nested field.
	Key     string
	Texts   []string
	IDs     []int64
	Numbers []float64
	Times   []Micros
}

func (Group) isNode() {}
func (Cond) isNode()  {}

// Field names something a log can be filtered, sorted or grouped by.
type Field string

// The filter fields.
const (
	FieldID             Field = "pl_id"
	FieldPromptID       Field = "prompt_id"
	FieldPrompt         Field = "prompt" // the template's name; resolved to ids before it reaches a store
	FieldPromptVersion  Field = "prompt_version_number"
	FieldEngine         Field = "engine"
	FieldProvider       Field = "provider_type"
	FieldStatus         Field = "status"
	FieldErrorType      Field = "error_type"
	FieldUserID         Field = "user_id" // the metadata key user_id
	FieldInputText      Field = "input_text"
	FieldOutputText     Field = "output_text"
	FieldThinkingText   Field = "thinking_text"
	FieldInputTokens    Field = "input_tokens"
	FieldOutputTokens   Field = "output_tokens"
	FieldCachedTokens   Field = "cached_tokens"
	FieldThinkingTokens Field = "thinking_tokens"
	FieldCost           Field = "cost"
	FieldLatency        Field = "latency_ms"
	FieldTurns          Field = "turn_count"
	FieldToolCalls      Field = "tool_call_count"
	FieldStart          Field = "request_start_time"
	FieldEnd            Field = "request_end_time"
	FieldIsJSON         Field = "is_json"
	FieldIsToolCall     Field = "is_tool_call"
	FieldIsPlainText    Field = "is_plain_text"
	FieldHasTrace       Field = "has_trace"
	FieldTags           Field = "tags"
	FieldMetadataKeys   Field = "metadata_keys"
	FieldToolNames      Field = "tool_names"
	FieldOutputKeys     Field = "output_keys"
	FieldVariableKeys   Field = "input_variable_keys"
	FieldMetadata       Field = "metadata"
	FieldOutput         Field = "output"
	FieldVariables      Field = "input_variables"
	FieldUserIntent     Field = "user_intent"
	FieldAgentIntent    Field = "agent_intent"
)

// FieldType decides which operators a field takes and what its values are.
type FieldType uint8

// The types of filter fields.
const (
	TypeIdentifier FieldType = iota + 1
	TypeString
	TypeStatus // a string compared without case
	TypeIntent
	TypeText
	TypeNumeric
	TypeDatetime
	TypeBoolean
	TypeArray
	TypeNested
)

// FieldTypes is the whole vocabulary of the filter language.
var FieldTypes = map[Field]FieldType{
	FieldID: TypeIdentifier, FieldPromptID: TypeIdentifier,
	FieldEngine: TypeString, FieldProvider: TypeString, FieldErrorType: TypeString, FieldUserID: TypeString, FieldPrompt: TypeString,
	FieldStatus:    TypeStatus,
	FieldInputText: TypeText, FieldOutputText: TypeText, FieldThinkingText: TypeText,
	FieldPromptVersion: TypeNumeric, FieldInputTokens: TypeNumeric, FieldOutputTokens: TypeNumeric,
	FieldCachedTokens: TypeNumeric, FieldThinkingTokens: TypeNumeric, FieldCost: TypeNumeric, FieldLatency: TypeNumeric,
	FieldTurns: TypeNumeric, FieldToolCalls: TypeNumeric,
	FieldStart: TypeDatetime, FieldEnd: TypeDatetime,
	FieldIsJSON: TypeBoolean, FieldIsToolCall: TypeBoolean, FieldIsPlainText: TypeBoolean, FieldHasTrace: TypeBoolean,
	FieldTags: TypeArray, FieldMetadataKeys: TypeArray, FieldToolNames: TypeArray, FieldOutputKeys: TypeArray, FieldVariableKeys: TypeArray,
	FieldMetadata: TypeNested, FieldOutput: TypeNested, FieldVariables: TypeNested,
	FieldUserIntent: TypeIntent, FieldAgentIntent: TypeIntent,
}

// Op is a filter operator.
type Op string

// The filter operators.
const (
	OpIs           Op = "is"
	OpIsNot        Op = "is_not"
	OpIn           Op = "in"
	OpNotIn        Op = "not_in"
	OpIsNull       Op = "is_null"
	OpIsNotNull    Op = "is_not_null"
	OpContains     Op = "contains"
	OpNotContains  Op = "not_contains"
	OpStartsWith   Op = "starts_with"
	OpEndsWith     Op = "ends_with"
	OpEq           Op = "eq"
	OpNeq          Op = "neq"
	OpGt           Op = "gt"
	OpGte          Op = "gte"
	OpLt           Op = "lt"
	OpLte          Op = "lte"
	OpBetween      Op = "between"
	OpBefore       Op = "before"
	OpAfter        Op = "after"
	OpIsTrue       Op = "is_true"
	OpIsFalse      Op = "is_false"
	OpIsEmpty      Op = "is_empty"
	OpIsNotEmpty   Op = "is_not_empty"
	OpKeyEquals    Op = "key_equals"
	OpKeyNotEquals Op = "key_not_equals"
	OpKeyContains  Op = "key_contains"
)
