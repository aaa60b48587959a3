package jinja

// postfix reads attributes, items and calls after an operand.
func (p *parser) postfix(node expr) expr {
	return p.chain(func() expr { return node }, func(left expr) (expr, bool) {
		switch {
		case p.skip("."):
			return p.attribute(left), true
		case p.skip("["):
			return p.subscript(left), true
		case p.token.is("("):
			return &callExpr{left, p.arguments()}, true
		}
		return nil, false
	})
}

func (p *parser) attribute(object expr) expr {
	switch p.token.kind {
	case tokenName:
		return &attrExpr{object, p.advance().text}
	case tokenInt:
		return &itemExpr{object, &literal{parseInt(p.advance().text)}}
	}
	fail("expected a name, found %q", p.token.text)
	return nil
}

func (p *parser) subscript(object expr) expr {
	key := p.subscriptPart()
	if p.token.is(",") {
		items := []expr{key}
		for p.skip(",") {
			items = append(items, p.subscriptPart())
		}
		key = &tupleExpr{items}
	}
	p.expect("]")
	return &itemExpr{object, key}
}

func (p *parser) subscriptPart() expr {
	var parts [3]expr
	if !p.token.is(":") {
		parts[0] = p.expression()
		if !p.token.is(":") {
			return parts[0]
		}
	}
	for i := 1; i < 3 && p.skip(":"); i++ {
		if !p.token.is(":") && !p.token.is("]") && !p.token.is(",") {
			parts[i] = p.expression()
		}
	}
	return &sliceExpr{parts[0], parts[1], parts[2]}
}

func (p *parser) arguments() arguments {
	p.expect("(")
	var args arguments
	for first := true; !p.skip(")"); first = false {
		if !first {
			p.expect(",")
			if p.skip(")") {
				break
			}
		}
		p.argument(&args)
	}
	return args
}

func (p *parser) argument(args *arguments) {
	switch {
	case p.skip("**"):
		args.splatMap = p.expression()
	case p.skip("*"):
		args.splat = p.expression()
	case p.token.kind == tokenName && p.peek().is("="):
		name := p.advance().text
		p.advance()
		args.keywords = append(args.keywords, keyword{name, p.expression()})
	default:
		if len(args.keywords) > 0 || args.splatMap != nil {
			fail("a positional argument follows a keyword")
		}
		args.positional = append(args.positional, p.expression())
	}
}

// filters reads filters, tests and calls after an operand with its postfixes.
func (p *parser) filters(node expr) expr {
	return p.chain(func() expr { return node }, func(left expr) (expr, bool) {
		switch {
		case p.skip("|"):
			return p.filter(left), true
		case p.token.named("is") && left != nil:
			p.advance()
			return p.test(left), true
		case p.token.is("(") && left != nil:
			return &callExpr{left, p.arguments()}, true
		}
		return nil, false
	})
}

// filterChain reads the filters of a filter block, the first without |.
func (p *parser) filterChain(input expr) expr {
	return p.filters(p.filter(input))
}

func (p *parser) filter(input expr) expr {
	node := &filterExpr{input: input, name: p.dottedName()}
	node.apply = filters[node.name]
	if node.apply == nil {
		fail("unknown filter %q", node.name)
	}
	if p.token.is("(") {
		node.args = p.arguments()
	}
	if node.name == "default" || node.name == "d" {
		hush(input)
	}
	return node
}

func (p *parser) dottedName() string {
	name := p.expectName()
	for p.skip(".") {
		name += "." + p.expectName()
	}
	return name
}

func (p *parser) test(input expr) expr {
	node := &testExpr{input: input, negate: p.skipName("not")}
	node.name = p.dottedName()
	node.check = tests[node.name]
	if node.check == nil {
		fail("unknown test %q", node.name)
	}
	if p.token.is("(") {
		node.args = p.arguments()
	} else if p.startsOperand() {
		node.args.positional = []expr{p.postfix(p.primary())}
	}
	if node.name == "defined" || node.name == "undefined" {
		hush(input)
	}
	return node
}

func (p *parser) startsOperand() bool {
	switch p.token.kind {
	case tokenName:
		return !contains([]string{"else", "or", "and", "is", "if", "in", "not", "recursive"}, p.token.text)
	case tokenString, tokenInt, tokenFloat:
		return true
	}
	return p.token.is("(") || p.token.is("[") || p.token.is("{")
}

// hush marks the name at the root of an operand as optional.
func hush(node expr) {
	for {
		switch n := node.(type) {
		case *nameExpr:
			n.quiet = true
			return
		case *attrExpr:
			node = n.object
		case *itemExpr:
			node = n.object
		default:
			return
		}
	}
}
