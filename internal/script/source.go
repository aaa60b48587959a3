package script

import (
	"errors"
	"regexp"
	"strings"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/parser"
)

// compile compiles the code of a job. Code without a return statement at its top
// level runs as a script, with the value of its last expression. Other code, and
// code of jobs with an entry, is the body of a function; isFunction then reports
// that the value of the program is that function.
func compile(j job) (program *goja.Program, isFunction bool, err error) {
	if j.Entry != "" {
		program, err = compileBody(j.Code, functionName(j.Entry), "args", nil)
		return program, true, err
	}
	if strings.HasPrefix(strings.TrimSpace(j.Code), "{") {
		// Prefer an object to a block.
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
		err = wrong // the error of the script is clearer
	}
	return program, true, err
}

// compileBody compiles code as the body of a function, which change may modify.
// The code keeps its line numbers.
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

// onlyFunction returns the function that is the whole program, or nil if the
// code closed the function early.
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

// returnLast makes a body return its last expression, for code with await or
// return that ends with an expression.
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

// compileError converts a syntax error that the compiler finds after parsing.
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

// functionName returns the name if it is valid for a function, otherwise "".
// Tools may have names such as get-weather.
func functionName(name string) string {
	if !identifier.MatchString(name) {
		return ""
	}
	if _, err := parse("(async function " + name + "(){})"); err != nil {
		return "" // a word of the language
	}
	return name
}
