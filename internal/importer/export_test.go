package importer

// SetBatch makes the service write few rows at once.
func (s *Service) SetBatch(rows int) { s.batchRows = rows }
