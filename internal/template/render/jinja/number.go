package jinja

import (
	"math"
	"math/big"
)

const (
	// maxDigits is the length of the longest integer that is parsed.
	maxDigits = 4300
	// maxBits is the size of the largest integer that is computed.
	maxBits = 1 << 15
)

// shrink returns an integer in its smallest form.
func shrink(n *big.Int) value {
	if n.IsInt64() {
		return n.Int64()
	}
	if n.BitLen() > maxBits {
		panic(&LimitError{"integer size"})
	}
	return n
}

// number returns v as a number if it is one; booleans count as integers.
func number(v value) (value, bool) {
	switch v := plain(v).(type) {
	case bool:
		return intOf(v), true
	case int64, float64, *big.Int:
		return v, true
	}
	return nil, false
}

func asBig(v value) *big.Int {
	switch v := v.(type) {
	case int64:
		return big.NewInt(v)
	case *big.Int:
		return v
	}
	return nil
}

func asFloat(v value) float64 {
	switch v := v.(type) {
	case int64:
		return float64(v)
	case float64:
		return v
	case *big.Int:
		f, _ := new(big.Float).SetInt(v).Float64()
		return f
	}
	return math.NaN()
}

func (r *run) numeric(operator string, a, b value) value {
	_, floatA := a.(float64)
	_, floatB := b.(float64)
	if floatA || floatB || operator == "/" {
		return floating(operator, asFloat(a), asFloat(b))
	}
	if operator == "**" {
		return r.power(a, b)
	}
	if x, ok := a.(int64); ok {
		if y, ok := b.(int64); ok {
			if v, ok := small(operator, x, y); ok {
				return v
			}
		}
	}
	return large(operator, asBig(a), asBig(b))
}

// small computes with 64 bits; ok is false if the result may not fit.
func small(operator string, x, y int64) (v value, ok bool) {
	switch operator {
	case "+":
		sum := x + y
		return sum, (sum > x) == (y > 0)
	case "-":
		difference := x - y
		return difference, (difference < x) == (y > 0)
	case "*":
		if abs(x) < 1<<31 && abs(y) < 1<<31 {
			return x * y, true
		}
	case "//", "%":
		if y > 0 && x >= 0 {
			if operator == "%" {
				return x % y, true
			}
			return x / y, true
		}
	}
	return nil, false
}

func abs(x int64) int64 {
	if x < 0 {
		return -max(x, -math.MaxInt64)
	}
	return x
}

func large(operator string, x, y *big.Int) value {
	z := new(big.Int)
	switch operator {
	case "+":
		return shrink(z.Add(x, y))
	case "-":
		return shrink(z.Sub(x, y))
	case "*":
		return shrink(z.Mul(x, y))
	}
	if y.Sign() == 0 {
		fail("division by zero")
	}
	quotient, remainder := z.QuoRem(x, y, new(big.Int))
	if remainder.Sign() != 0 && remainder.Sign() != y.Sign() {
		quotient.Sub(quotient, big.NewInt(1))
		remainder.Add(remainder, y)
	}
	if operator == "%" {
		return shrink(remainder)
	}
	return shrink(quotient)
}

func floating(operator string, x, y float64) value {
	switch operator {
	case "+":
		return x + y
	case "-":
		return x - y
	case "*":
		return x * y
	case "**":
		result := math.Pow(x, y)
		if x == 0 && y < 0 || math.IsNaN(result) && !math.IsNaN(x+y) {
			fail("the power is not a real number")
		}
		return result
	}
	if y == 0 {
		fail("division by zero")
	}
	switch operator {
	case "//":
		return math.Floor(x / y)
	case "%":
		remainder := math.Mod(x, y)
		if remainder == 0 {
			return math.Copysign(0, y)
		}
		if (remainder < 0) != (y < 0) {
			remainder += y
		}
		return remainder
	}
	return x / y
}

// power rejects results beyond maxBits before computing them.
func (r *run) power(a, b value) value {
	base, exponent := asBig(a), asBig(b)
	if exponent.Sign() < 0 {
		return floating("**", asFloat(a), asFloat(b))
	}
	if base.BitLen() > 1 && (!exponent.IsInt64() || exponent.Int64() > maxBits || int64(base.BitLen()-1)*exponent.Int64() > maxBits) {
		panic(&LimitError{"integer size"})
	}
	if base.BitLen() <= 1 && exponent.Sign() > 0 {
		return unitPower(base, exponent)
	}
	return shrink(new(big.Int).Exp(base, exponent, nil))
}

// unitPower raises -1, 0 or 1, to an exponent of any size.
func unitPower(base, exponent *big.Int) value {
	if base.Sign() < 0 && exponent.Bit(0) == 0 {
		return int64(1)
	}
	return base.Int64()
}
