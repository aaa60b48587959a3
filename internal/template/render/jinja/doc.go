// Package jinja is a Jinja2 template engine for untrusted templates.
//
// It gives the same results as Python's engine: the whole syntax, the built-in
// filters, tests and functions, and the methods of strings, lists and dicts
// that templates use. Undefined is chainable, and nothing is escaped unless the
// template asks for it. There is no loader, so a template cannot access other
// templates, and no object has side effects.
//
// Every step, every byte allocated and every byte written is charged to a Meter
// beforehand, and the parser and the evaluator limit recursion. Every template
// therefore ends within its limits.
package jinja
