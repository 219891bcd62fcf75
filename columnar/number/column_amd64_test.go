package number

// columnForms returns the implementations that this processor supports, by name. Calling one
// selects it and returns a function that restores the previous one.
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
