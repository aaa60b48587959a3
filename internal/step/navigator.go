package step

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/antchfx/xmlquery"
	"github.com/antchfx/xpath"
)

// stepper counts the steps of a query. It panics if there are too many or the
// context has ended, because the library has no other way to stop a query.
type stepper struct {
	ctx      context.Context
	left     int
	deadline time.Time
}

func newStepper(ctx context.Context) *stepper {
	return &stepper{ctx: ctx, left: maxXMLSteps, deadline: time.Now().Add(matchTime)}
}

var errTooManySteps = errors.New("it takes too many steps")

// checkEvery is the number of steps between checks of the context and the
// clock.
const checkEvery = 1 << 15

func (s *stepper) spend(n int) {
	before := s.left / checkEvery
	s.left -= n
	if s.left <= 0 {
		panic(errTooManySteps)
	}
	if s.left/checkEvery != before {
		if err := s.ctx.Err(); err != nil {
			panic(err)
		}
		if time.Now().After(s.deadline) {
			panic(errTooManySteps)
		}
	}
}

// navigator navigates a document and counts its steps.
type navigator struct {
	*xmlquery.NodeNavigator
	steps *stepper
}

func newNavigator(root *xmlquery.Node, steps *stepper) *navigator {
	return &navigator{xmlquery.CreateXPathNavigator(root), steps}
}

// Copy costs more than a step, because the library keeps copies in memory.
func (n *navigator) Copy() xpath.NodeNavigator {
	n.steps.spend(16)
	inner, ok := n.NodeNavigator.Copy().(*xmlquery.NodeNavigator)
	if !ok {
		panic(errors.New("unexpected kind of copy"))
	}
	return &navigator{inner, n.steps}
}

// MoveTo moves to the node of another navigator.
func (n *navigator) MoveTo(other xpath.NodeNavigator) bool {
	n.steps.spend(1)
	o, ok := other.(*navigator)
	return ok && n.NodeNavigator.MoveTo(o.NodeNavigator)
}

// MoveToParent moves up.
func (n *navigator) MoveToParent() bool {
	n.steps.spend(1)
	return n.NodeNavigator.MoveToParent()
}

// MoveToNextAttribute moves to the next attribute.
func (n *navigator) MoveToNextAttribute() bool {
	n.steps.spend(1)
	return n.NodeNavigator.MoveToNextAttribute()
}

// MoveToChild moves to the first child.
func (n *navigator) MoveToChild() bool {
	n.steps.spend(1)
	return n.NodeNavigator.MoveToChild()
}

// MoveToFirst moves back sibling by sibling and counts each step.
func (n *navigator) MoveToFirst() bool {
	moved := false
	for n.MoveToPrevious() {
		moved = true
	}
	return moved
}

// MoveToNext moves to the next sibling.
func (n *navigator) MoveToNext() bool {
	n.steps.pass(n.Current().NextSibling)
	return n.NodeNavigator.MoveToNext()
}

// MoveToPrevious moves to the previous sibling.
func (n *navigator) MoveToPrevious() bool {
	n.steps.pass(n.Current().PrevSibling)
	return n.NodeNavigator.MoveToPrevious()
}

// pass counts a move over a node. If it may be white space, its length counts,
// because the library inspects it.
func (s *stepper) pass(node *xmlquery.Node) {
	cost := 1
	if node != nil && node.Type == xmlquery.TextNode {
		cost += len(node.Data) / 16
	}
	s.spend(cost)
}

// Value returns the text of the current node. For an element or the document it
// is collected in a counted walk.
func (n *navigator) Value() string {
	switch n.NodeType() {
	case xpath.RootNode, xpath.ElementNode, xpath.TextNode:
		var text strings.Builder
		n.steps.appendText(&text, n.Current())
		return text.String()
	default:
		value := n.NodeNavigator.Value()
		n.steps.spend(1 + len(value)/8)
		return value
	}
}

// appendText appends the texts in a node. The recursion is limited by the
// maximum depth of documents.
func (s *stepper) appendText(out *strings.Builder, node *xmlquery.Node) {
	s.spend(1 + len(node.Data)/8)
	switch node.Type {
	case xmlquery.TextNode, xmlquery.CharDataNode:
		out.WriteString(node.Data)
	case xmlquery.DocumentNode, xmlquery.ElementNode:
		for child := node.FirstChild; child != nil; child = child.NextSibling {
			s.appendText(out, child)
		}
	}
}
