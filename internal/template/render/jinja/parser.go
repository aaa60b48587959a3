package jinja

import "strings"

const (
	// MaxSource is the maximum size of a template in bytes. Its tree takes at
	// most a few dozen times as much memory.
	MaxSource = 1 << 20
	// maxNesting limits the depth of the tree, and thus every recursion over
	// it.
	maxNesting = 250
)

// parser is a recursive descent parser. It fails with a panic, which Parse
// turns into an error.
type parser struct {
	lexer   lexer
	token   token
	ahead   token
	peeked  bool
	nesting int
	nodes   int
	blocks  map[string]*blockStmt
	// macros are the enclosing macros, innermost last.
	macros []*macroNode
	loops  int
}

// Parse parses a template. The error is an *Error for invalid syntax and a
// *LimitError for a template that is too large or too deeply nested.
func Parse(source string) (t *Template, err error) {
	defer caught(&err)
	if len(source) > MaxSource {
		return nil, &LimitError{"template size"}
	}
	p := &parser{lexer: lexer{source: source}, blocks: map[string]*blockStmt{}}
	p.advance()
	body := p.statements()
	if p.token.kind != tokenEnd {
		fail("unexpected %q", p.token.text)
	}
	return &Template{body: body, blocks: p.blocks, nodes: p.nodes}, nil
}

func (p *parser) advance() token {
	last := p.token
	if p.peeked {
		p.token, p.peeked = p.ahead, false
	} else {
		p.token = p.lexer.next()
	}
	return last
}

func (p *parser) peek() token {
	if !p.peeked {
		p.ahead, p.peeked = p.lexer.next(), true
	}
	return p.ahead
}

func (p *parser) skip(operator string) bool {
	if p.token.is(operator) {
		p.advance()
		return true
	}
	return false
}

func (p *parser) skipName(name string) bool {
	if p.token.named(name) {
		p.advance()
		return true
	}
	return false
}

func (p *parser) expect(operator string) {
	if !p.skip(operator) {
		fail("expected %q, found %q", operator, p.token.text)
	}
}

func (p *parser) expectName() string {
	if p.token.kind != tokenName {
		fail("expected a name, found %q", p.token.text)
	}
	return p.advance().text
}

func (p *parser) endTag() {
	if p.token.kind != tokenTagEnd {
		fail("expected the end of the tag, found %q", p.token.text)
	}
	p.advance()
}

// deeper enters a level of the tree; the caller leaves it.
func (p *parser) deeper() {
	p.nodes++
	if p.nesting++; p.nesting > maxNesting {
		panic(&LimitError{"template nesting"})
	}
}

// statements reads a body up to the end or up to a tag with one of the names,
// which is then the current token.
func (p *parser) statements(ends ...string) []stmt {
	p.deeper()
	defer func() { p.nesting-- }()
	var body []stmt
	for {
		switch p.token.kind {
		case tokenEnd:
			if len(ends) > 0 {
				fail("unexpected end of template, expected %s", strings.Join(ends, " or "))
			}
			return body
		case tokenData:
			p.nodes++
			body = append(body, &dataStmt{p.advance().text})
		case tokenPrint:
			p.advance()
			body = append(body, &printStmt{p.tuple(true)})
			if p.token.kind != tokenPrintEnd {
				fail("expected the end of the expression, found %q", p.token.text)
			}
			p.advance()
		default:
			p.advance()
			if p.token.kind == tokenName && contains(ends, p.token.text) {
				return body
			}
			body = p.statement(body)
		}
	}
}

func contains(list []string, s string) bool {
	for _, item := range list {
		if item == s {
			return true
		}
	}
	return false
}

// body reads the statements of a tag and its end tag.
func (p *parser) body(end string) []stmt {
	p.endTag()
	body := p.statements(end)
	p.advance()
	return body
}

// tags are the statements by name. init fills it because they recurse.
var tags map[string]func(*parser) stmt

func init() {
	tags = map[string]func(*parser) stmt{
		"if": (*parser).ifTag, "for": (*parser).forTag, "set": (*parser).setTag, "with": (*parser).withTag,
		"macro": (*parser).macroTag, "call": (*parser).callTag, "filter": (*parser).filterTag,
		"block": (*parser).blockTag, "autoescape": (*parser).escapeTag, "do": (*parser).doTag, "print": (*parser).printTag,
		"break": (*parser).loopTag, "continue": (*parser).loopTag,
		"include": (*parser).includeTag, "import": (*parser).importTag, "from": (*parser).fromTag, "extends": (*parser).extendsTag,
	}
}

func (p *parser) statement(body []stmt) []stmt {
	read, ok := tags[p.token.text]
	if p.token.kind != tokenName || !ok {
		fail("unknown tag %q", p.token.text)
	}
	s := read(p)
	p.endTag()
	return append(body, s)
}
