package jinja

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

func filterAbs(r *run, input value, _ args) value {
	n, ok := number(input)
	if !ok {
		fail("%s has no absolute value", typeName(input))
	}
	if compareNumbers(n, int64(0)) < 0 {
		return r.numeric("-", int64(0), n)
	}
	return n
}

func filterInt(r *run, input value, a args) value {
	b := a.to("int", "default", "base")
	fallback, base := b.or(0, int64(0)), b.int(1, 10)
	if s, ok := text(input); ok {
		return textToInt(s, int(base), fallback)
	}
	n, ok := number(input)
	if !ok {
		return fallback
	}
	if f, float := n.(float64); float {
		return floatToInt(f, fallback)
	}
	return n
}

func textToInt(s string, base int, fallback value) value {
	s = strings.ReplaceAll(strings.TrimSpace(s), "_", "")
	if len(s) > maxDigits || base < 2 || base > 36 {
		return fallback
	}
	unprefixed := s
	if base == 16 || base == 8 || base == 2 {
		unprefixed = strings.TrimPrefix(strings.ToLower(s), map[int]string{16: "0x", 8: "0o", 2: "0b"}[base])
	}
	if n, ok := new(big.Int).SetString(unprefixed, base); ok {
		return shrink(n)
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return fallback
	}
	return floatToInt(f, fallback)
}

func floatToInt(f float64, fallback value) value {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return fallback
	}
	n, _ := big.NewFloat(f).Int(nil)
	return shrink(n)
}

func filterFloat(r *run, input value, a args) value {
	fallback := a.to("float", "default").or(0, 0.0)
	if s, ok := text(input); ok {
		if len(s) > maxDigits {
			return fallback
		}
		f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		if err != nil && !math.IsInf(f, 0) {
			return fallback
		}
		return f
	}
	n, ok := number(input)
	if !ok {
		return fallback
	}
	return asFloat(n)
}

func filterRound(r *run, input value, a args) value {
	b := a.to("round", "precision", "method")
	n, ok := number(input)
	if !ok {
		fail("%s cannot be rounded", typeName(input))
	}
	precision := min(max(b.int(0, 0), -400), 400)
	switch method := b.text(1, "common"); method {
	case "common":
		return roundCommon(n, int(precision))
	case "ceil", "floor":
		scale := math.Pow(10, float64(precision))
		if method == "ceil" {
			return math.Ceil(asFloat(n)*scale) / scale
		}
		return math.Floor(asFloat(n)*scale) / scale
	}
	fail("unknown rounding method")
	return nil
}

// roundCommon rounds half to even, as Python does.
func roundCommon(n value, precision int) value {
	f, ok := n.(float64)
	if !ok && precision >= 0 {
		return n
	}
	if precision < 0 {
		scale := math.Pow(10, float64(-precision))
		rounded := math.RoundToEven(asFloat(n)/scale) * scale
		if !ok {
			return floatToInt(rounded, int64(0))
		}
		return rounded
	}
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(f, 'f', precision, 64), 64)
	if err != nil {
		return f
	}
	return rounded
}

func filterFileSize(r *run, input value, a args) value {
	b := a.to("filesizeformat", "binary")
	n, ok := filterFloat(r, input, args{}).(float64)
	if !ok {
		fail("%s is not a size", typeName(input))
	}
	base, units := 1000.0, []string{"kB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB"}
	if b.truth(r, 0, false) {
		base, units = 1024.0, []string{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB", "YiB"}
	}
	switch {
	case n == 1:
		return "1 Byte"
	case n < base:
		return fmt.Sprintf("%d Bytes", int64(n))
	}
	unit := base
	for i, name := range units {
		if unit *= base; n < unit || i == len(units)-1 {
			return fmt.Sprintf("%.1f %s", base*n/unit, name)
		}
	}
	return ""
}
