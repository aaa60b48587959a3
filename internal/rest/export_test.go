package rest

// Tracked returns the number of callers that the limiter tracks.
func (l *Limiter) Tracked() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.recent)
}

// CheckInput returns an error if the type of in cannot be an input.
func CheckInput(in any) error {
	_, err := planOf(indirectType(in))
	return err
}
