package deletion

// SetParts makes parts smaller.
func (s *Service) SetParts(logs int) { s.partLogs = logs }
