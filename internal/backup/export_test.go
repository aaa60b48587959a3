package backup

// SetWorkFactor makes encryption cheap.
func SetWorkFactor(factor int) { workFactor = factor }
