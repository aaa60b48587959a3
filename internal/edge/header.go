package edge

import "net/http"

// dataPolicy forbids everything, because data is not a page.
const dataPolicy = "default-src 'none'; frame-ancestors 'none'"

// SecureHeaders returns next with headers that keep browsers from guessing
// types, from showing answers in frames and from storing them. A handler may
// replace the policy and the caching.
func SecureHeaders(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header["X-Content-Type-Options"] = noSniff
		header["X-Frame-Options"] = deny
		header["Referrer-Policy"] = noReferrer
		header["Content-Security-Policy"] = policy
		header["Cache-Control"] = noStore
		next.ServeHTTP(w, r)
	})
}

// The values are shared by all answers.
var (
	noSniff    = []string{"nosniff"}
	deny       = []string{"DENY"}
	noReferrer = []string{"no-referrer"}
	policy     = []string{dataPolicy}
	noStore    = []string{"no-store"}
)
