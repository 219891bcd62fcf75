package page

import (
	"fmt"
	"net/http"
	"strings"
)

// elsewhere is the pattern of all that no route takes.
const elsewhere = "/v1/"

// addressError is the error of an address or method that there is not.
type addressError struct {
	address string
	methods []string // that the address takes; none: it is no address
}

func (e *addressError) Error() string {
	if len(e.methods) == 0 {
		return "there is no address " + e.address
	}
	return fmt.Sprintf("%s takes %s alone", e.address, strings.Join(e.methods, ", "))
}

func (e *addressError) status() int {
	if len(e.methods) == 0 {
		return http.StatusNotFound
	}
	return http.StatusMethodNotAllowed
}

// misdirected refuses what no route takes.
func (p *Page) misdirected(w http.ResponseWriter, r *http.Request) error {
	e := &addressError{address: r.URL.Path}
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete} {
		as := r.Clone(r.Context())
		as.Method = method
		if _, pattern := p.mux.Handler(as); pattern != elsewhere {
			e.methods = append(e.methods, method)
		}
	}
	if len(e.methods) > 0 {
		w.Header().Set("Allow", strings.Join(e.methods, ", "))
	}
	return e
}
