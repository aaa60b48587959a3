package run_test

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"
)

// hundredNodes returns a graph of values and comparisons without models.
func hundredNodes() string {
	var list []string
	for i := range 50 {
		list = append(list, variable(fmt.Sprint("v", i), fmt.Sprint(i%7), i == 0))
		list = append(list, fmt.Sprintf(`{"name":"c%d","node_type":"COMPARE","configuration":{"sources":["v%d","v%d"]},"is_output_node":false}`, i, i, i/2))
	}
	return `{"nodes":[` + strings.Join(list, ",") + `]}`
}

// cpu returns the CPU time that the process has used.
func cpu(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func BenchmarkRunHundredNodes(b *testing.B) {
	l := onSQLite(b)
	p := l.process("a")
	l.create("w", hundredNodes())
	p.runs("w", `{}`)
	<-p.ended
	before := cpu(b)
	b.ResetTimer()
	for range b.N {
		p.start("w", `{}`)
		<-p.ended
	}
	b.StopTimer()
	b.ReportMetric(float64(cpu(b)-before)/float64(b.N)/1e6, "cpu-ms/run")
}
