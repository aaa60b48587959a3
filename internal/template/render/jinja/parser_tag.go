package jinja

func (p *parser) ifTag() stmt {
	node := &ifStmt{}
	for p.token.named("if") || p.token.named("elif") {
		p.advance()
		condition := p.tuple(false)
		p.endTag()
		node.branches = append(node.branches, branch{condition, p.statements("elif", "else", "endif")})
	}
	if p.skipName("else") {
		p.endTag()
		node.otherwise = p.statements("endif")
	}
	p.advance()
	return node
}

func (p *parser) forTag() stmt {
	p.advance()
	node := &forStmt{target: p.target("in")}
	if !p.skipName("in") {
		fail("expected in, found %q", p.token.text)
	}
	node.items = p.tupleOf(p.or, "recursive")
	if p.skipName("if") {
		node.condition = p.expression()
	}
	node.recursive = p.skipName("recursive")
	p.endTag()
	p.loops++
	node.body = p.statements("endfor", "else")
	p.loops--
	if p.skipName("else") {
		p.endTag()
		node.otherwise = p.statements("endfor")
	}
	p.advance()
	return node
}

func (p *parser) loopTag() stmt {
	if p.loops == 0 {
		fail("%s outside of a loop", p.token.text)
	}
	if p.advance().text == "break" {
		return &loopStmt{signalBreak}
	}
	return &loopStmt{signalContinue}
}

func (p *parser) setTag() stmt {
	p.advance()
	into := p.target("")
	if p.skip("=") {
		return &setStmt{into, p.tuple(true)}
	}
	node := &setBlockStmt{target: into}
	if p.token.is("|") {
		node.filter = p.filters(nil)
	}
	node.body = p.body("endset")
	return node
}

// target reads the target of an assignment, up to the name or the equals sign.
func (p *parser) target(end string) target {
	first := p.targetPart()
	if !p.token.is(",") {
		return first
	}
	all := target{several: []target{first}}
	for p.skip(",") {
		if p.token.kind != tokenName && !p.token.is("(") || end != "" && p.token.named(end) {
			break
		}
		all.several = append(all.several, p.targetPart())
	}
	return all
}

func (p *parser) targetPart() target {
	p.deeper()
	defer func() { p.nesting-- }()
	if p.skip("(") {
		inner := p.target("")
		p.expect(")")
		return inner
	}
	name := p.expectName()
	if _, ok := constants[name]; ok {
		fail("cannot assign to %s", name)
	}
	if p.skip(".") {
		return target{name: name, attribute: p.expectName()}
	}
	return target{name: name}
}

func (p *parser) withTag() stmt {
	p.advance()
	node := &withStmt{}
	for p.token.kind != tokenTagEnd {
		if len(node.targets) > 0 {
			p.expect(",")
		}
		node.targets = append(node.targets, p.targetPart())
		p.expect("=")
		node.values = append(node.values, p.expression())
	}
	node.body = p.body("endwith")
	return node
}

func (p *parser) macroTag() stmt {
	p.advance()
	m := &macroNode{name: p.expectName()}
	p.expect("(")
	p.macroBody(m, "endmacro")
	return &macroStmt{m}
}

// macroBody reads the parameters after the opening parenthesis and the body.
func (p *parser) macroBody(m *macroNode, end string) {
	p.parameters(m)
	p.macroRest(m, end)
}

func (p *parser) parameters(m *macroNode) {
	for !p.skip(")") {
		if len(m.parameters) > 0 {
			p.expect(",")
		}
		next := parameter{name: p.expectName()}
		if p.skip("=") {
			next.value = p.expression()
		} else if n := len(m.parameters); n > 0 && m.parameters[n-1].value != nil {
			fail("a parameter without a default follows one with a default")
		}
		m.parameters = append(m.parameters, next)
	}
}

func (p *parser) macroRest(m *macroNode, end string) {
	m.catches = map[string]bool{}
	p.macros = append(p.macros, m)
	loops := p.loops
	p.loops = 0
	m.body = p.body(end)
	p.loops = loops
	p.macros = p.macros[:len(p.macros)-1]
}

func (p *parser) callTag() stmt {
	p.advance()
	m := &macroNode{name: "caller"}
	if p.skip("(") {
		p.parameters(m)
	}
	call, ok := p.expression().(*callExpr)
	if !ok {
		fail("a call block needs a call")
	}
	p.macroRest(m, "endcall")
	return &callStmt{call, m}
}

func (p *parser) filterTag() stmt {
	p.advance()
	filter := p.filterChain(nil)
	return &filterStmt{filter, p.body("endfilter")}
}

func (p *parser) blockTag() stmt {
	p.advance()
	node := &blockStmt{name: p.expectName()}
	if p.blocks[node.name] != nil {
		fail("block %q is defined twice", node.name)
	}
	p.blocks[node.name] = node
	node.scoped = p.skipName("scoped")
	p.skipName("required")
	loops := p.loops
	p.loops = 0
	node.body = p.body("endblock")
	p.loops = loops
	p.skipName(node.name)
	return node
}

func (p *parser) escapeTag() stmt {
	p.advance()
	enabled := p.expression()
	return &escapeStmt{enabled, p.body("endautoescape")}
}

func (p *parser) doTag() stmt {
	p.advance()
	return &doStmt{p.tuple(true)}
}

func (p *parser) printTag() stmt {
	p.advance()
	return &printStmt{p.tuple(true)}
}

func (p *parser) includeTag() stmt {
	p.advance()
	node := &loadStmt{name: p.expression()}
	if p.skipName("ignore") {
		if !p.skipName("missing") {
			fail("expected missing")
		}
		node.optional = true
	}
	p.importContext()
	return node
}

func (p *parser) importContext() {
	if (p.token.named("with") || p.token.named("without")) && p.peek().named("context") {
		p.advance()
		p.advance()
	}
}

func (p *parser) importTag() stmt {
	p.advance()
	node := &loadStmt{name: p.expression()}
	if !p.skipName("as") {
		fail("expected as")
	}
	node.defines = []string{p.expectName()}
	p.importContext()
	return node
}

func (p *parser) fromTag() stmt {
	p.advance()
	node := &loadStmt{name: p.expression()}
	if !p.skipName("import") {
		fail("expected import")
	}
	for {
		p.importContext()
		if p.token.kind != tokenName {
			break
		}
		name := p.expectName()
		if p.skipName("as") {
			name = p.expectName()
		}
		node.defines = append(node.defines, name)
		p.importContext()
		if !p.skip(",") {
			break
		}
	}
	return node
}

func (p *parser) extendsTag() stmt {
	p.advance()
	return &loadStmt{name: p.expression()}
}
