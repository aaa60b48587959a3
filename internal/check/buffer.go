package check

import (
	"bytes"
	"sync"
)

// Buffer collects what several goroutines write, such as a log.
type Buffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write appends text.
func (b *Buffer) Write(text []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(text)
}

// String returns everything written until now.
func (b *Buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}
