package rest

// largeBody is the size from which parsing takes so long that workspaces take
// turns.
const largeBody = 64 << 10

// takeTurn waits until the caller may parse a large body.
func (r *Request) takeTurn() (err error) {
	if len(r.Bytes) < largeBody || r.share == nil {
		return nil
	}
	r.turn, err = r.share(r.ctx)
	return err
}

// endTurn lets the next caller parse.
func (r *Request) endTurn() {
	if r.turn != nil {
		r.turn()
	}
}
