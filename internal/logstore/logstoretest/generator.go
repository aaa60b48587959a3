package logstoretest

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"

	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// fields lists every field that reaches a store, in a fixed order.
var fields = func() []query.Field {
	var all []query.Field
	for _, field := range query.Fields {
		if field.Stored() {
			all = append(all, field.Name)
		}
	}
	slices.Sort(all)
	return all
}()

// operandCount returns how many values a condition compares with.
func operandCount(op query.Op, rng *rand.Rand) int {
	switch op.Spec().Arity {
	case query.ArityNone:
		return 0
	case query.ArityPair:
		return 2
	case query.ArityList:
		return 1 + rng.IntN(4)
	}
	return 1
}

// generator invents questions about logs. What it asks for is taken from the
// logs, mostly as it is and sometimes slightly off.
type generator struct {
	maker
	logs []*reqlog.Log
	// literal takes all operands of a condition from one log as they are.
	literal bool
}

func newGenerator(logs []*reqlog.Log, seed uint64) *generator {
	return &generator{maker: maker{rng: rand.New(rand.NewPCG(seed, 11))}, logs: logs}
}

// tree invents a filter of at most depth levels of groups.
func (g *generator) tree(depth int) query.Node {
	if depth == 0 || g.chance(30) {
		field := pick(&g.maker, fields)
		return g.cond(field, pick(&g.maker, field.Type().Operators()))
	}
	group := query.Group{Any: g.chance(50)}
	for range g.rng.IntN(4) {
		group.Nodes = append(group.Nodes, g.tree(depth-1))
	}
	return group
}

// cond invents a condition.
func (g *generator) cond(field query.Field, op query.Op) query.Cond {
	c := query.Cond{Field: field, Op: op}
	typ := field.Type()
	l := pick(&g.maker, g.logs)
	if typ.HasKeys() {
		c.Key = g.key(l, field)
	}
	for range operandCount(op, g.rng) {
		g.addOperand(&c, typ, l)
		if !g.literal {
			l = pick(&g.maker, g.logs)
		}
	}
	slices.Sort(c.Numbers) // only ranges have more than one
	slices.Sort(c.Times)
	return c
}

func (g *generator) addOperand(c *query.Cond, typ query.FieldType, l *reqlog.Log) {
	switch typ {
	case query.TypeIdentifier:
		id, _ := wholeOf(l, c.Field)
		c.IDs = append(c.IDs, id+beside(g, []int64{1, -1}))
	case query.TypeNumeric:
		n, _ := numberOf(l, c.Field, "")
		c.Numbers = append(c.Numbers, n+beside(g, []float64{1, -1, 0.5, 1 << 53, -1e18, math.MaxFloat64}))
	case query.TypeDatetime:
		c.Times = append(c.Times, instantOf(l, c.Field)+beside(g, []reqlog.Micros{1, -1, 1e9}))
	case query.TypeText:
		c.Texts = append(c.Texts, g.part(c.Field.Spec().Text(l), c.Op))
	case query.TypeIntent:
		c.Texts = append(c.Texts, pick(&g.maker, c.Field.Spec().Values))
	case query.TypeScore:
		if c.Op.Compares() {
			n, _ := numberOf(l, c.Field, c.Key)
			c.Numbers = append(c.Numbers, n+beside(g, []float64{1, -1, 0.5, 1 << 53, -1e18, math.MaxFloat64}))
			return
		}
		c.Texts = append(c.Texts, g.off(pickOr(&g.maker, valuesUnder(pairsOf(l, c.Field), c.Key))))
	case query.TypeNested:
		c.Texts = append(c.Texts, g.off(pickOr(&g.maker, valuesUnder(pairsOf(l, c.Field), c.Key))))
	case query.TypeStatus:
		c.Texts = append(c.Texts, pick(&g.maker, []string{l.Status, "OTHER"}))
	default:
		c.Texts = append(c.Texts, g.off(pickOr(&g.maker, textsOf(l, c.Field))))
	}
}

// pickOr picks one of the texts, or an oddity when there are none.
func pickOr(m *maker, from []string) string {
	if len(from) == 0 {
		from = oddities
	}
	return pick(m, from)
}

// beside is how far a number is off, mostly not at all.
func beside[T any](g *generator, distances []T) T {
	var none T
	if g.literal || g.chance(60) {
		return none
	}
	return pick(&g.maker, distances)
}

// key is a key that the log has, or one that none has.
func (g *generator) key(l *reqlog.Log, field query.Field) string {
	if !g.literal && g.chance(8) {
		return pick(&g.maker, []string{"nobody has this", "user", "USER_ID", "'"})
	}
	return pickOr(&g.maker, reqlog.Keys(pairsOf(l, field)))
}

// off changes some texts a little.
func (g *generator) off(text string) string {
	if g.literal || !g.chance(20) {
		return text
	}
	return pick(&g.maker, []string{
		strings.ToUpper(text), strings.ToLower(text), text + " ", text + "x", strings.TrimSuffix(text, "e"), pick(&g.maker, oddities),
	})
}

// part is a piece of a text, in any case, never empty: from the start or to the
// end where the operator looks there.
func (g *generator) part(text string, op query.Op) string {
	runes := []rune(text)
	if len(runes) == 0 || !g.literal && g.chance(10) {
		return pick(&g.maker, oddities[1:])
	}
	from := g.rng.IntN(len(runes))
	to := min(from+1+g.rng.IntN(14), len(runes))
	switch op {
	case query.OpStartsWith:
		from, to = 0, to-from
	case query.OpEndsWith:
		to = len(runes)
		from = max(from, to-20)
	}
	for i, r := range runes[from:to] {
		if g.chance(10) {
			runes[from+i] = unicode.ToUpper(r)
		}
	}
	return string(runes[from:to])
}

// text invents free text: words of the logs, whole, begun or misspelt.
func (g *generator) text() string {
	typed := make([]string, 1+g.rng.IntN(3))
	for i := range typed {
		l := pick(&g.maker, g.logs)
		typed[i] = g.typo(pickOr(&g.maker, tokens(l.Index.InputText+" "+l.Index.OutputText)))
	}
	return strings.Join(typed, pick(&g.maker, []string{" ", ", ", "\n"}))
}

// typo types a word as somebody in a hurry does.
func (g *generator) typo(word string) string {
	runes := []rune(word)
	at := g.rng.IntN(len(runes) + 1)
	switch g.rng.IntN(7) {
	case 0:
		return string(runes[:max(at, min(1, len(runes)))])
	case 1:
		return string(runes[:at]) + "x" + string(runes[at:])
	case 2:
		if at < len(runes) {
			runes = slices.Delete(runes, at, at+1)
		}
	case 3:
		if at > 0 && at < len(runes) {
			runes[at-1], runes[at] = runes[at], runes[at-1]
		}
	case 4:
		return strings.ToUpper(word)
	}
	return string(runes)
}
