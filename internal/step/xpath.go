package step

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/antchfx/xmlquery"
	"github.com/antchfx/xpath"

	"github.com/promptuary/promptuary/internal/fault"
)

const (
	maxXPath    = 4 << 10
	maxXML      = 1 << 20
	maxXMLDepth = 200
	// maxXMLSteps is the maximum number of steps of a query; see stepper.
	maxXMLSteps = 8_000_000
)

// xmlQuery is an XPath with the output format of its matches.
type xmlQuery struct {
	compiled *xpath.Expr
	source   string
	// scalar reports whether the result is a number, text or boolean instead of
	// nodes.
	scalar bool
	// text selects the text of matches instead of their XML.
	text bool
}

// quotedOrGrowing matches quoted texts, which are kept, and functions whose
// results can be much longer than their arguments.
var quotedOrGrowing = regexp.MustCompile(`'[^']*'|"[^"]*"|\b(?:replace|string-join)\s*\(`)

// xpath returns the query under a key.
func (c *settings) xpath(spellings ...string) *xmlQuery {
	query := &xmlQuery{}
	text := c.text(spellings...)
	if c.failed() {
		return query
	}
	if len(text) > maxXPath {
		c.fail("XPath is longer than %d characters", maxXPath)
		return query
	}
	for _, found := range quotedOrGrowing.FindAllString(text, -1) {
		if found[0] != '\'' && found[0] != '"' {
			c.fail("unsupported function in XPath '%s'", shorten(text))
			return query
		}
	}
	if err := query.compile(text); err != nil {
		c.fail("invalid XPath '%s': %v", shorten(text), err)
	}
	return query
}

// compile also evaluates the query on an empty document, to find the type of
// its result.
func (q *xmlQuery) compile(text string) error {
	q.source = strings.TrimSpace(text)
	return guard(func() (err error) {
		if q.compiled, err = xpath.Compile(text); err != nil {
			return err
		}
		result, err := evaluate(context.Background(), text, &xmlquery.Node{Type: xmlquery.DocumentNode})
		_, isNodes := result.(*xpath.NodeIterator)
		q.scalar = !isNodes
		return err
	})
}

// evaluate compiles the query each time, because evaluations change compiled
// queries and may run concurrently.
func evaluate(ctx context.Context, text string, root *xmlquery.Node) (any, error) {
	compiled, err := xpath.Compile(text)
	if err != nil {
		return nil, err
	}
	return compiled.Evaluate(newNavigator(root, newStepper(ctx))), nil
}

// xmlOptions ignores declared encodings: a text is already decoded.
var xmlOptions = xmlquery.ParserOptions{Decoder: &xmlquery.DecoderOptions{
	Strict:        true,
	CharsetReader: func(_ string, document io.Reader) (io.Reader, error) { return document, nil },
}}

// find returns the matches in a document, at most one unless all is set.
func (q *xmlQuery) find(ctx context.Context, env *Env, document string, all bool) (found []string, err error) {
	if len(document) > maxXML {
		return nil, failf("the XML is larger than %d MiB", maxXML>>20)
	}
	end, err := env.turn(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	err = guard(func() error {
		root, err := xmlquery.ParseWithOptions(strings.NewReader(document), xmlOptions)
		if err != nil {
			return fault.Wrap(fault.BadRequest, err, "the text is not valid XML")
		}
		if tooDeep(root) {
			return failf("the XML is nested deeper than %d levels", maxXMLDepth)
		}
		found, err = q.collect(ctx, root, all)
		return err
	})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if errors.Is(err, errTooManySteps) {
		return nil, failf("the XPath takes too many steps")
	}
	if errors.Is(err, errPanicked) {
		return nil, fault.Wrap(fault.BadRequest, err, "the XPath cannot be evaluated")
	}
	return found, err
}

func (q *xmlQuery) collect(ctx context.Context, root *xmlquery.Node, all bool) (found []string, err error) {
	if q.scalar {
		result, err := evaluate(ctx, q.source, root)
		return []string{scalarText(result)}, err
	}
	steps := newStepper(ctx)
	found, err = q.matches(root, steps, all)
	if element := rootElement(root); len(found) == 0 && err == nil && element != nil && !strings.HasPrefix(q.source, "/") {
		return q.matches(element, steps, all) // clients often write paths from the root element
	}
	return found, err
}

func rootElement(document *xmlquery.Node) *xmlquery.Node {
	for node := document.FirstChild; node != nil; node = node.NextSibling {
		if node.Type == xmlquery.ElementNode {
			return node
		}
	}
	return nil
}

// matches returns the matches of the query from a node.
func (q *xmlQuery) matches(from *xmlquery.Node, steps *stepper, all bool) (found []string, err error) {
	size := 0
	for matches := q.compiled.Select(newNavigator(from, steps)); matches.MoveNext(); {
		current, ok := matches.Current().(*navigator)
		if !ok {
			return nil, errors.New("unexpected kind of match")
		}
		text := q.show(current)
		if size += len(text); size > maxOutput {
			return nil, tooLarge()
		}
		if found = append(found, text); !all {
			break
		}
	}
	return found, nil
}

func scalarText(result any) string {
	if number, ok := result.(float64); ok {
		return strconv.FormatFloat(number, 'f', -1, 64)
	}
	return fmt.Sprint(result)
}

// show returns a match as text or as XML. A node without XML, such as an
// attribute, is always text.
func (q *xmlQuery) show(match *navigator) string {
	if q.text || match.NodeType() == xpath.AttributeNode {
		return match.Value()
	}
	return match.Current().OutputXML(true)
}

// tooDeep walks the document without recursion.
func tooDeep(root *xmlquery.Node) bool {
	depth := 0
	for node := root; ; {
		if node.FirstChild != nil {
			if depth++; depth > maxXMLDepth {
				return true
			}
			node = node.FirstChild
			continue
		}
		for node.NextSibling == nil {
			if node == root || node.Parent == nil {
				return false
			}
			node = node.Parent
			depth--
		}
		node = node.NextSibling
	}
}
