package step

import (
	"math"
	"math/big"
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// maxDigits is the maximum length of numbers in exact calculations.
const maxDigits = 1000

// calculate applies an operator to two numbers. Whole numbers are exact unless
// they are too large; all others are 64-bit floating point numbers.
func calculate(operator string, a, b decimal) (jsontree.Value, error) {
	if b.digits == "" && (operator == "/" || operator == "%") {
		return jsontree.Value{}, failf("division by zero")
	}
	if result, ok := calculateWhole(operator, a, b); ok {
		return parsed([]byte(result.String()))
	}
	x, y := a.float(), b.float()
	switch operator {
	case "+":
		return floatValue(x + y)
	case "-":
		return floatValue(x - y)
	case "*":
		return floatValue(x * y)
	case "/":
		return floatValue(x / y)
	case "%":
		return floatValue(floorMod(x, y))
	default:
		return floatValue(math.Pow(x, y))
	}
}

// floorMod returns a remainder with the sign of the divisor, as Python does.
func floorMod(x, y float64) float64 {
	rest := math.Mod(x, y)
	if rest != 0 && (rest < 0) != (y < 0) {
		rest += y
	}
	return rest
}

// calculateWhole calculates exactly if both numbers and the result are whole.
func calculateWhole(operator string, a, b decimal) (result *big.Int, ok bool) {
	x, ok := a.whole()
	if !ok {
		return nil, false
	}
	y, ok := b.whole()
	if !ok {
		return nil, false
	}
	result = new(big.Int)
	switch operator {
	case "+":
		result.Add(x, y)
	case "-":
		result.Sub(x, y)
	case "*":
		result.Mul(x, y)
	case "/":
		_, rest := result.QuoRem(x, y, new(big.Int))
		return result, rest.Sign() == 0
	case "%":
		if result.Rem(x, y); result.Sign() != 0 && result.Sign() != y.Sign() {
			result.Add(result, y)
		}
	default:
		return power(x, y)
	}
	return result, true
}

// power returns x to the power of y unless the result is too large.
func power(x, y *big.Int) (*big.Int, bool) {
	if y.Sign() < 0 || !y.IsInt64() {
		return nil, false
	}
	const bits = maxDigits * 10 / 3
	if n := int64(x.BitLen()); n > 1 && y.Int64() > bits/n {
		return nil, false
	}
	if x.BitLen() <= 1 && y.Int64() > 2 {
		y = big.NewInt(2 - y.Int64()%2) // powers of 0, 1 and -1 repeat
	}
	return new(big.Int).Exp(x, y, nil), true
}

// whole returns the number if it is whole and not too long.
func (n decimal) whole() (*big.Int, bool) {
	if !n.isWhole() || n.exponent > maxDigits {
		return nil, false
	}
	if n.digits == "" {
		return new(big.Int), true
	}
	text := n.digits + strings.Repeat("0", int(n.exponent)-len(n.digits))
	if n.negative {
		text = "-" + text
	}
	return new(big.Int).SetString(text, 10)
}
