package script

import (
	"errors"
	"regexp"
	"strings"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/parser"
)

// compile finds out what kind of code a job has. Code without a return at its
// top is run as it is, and the value of its last expression is its value.
// Other code is the body of a function, as is the code of every job with an
// entry; isFunction then says that the compiled program yields that function.
func compile(j job) (program *goja.Program, isFunction bool, err error) {
	if j.Entry != "" {
		program, err = compileBody(j.Code, functionName(j.Entry), "args", nil)
		return program, true, err
	}
	if strings.HasPrefix(strings.TrimSpace(j.Code), "{") {
		// An object is meant rather than a block, when it can be one.
		if tree, err := parse("(" + j.Code + "\n)"); err == nil && len(tree.Body) == 1 {
			program, err = goja.CompileAST(tree, false)
			return program, false, err
		}
	}
	tree, wrong := parse(j.Code)
	if wrong == nil {
		program, err = goja.CompileAST(tree, false)
		return program, false, err
	}
	program, err = compileBody(j.Code, "", "", returnLast)
	if err != nil && !strings.Contains(wrong.Error(), "return") {
		err = wrong // what is wrong at the top says more than what is within
	}
	return program, true, err
}

// compileBody makes code the body of a function, which change may alter. It
// stays on its own lines, so that messages name the right ones.
func compileBody(code, name, parameter string, change func(*ast.BlockStatement)) (*goja.Program, error) {
	tree, err := parse("(async function " + name + "(" + parameter + "){" + code + "\n})")
	if err != nil {
		return nil, err
	}
	function := onlyFunction(tree)
	if function == nil {
		return nil, syntaxError("Unexpected } at the top", 0)
	}
	if change != nil {
		change(function.Body)
	}
	return goja.CompileAST(tree, false)
}

// onlyFunction returns the function that a tree consists of, nil when its body
// closed it early and went on.
func onlyFunction(tree *ast.Program) *ast.FunctionLiteral {
	if len(tree.Body) != 1 {
		return nil
	}
	statement, ok := tree.Body[0].(*ast.ExpressionStatement)
	if !ok {
		return nil
	}
	function, _ := statement.Expression.(*ast.FunctionLiteral)
	return function
}

// returnLast makes a body return its last expression, for code that awaits or
// returns somewhere and still ends with a value.
func returnLast(body *ast.BlockStatement) {
	if len(body.List) == 0 {
		return
	}
	last := len(body.List) - 1
	if statement, ok := body.List[last].(*ast.ExpressionStatement); ok {
		body.List[last] = &ast.ReturnStatement{Return: statement.Idx0(), Argument: statement.Expression}
	}
}

func parse(code string) (*ast.Program, error) {
	tree, err := parser.ParseFile(nil, codeName, code, 0, parser.WithDisableSourceMaps)
	var list parser.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		return nil, syntaxError(list[0].Message, list[0].Position.Line)
	}
	if err != nil {
		return nil, syntaxError(err.Error(), 0)
	}
	return tree, nil
}

// compileError is for what only shows when a syntax tree is compiled.
func compileError(err *goja.CompilerSyntaxError) *Error {
	if err.File == nil {
		return syntaxError(err.Message, 0)
	}
	return syntaxError(err.Message, err.File.Position(err.Offset).Line)
}

func syntaxError(text string, line int) *Error {
	return &Error{Reason: Syntax, Type: "SyntaxError", Message: withLine("SyntaxError: "+text, line), Line: line}
}

var identifier = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]*$`)

// functionName returns the name if a function can have it. Tools may have
// names such as get-weather, and their code does not need them.
func functionName(name string) string {
	if !identifier.MatchString(name) {
		return ""
	}
	if _, err := parse("(async function " + name + "(){})"); err != nil {
		return "" // a word of the language
	}
	return name
}
