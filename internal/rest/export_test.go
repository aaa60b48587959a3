package rest

// Tracked returns how many callers the limiter remembers.
func (l *Limiter) Tracked() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.recent)
}

// CheckInput returns why values of in's type cannot be an input.
func CheckInput(in any) error {
	_, err := planOf(indirectType(in))
	return err
}
