package jinja

import (
	"math/big"
	"strconv"
	"strings"
)

var constants = map[string]value{
	"true": true, "True": true, "false": false, "False": false, "none": nil, "None": nil,
}

// expression reads one expression with its inline if.
func (p *parser) expression() expr {
	p.deeper()
	defer func() { p.nesting-- }()
	node := p.or()
	levels := 0
	for p.skipName("if") {
		p.deeper()
		levels++
		choice := &ifExpr{condition: p.or(), then: node}
		if p.skipName("else") {
			choice.otherwise = p.expression()
		}
		node = choice
	}
	p.nesting -= levels
	return node
}

// tuple reads one expression or several separated by commas, with or without
// inline ifs.
func (p *parser) tuple(inlineIf bool) expr {
	if inlineIf {
		return p.tupleOf(p.expression, "")
	}
	return p.tupleOf(p.or, "")
}

func (p *parser) tupleOf(part func() expr, end string) expr {
	if p.tupleEnds(end) {
		fail("expected an expression, found %q", p.token.text)
	}
	first := part()
	if !p.token.is(",") {
		return first
	}
	items := []expr{first}
	for p.skip(",") {
		if p.tupleEnds(end) {
			break
		}
		items = append(items, part())
	}
	return &tupleExpr{items}
}

func (p *parser) tupleEnds(end string) bool {
	return p.token.kind == tokenPrintEnd || p.token.kind == tokenTagEnd || p.token.is(")") || end != "" && p.token.named(end)
}

// chain reads left-associative operators of one precedence. Each makes the tree
// one level deeper, so each counts as nesting.
func (p *parser) chain(operand func() expr, join func(left expr) (expr, bool)) expr {
	left := operand()
	levels := 0
	for {
		node, ok := join(left)
		if !ok {
			p.nesting -= levels
			return left
		}
		p.deeper()
		levels++
		left = node
	}
}

func (p *parser) or() expr {
	return p.chain(p.and, func(left expr) (expr, bool) {
		if !p.skipName("or") {
			return nil, false
		}
		return &logicExpr{true, left, p.and()}, true
	})
}

func (p *parser) and() expr {
	return p.chain(p.not, func(left expr) (expr, bool) {
		if !p.skipName("and") {
			return nil, false
		}
		return &logicExpr{false, left, p.not()}, true
	})
}

func (p *parser) not() expr {
	if !p.token.named("not") {
		return p.compare()
	}
	p.advance()
	p.deeper()
	defer func() { p.nesting-- }()
	return &notExpr{p.not()}
}

func (p *parser) compare() expr {
	first := p.sum()
	var rest []comparison
	for {
		operator, ok := p.comparison()
		if !ok {
			break
		}
		rest = append(rest, comparison{operator, p.sum()})
	}
	if rest == nil {
		return first
	}
	return &compareExpr{first, rest}
}

func (p *parser) comparison() (string, bool) {
	switch {
	case p.skipName("in"):
		return "in", true
	case p.token.named("not") && p.peek().named("in"):
		p.advance()
		p.advance()
		return "not in", true
	case p.token.kind == tokenOperator:
		switch p.token.text {
		case "==", "!=", "<", "<=", ">", ">=":
			return p.advance().text, true
		}
	}
	return "", false
}

func (p *parser) binary(operand func() expr, operators ...string) expr {
	return p.chain(operand, func(left expr) (expr, bool) {
		if p.token.kind != tokenOperator || !contains(operators, p.token.text) {
			return nil, false
		}
		operator := p.advance().text
		return &binaryExpr{operator, left, operand()}, true
	})
}

func (p *parser) sum() expr     { return p.binary(p.concat, "+", "-") }
func (p *parser) product() expr { return p.binary(p.power, "*", "/", "//", "%") }
func (p *parser) power() expr   { return p.binary(p.unaryFiltered, "**") }

func (p *parser) concat() expr {
	first := p.product()
	if !p.token.is("~") {
		return first
	}
	parts := []expr{first}
	for p.skip("~") {
		parts = append(parts, p.product())
	}
	return &concatExpr{parts}
}

func (p *parser) unaryFiltered() expr { return p.filters(p.unary()) }

func (p *parser) unary() expr {
	p.deeper()
	defer func() { p.nesting-- }()
	if p.token.is("-") || p.token.is("+") {
		operator := p.advance().text
		return &unaryExpr{operator, p.unary()}
	}
	return p.postfix(p.primary())
}

func (p *parser) primary() expr {
	switch t := p.token; t.kind {
	case tokenName:
		p.advance()
		if constant, ok := constants[t.text]; ok {
			return &literal{constant}
		}
		return p.lookup(t.text)
	case tokenString:
		return p.strings()
	case tokenInt:
		p.advance()
		return &literal{parseInt(t.text)}
	case tokenFloat:
		p.advance()
		f, _ := strconv.ParseFloat(t.text, 64)
		return &literal{f}
	case tokenOperator:
		return p.bracket()
	}
	fail("expected an expression, found %q", p.token.text)
	return nil
}

// lookup records in the enclosing macros whether they use caller, varargs or
// kwargs.
func (p *parser) lookup(name string) expr {
	if name == "caller" || name == "varargs" || name == "kwargs" {
		if n := len(p.macros); n > 0 {
			p.macros[n-1].catches[name] = true
		}
	}
	return &nameExpr{name: name}
}

// strings reads adjacent string literals as one.
func (p *parser) strings() expr {
	text := p.advance().text
	if p.token.kind == tokenString {
		var all strings.Builder
		all.WriteString(text)
		for p.token.kind == tokenString {
			all.WriteString(p.advance().text)
		}
		text = all.String()
	}
	return &literal{text}
}

func parseInt(text string) value {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n
	}
	if len(text) > maxDigits {
		fail("a number has too many digits")
	}
	base := 10
	if len(text) > 2 && text[0] == '0' && !isDigit(text[1]) {
		base = 0
	}
	n, ok := new(big.Int).SetString(text, base)
	if !ok {
		fail("invalid number %q", text)
	}
	return shrink(n)
}

func (p *parser) bracket() expr {
	switch {
	case p.skip("("):
		if p.skip(")") {
			return &tupleExpr{}
		}
		node := p.tuple(true)
		p.expect(")")
		return node
	case p.skip("["):
		return &listExpr{p.items("]")}
	case p.skip("{"):
		return p.dict()
	}
	fail("expected an expression, found %q", p.token.text)
	return nil
}

func (p *parser) items(end string) []expr {
	var items []expr
	for !p.skip(end) {
		if len(items) > 0 {
			p.expect(",")
			if p.skip(end) {
				break
			}
		}
		items = append(items, p.expression())
	}
	return items
}

func (p *parser) dict() expr {
	node := &dictExpr{}
	for !p.skip("}") {
		if len(node.keys) > 0 {
			p.expect(",")
			if p.skip("}") {
				break
			}
		}
		node.keys = append(node.keys, p.expression())
		p.expect(":")
		node.values = append(node.values, p.expression())
	}
	return node
}
