package number

// columnForms returns the forms in which this processor reads columns. Each, when it is
// begun to be used, returns what ends that.
func columnForms() map[string]func() (end func()) {
	use := func(groups bool) func() func() {
		return func() func() {
			lanes, had := inLanes, inGroups
			inLanes, inGroups = lanes && groups, groups
			return func() { inLanes, inGroups = lanes, had }
		}
	}
	return map[string]func() func(){"best": use(inGroups), "AVX2": use(false)}
}
