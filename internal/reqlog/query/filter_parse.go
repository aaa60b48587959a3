package query

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// Limits of one filter. They apply to filter_group and filters together, and
// allow everything that a person needs.
const (
	maxFilterDepth  = 20
	maxFilterLeaves = 500
	// maxListValues is the maximum length of a list of in and not_in.
	maxListValues = 1_000
	// maxOperands and maxOperandBytes limit the operands of all conditions.
	maxOperands     = 10_000
	maxOperandBytes = 1 << 20
	// maxEcho is the maximum number of characters of a client's text in a message.
	maxEcho = 60
)

// ParseFilter reads a filter group and a flat list of filters, either of which
// may be absent or null, and joins them with AND. The result is nil if they
// match everything. Groups without filters are true: they are dropped from an
// AND group and make an OR group true, so the result has no empty group.
//
// Names of prompts remain conditions on FieldPrompt, even those given for
// prompt_id. All errors are BadRequest faults.
func ParseFilter(group, flat jsontree.Value) (Node, error) {
	p := filterParser{vocabulary: &requestVocabulary}
	return p.parse(group, flat)
}

// ParseTraceFilter is ParseFilter for queries about traces. Their groups may
// require that one span meets all conditions.
func ParseTraceFilter(group, flat jsontree.Value) (Node, error) {
	p := filterParser{vocabulary: &traceVocabulary, spans: true}
	return p.parse(group, flat)
}

func (p *filterParser) parse(group, flat jsontree.Value) (Node, error) {
	var nodes []Node
	if group.Given() {
		node, err := p.group(group, 1, false)
		if err != nil {
			return nil, err
		}
		nodes = appendNode(nodes, node)
	}
	if flat.Given() {
		node, err := p.items(flat, Group{}, 1)
		if err != nil {
			return nil, err
		}
		nodes = appendNode(nodes, node)
	}
	return joinNodes(Group{}, nodes), nil
}

// filterParser counts the cost of the filter until now.
type filterParser struct {
	vocabulary *vocabulary
	// spans says that groups may be about one span.
	spans bool

	leaves, operands, bytes int
}

// group reads a group; within says that it is in a group about one span.
func (p *filterParser) group(v jsontree.Value, depth int, within bool) (Node, error) {
	if v.Kind() != jsontree.Object {
		return nil, fault.BadRequestf("A filter group must be an object, not %s", v.Kind())
	}
	if depth > maxFilterDepth {
		return nil, fault.BadRequestf("Filter groups are nested deeper than %d levels", maxFilterDepth)
	}
	kind, err := p.logic(v.Get("logic"), within)
	if err != nil {
		return nil, err
	}
	filters := v.Get("filters")
	if !filters.Given() {
		return nil, fault.BadRequestf("A filter group needs 'filters'")
	}
	return p.items(filters, kind, depth)
}

// logic returns the kind of a group.
func (p *filterParser) logic(v jsontree.Value, within bool) (Group, error) {
	name, ofSpan := strings.CutPrefix(v.Str(), "SPAN_")
	kind := Group{Any: name == "OR", Span: ofSpan}
	switch {
	case v.Given() && name != "AND" && name != "OR", ofSpan && !p.spans:
		if p.spans {
			return kind, fault.BadRequestf("The logic of a filter group must be 'AND', 'OR', 'SPAN_AND' or 'SPAN_OR'")
		}
		return kind, fault.BadRequestf("The logic of a filter group must be 'AND' or 'OR'")
	case within && !ofSpan:
		return kind, fault.BadRequestf("A SPAN_AND or SPAN_OR group may only contain groups of these kinds")
	}
	return kind, nil
}

// items reads the members of a group. A member that matches everything makes an
// OR group match everything; the other members are still checked.
func (p *filterParser) items(list jsontree.Value, kind Group, depth int) (Node, error) {
	if list.Kind() != jsontree.Array {
		return nil, fault.BadRequestf("'filters' must be an array, not %s", list.Kind())
	}
	var nodes []Node
	for _, item := range list.Elems() {
		node, err := p.item(item, depth, kind.Span)
		if err != nil {
			return nil, err
		}
		nodes = appendNode(nodes, node)
	}
	if kind.Any && len(nodes) < list.Len() {
		return nil, nil
	}
	return joinNodes(kind, nodes), nil
}

func (p *filterParser) item(v jsontree.Value, depth int, within bool) (Node, error) {
	if v.Kind() != jsontree.Object {
		return nil, fault.BadRequestf("A filter must be an object, not %s", v.Kind())
	}
	isGroup, isFilter := v.Get("filters").Given(), v.Get("field").Given()
	switch {
	case isGroup && isFilter:
		return nil, fault.BadRequestf("A filter has either 'field' or 'filters', not both")
	case isGroup:
		return p.group(v, depth+1, within)
	case isFilter:
		return p.condition(v, within)
	}
	return nil, fault.BadRequestf("A filter needs 'field' or 'filters'")
}

// condition reads one filter. It is a Cond unless it refers to prompts by name.
func (p *filterParser) condition(v jsontree.Value, within bool) (Node, error) {
	if err := p.addLeaf(); err != nil {
		return nil, err
	}
	cond, typ, arity, err := p.head(v)
	if err != nil {
		return nil, err
	}
	if within && p.vocabulary.fields[cond.Field].Level != LevelSpan {
		return nil, cond.refuse("SPAN_AND and SPAN_OR take fields of spans only")
	}
	if typ.HasKeys() {
		if cond.Key, err = p.nestedKey(cond, v.Get("nested_key")); err != nil {
			return nil, err
		}
	}
	values, err := p.values(cond, v.Get("value"), arity)
	if err != nil {
		return nil, err
	}
	if cond.Field == FieldPromptID && hasPromptName(values) {
		return p.promptNode(cond.Op, values)
	}
	for _, value := range values {
		if err := cond.addOperand(typ, value); err != nil {
			return nil, err
		}
	}
	if arity == ArityPair && cond.reversed() {
		return nil, cond.refuse("the first value of 'between' must not exceed the second")
	}
	return cond, nil
}

// head reads the field and the operator and checks that they are compatible.
func (p *filterParser) head(v jsontree.Value) (Cond, FieldType, Arity, error) {
	cond := Cond{Field: Field(v.Get("field").Str()), Op: Op(v.Get("operator").Str())}
	field, op := p.vocabulary.fields[cond.Field], cond.Op.Spec()
	switch {
	case v.Get("field").Kind() != jsontree.String:
		return cond, "", "", fault.BadRequestf("A filter's 'field' must be a string")
	case field == nil:
		return cond, "", "", fault.BadRequestf("Unknown filter field: %s", clipEcho(string(cond.Field)))
	case v.Get("operator").Kind() != jsontree.String:
		return cond, "", "", cond.refuse("'operator' must be a string")
	case op == nil:
		return cond, "", "", fault.BadRequestf("Unknown filter operator: %s", clipEcho(string(cond.Op)))
	}
	if !slices.Contains(field.Type.Operators(), cond.Op) {
		return cond, "", "", fault.BadRequestf("Operator '%s' is not supported for field '%s'", cond.Op, cond.Field)
	}
	return cond, field.Type, op.Arity, nil
}

func (p *filterParser) nestedKey(cond Cond, v jsontree.Value) (string, error) {
	if v.Str() == "" {
		return "", cond.refuse("'nested_key' must be a non-empty string")
	}
	return v.Str(), p.addBytes(v)
}

// values returns the operands of the condition, with the number that it takes.
func (p *filterParser) values(cond Cond, v jsontree.Value, n Arity) ([]jsontree.Value, error) {
	var values []jsontree.Value
	switch {
	case n == ArityNone:
		return nil, nil
	case !v.Given():
		return nil, cond.refuse("operator '%s' needs a value", cond.Op)
	case n == ArityOne:
		values = []jsontree.Value{v}
	case v.Kind() != jsontree.Array:
		return nil, cond.refuse("operator '%s' needs a list of values", cond.Op)
	case n == ArityPair && v.Len() != 2:
		return nil, cond.refuse("operator 'between' needs exactly two values")
	case v.Len() == 0:
		return nil, cond.refuse("the list of operator '%s' is empty", cond.Op)
	case v.Len() > maxListValues:
		return nil, cond.refuse("the list of operator '%s' is longer than %d values", cond.Op, maxListValues)
	default:
		for _, elem := range v.Elems() {
			values = append(values, elem)
		}
	}
	if p.operands += len(values); p.operands > maxOperands {
		return nil, fault.BadRequestf("A filter may hold at most %d values", maxOperands)
	}
	return values, p.addBytes(values...)
}

func (p *filterParser) addLeaf() error {
	if p.leaves++; p.leaves > maxFilterLeaves {
		return fault.BadRequestf("A filter may hold at most %d conditions", maxFilterLeaves)
	}
	return nil
}

func (p *filterParser) addBytes(values ...jsontree.Value) error {
	for _, v := range values {
		p.bytes += len(v.Raw())
	}
	if p.bytes > maxOperandBytes {
		return fault.BadRequestf("The values of a filter may have at most %d bytes", maxOperandBytes)
	}
	return nil
}

// refuse returns a fault about a condition on a known field.
func (c Cond) refuse(format string, args ...any) error {
	reason := fault.BadRequestf(format, args...)
	reason.Message = "Filter on '" + string(c.Field) + "': " + reason.Message
	return reason
}

func appendNode(nodes []Node, node Node) []Node {
	if node == nil {
		return nodes
	}
	return append(nodes, node)
}

// And returns a filter that matches what all the given ones match, each of which
// may be nil.
func And(filters ...Node) Node {
	var nodes []Node
	for _, filter := range filters {
		nodes = appendNode(nodes, filter)
	}
	return joinNodes(Group{}, nodes)
}

// joinNodes returns the nodes as one, in a group of this kind, nil if there are
// none.
func joinNodes(kind Group, nodes []Node) Node {
	switch len(nodes) {
	case 0:
		return nil
	case 1:
		return nodes[0]
	}
	kind.Nodes = nodes
	return kind
}

// clipEcho truncates a client's text for a message.
func clipEcho(text string) string {
	if utf8.RuneCountInString(text) <= maxEcho {
		return text
	}
	return string([]rune(text)[:maxEcho]) + "…"
}
