// Package jinja is a Jinja2 template engine for texts that strangers write.
//
// It gives what Python's engine would give for the same text and variables:
// the whole syntax, the built-in filters, tests and functions, and the methods
// of strings, lists and dicts that templates use. Undefined is chainable and
// nothing is escaped unless the template asks for it. There is no loader, so a
// template cannot reach any other, and no object with a side effect.
//
// Every step, every byte built and every byte written is taken off a Meter
// before it happens, and recursion is bounded in the parser and in the
// evaluator. A template therefore ends within its bounds whatever it says.
package jinja
