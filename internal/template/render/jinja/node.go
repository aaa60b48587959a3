package jinja

// expr is a node that has a value.
type expr interface{ eval(r *run) value }

// stmt is a node that writes, assigns or controls the flow.
type stmt interface{ exec(r *run) signal }

// signal says why a body ended.
type signal uint8

const (
	signalNone signal = iota
	signalBreak
	signalContinue
)

type (
	literal struct{ value value }
	// nameExpr looks up a name. A missing quiet name is not reported, because
	// the template tests whether it is defined.
	nameExpr struct {
		name  string
		quiet bool
	}
	attrExpr struct {
		object expr
		name   string
	}
	itemExpr  struct{ object, key expr }
	sliceExpr struct{ start, stop, step expr } // parts may be nil
	callExpr  struct {
		callee expr
		args   arguments
	}
	filterExpr struct {
		input expr // nil for the text of a filter block
		name  string
		apply filter
		args  arguments
	}
	testExpr struct {
		input  expr
		name   string
		check  test
		args   arguments
		negate bool
	}
	unaryExpr struct {
		operator string
		operand  expr
	}
	binaryExpr struct {
		operator    string
		left, right expr
	}
	logicExpr struct {
		or          bool
		left, right expr
	}
	notExpr     struct{ operand expr }
	compareExpr struct {
		first expr
		rest  []comparison
	}
	concatExpr struct{ parts []expr }
	ifExpr     struct{ condition, then, otherwise expr } // otherwise may be nil
	listExpr   struct{ items []expr }
	tupleExpr  struct{ items []expr }
	dictExpr   struct{ keys, values []expr }
)

type comparison struct {
	operator string
	operand  expr
}

// arguments are the arguments of a call.
type arguments struct {
	positional []expr
	keywords   []keyword
	splat      expr // *list, may be nil
	splatMap   expr // **dict, may be nil
}

type keyword struct {
	name  string
	value expr
}

type (
	dataStmt  struct{ text string }
	printStmt struct{ value expr }
	ifStmt    struct {
		branches  []branch
		otherwise []stmt
	}
	branch struct {
		condition expr
		body      []stmt
	}
	forStmt struct {
		target    target
		items     expr
		condition expr // may be nil
		recursive bool
		body      []stmt
		otherwise []stmt
	}
	setStmt struct {
		target target
		value  expr
	}
	setBlockStmt struct {
		target target
		filter expr // may be nil
		body   []stmt
	}
	withStmt struct {
		targets []target
		values  []expr
		body    []stmt
	}
	macroStmt struct{ macro *macroNode }
	callStmt  struct {
		call   *callExpr
		caller *macroNode
	}
	filterStmt struct {
		filter expr
		body   []stmt
	}
	blockStmt struct {
		name   string
		scoped bool
		body   []stmt
	}
	escapeStmt struct {
		enabled expr
		body    []stmt
	}
	doStmt   struct{ value expr }
	loopStmt struct{ signal signal }
	// loadStmt is an include, import or extends. There is nothing to load, so
	// running it fails unless missing templates are ignored.
	loadStmt struct {
		name     expr
		optional bool
		defines  []string
	}
)

// macroNode is a macro or the body of a call block.
type macroNode struct {
	name       string
	parameters []parameter
	body       []stmt
	// catches says which of caller, varargs and kwargs the body uses.
	catches map[string]bool
}

type parameter struct {
	name  string
	value expr // the default, may be nil
}

// target is the target of an assignment: a name, an attribute of a namespace,
// or several targets.
type target struct {
	name      string
	attribute string
	several   []target
}

// Template is a parsed template. It is immutable and safe for concurrent use.
type Template struct {
	body   []stmt
	blocks map[string]*blockStmt
	nodes  int
}

// nodeSize is the memory of one node with its share of slices, rounded up.
const nodeSize = 128

// Size returns the approximate memory of the template in bytes.
func (t *Template) Size() int { return nodeSize * (t.nodes + 1) }
