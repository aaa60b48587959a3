package logstoretest

import (
	"github.com/promptuary/promptuary/internal/reqlog"
)

// identifierOf returns the value of an identifier field.
func identifierOf(l *reqlog.Log, field reqlog.Field) (int64, bool) {
	switch {
	case field == reqlog.FieldID:
		return l.ID, true
	case l.Prompt == nil:
		return 0, false
	}
	return l.Prompt.ID, true
}

// textsOf returns the values of a string, status, intent or array field. A
// missing error type is no value; a missing model or provider is the empty one.
func textsOf(l *reqlog.Log, field reqlog.Field) []string {
	switch field {
	case reqlog.FieldEngine:
		return []string{l.Engine}
	case reqlog.FieldProvider:
		return []string{l.Provider}
	case reqlog.FieldStatus:
		return []string{l.Status}
	case reqlog.FieldErrorType:
		if l.ErrorType == "" {
			return nil
		}
		return []string{l.ErrorType}
	case reqlog.FieldUserID:
		return valuesUnder(l.Index.Metadata, "user_id")
	case reqlog.FieldUserIntent:
		return l.Index.UserIntent
	case reqlog.FieldAgentIntent:
		return l.Index.AgentIntent
	}
	return elementsOf(l, field)
}

// elementsOf returns the distinct elements of an array field.
func elementsOf(l *reqlog.Log, field reqlog.Field) []string {
	switch field {
	case reqlog.FieldTags:
		return l.Tags
	case reqlog.FieldToolNames:
		return l.Index.ToolNames
	case reqlog.FieldMetadataKeys:
		return keysOf(l.Index.Metadata)
	case reqlog.FieldOutputKeys:
		return keysOf(l.Index.Output)
	case reqlog.FieldVariableKeys:
		return keysOf(l.Index.Variables)
	}
	panic("no text field: " + string(field))
}

func keysOf(pairs []reqlog.Pair) []string {
	var keys []string
	seen := map[string]bool{}
	for _, p := range pairs {
		if !seen[p.Key] {
			keys = append(keys, p.Key)
		}
		seen[p.Key] = true
	}
	return keys
}

// textOf returns the value of a text field.
func textOf(l *reqlog.Log, field reqlog.Field) string {
	switch field {
	case reqlog.FieldInputText:
		return l.Index.InputText
	case reqlog.FieldOutputText:
		return l.Index.OutputText
	case reqlog.FieldThinkingText:
		return l.Index.ThinkingText
	}
	panic("no searchable text: " + string(field))
}

// numberOf returns the value of a numeric field.
func numberOf(l *reqlog.Log, field reqlog.Field) (float64, bool) {
	switch field {
	case reqlog.FieldCost:
		return l.Price, true
	case reqlog.FieldLatency:
		return latencyMS(l), true
	}
	n, ok := wholeOf(l, field)
	return float64(n), ok
}

// fractional reports whether a numeric field has values that are not whole.
func fractional(field reqlog.Field) bool {
	return field == reqlog.FieldCost || field == reqlog.FieldLatency
}

// wholeOf returns the value of a numeric field of whole numbers.
func wholeOf(l *reqlog.Log, field reqlog.Field) (int64, bool) {
	switch field {
	case reqlog.FieldPromptVersion:
		if l.Prompt == nil {
			return 0, false
		}
		return l.Prompt.Version, true
	case reqlog.FieldInputTokens:
		return l.InputTokens, true
	case reqlog.FieldOutputTokens:
		return l.OutputTokens, true
	case reqlog.FieldCachedTokens:
		return l.CachedTokens, true
	case reqlog.FieldThinkingTokens:
		return l.ThinkingTokens, true
	case reqlog.FieldTurns:
		return l.Index.TurnCount, true
	case reqlog.FieldToolCalls:
		return l.Index.ToolCallCount, true
	}
	panic("no numeric field: " + string(field))
}

// latencyMS is the time between start and end, never negative.
func latencyMS(l *reqlog.Log) float64 {
	if l.End < l.Start {
		return 0
	}
	return float64(l.End-l.Start) / 1000
}

// instantOf returns the value of a datetime field.
func instantOf(l *reqlog.Log, field reqlog.Field) reqlog.Micros {
	switch field {
	case reqlog.FieldStart:
		return l.Start
	case reqlog.FieldEnd:
		return l.End
	}
	panic("no datetime field: " + string(field))
}

// truthOf returns the value of a boolean field. No span can be stored yet, so
// no log has a trace.
func truthOf(l *reqlog.Log, field reqlog.Field) bool {
	switch field {
	case reqlog.FieldIsJSON:
		return l.Index.IsJSON
	case reqlog.FieldIsToolCall:
		return l.Index.IsToolCall
	case reqlog.FieldIsPlainText:
		return !l.Index.IsJSON && !l.Index.IsToolCall
	case reqlog.FieldHasTrace:
		return false
	}
	panic("no boolean field: " + string(field))
}

// pairsOf returns the flattened pairs of a nested field.
func pairsOf(l *reqlog.Log, field reqlog.Field) []reqlog.Pair {
	switch field {
	case reqlog.FieldMetadata:
		return l.Index.Metadata
	case reqlog.FieldOutput:
		return l.Index.Output
	case reqlog.FieldVariables:
		return l.Index.Variables
	}
	panic("no nested field: " + string(field))
}
