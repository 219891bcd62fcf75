//go:build !amd64

package number

func columnForms() map[string]func() (end func()) {
	return map[string]func() func(){"best": func() func() { return func() {} }}
}
