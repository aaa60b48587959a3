package engine

// Clock is the SQL of the database's time in microseconds. Leases are measured
// with it, because the clocks of the servers that share a database differ. A
// statement reads it once.
const Clock = "(SELECT micros FROM clock)"
