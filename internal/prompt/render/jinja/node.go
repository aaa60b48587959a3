package jinja

// expr is a node that has a value.
type expr interface{ eval(r *run) value }

// stmt is a node that acts: it writes, assigns or directs.
type stmt interface{ exec(r *run) signal }

// signal tells a body why it ended.
type signal uint8

const (
	signalNone signal = iota
	signalBreak
	signalContinue
)

type (
	literal struct{ value value }
	// nameExpr looks a name up. A quiet one may be missing without notice,
	// because the template asks whether it is there.
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
		input expr // nil: the text of the block that the filter is applied to
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

// arguments are those of one call, as they were written.
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
	// loadStmt stands for include, import and extends. There is nothing to
	// load, so running one fails unless it may be missing.
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
	// catches says which of caller, varargs and kwargs the body looks up.
	catches map[string]bool
}

type parameter struct {
	name  string
	value expr // the default, may be nil
}

// target is where an assignment goes: a name, a namespace's attribute, or
// several targets at once.
type target struct {
	name      string
	attribute string
	several   []target
}

// Template is a parsed template. It is immutable and may be rendered by many
// goroutines at once.
type Template struct {
	body   []stmt
	blocks map[string]*blockStmt
	nodes  int
}

// nodeSize is the memory of one node of the tree with its share of the slices
// around it, rounded up.
const nodeSize = 128

// Size returns roughly how many bytes of memory the template takes.
func (t *Template) Size() int { return nodeSize * (t.nodes + 1) }
