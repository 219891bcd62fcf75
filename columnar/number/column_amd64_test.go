package number

// columnForms returns the forms in which this processor reads columns. Each, when it is
// begun to be used, returns what ends that.
func columnForms() map[string]func() (end func()) {
	use := func(groups bool) func() func() {
		return func() func() {
			had := inGroups
			inGroups = groups
			return func() { inGroups = had }
		}
	}
	return map[string]func() func(){"best": use(inGroups), "AVX2": use(false)}
}
