package number

// weekdays are the names of days of the week and their abbreviations in the languages of months, in small
// letters, by how many days they come after Thursday, which 1970-01-01 was. It is read only.
var weekdays = func() map[string]int64 {
	all := make(map[string]int64)
	for i, names := range [...][]string{
		{"thursday", "thu", "thur", "thurs", "donnerstag", "do", "jueves", "jue", "jeudi", "jeu", "quinta", "qui"},
		{"friday", "fri", "freitag", "fr", "viernes", "vie", "vendredi", "ven", "sexta", "sex"},
		{"saturday", "sat", "samstag", "sa", "sábado", "sáb", "sab", "samedi", "sam"},
		{"sunday", "sun", "sonntag", "so", "domingo", "dom", "dimanche", "dim"},
		{"monday", "mon", "montag", "mo", "lunes", "lun", "lundi", "segunda", "seg"},
		{"tuesday", "tue", "tues", "dienstag", "di", "martes", "mar", "mardi", "terça", "ter"},
		{"wednesday", "wed", "mittwoch", "mi", "miércoles", "mié", "mie", "mercredi", "mer", "quarta", "qua"},
	} {
		for _, name := range names {
			all[name] = int64(i)
		}
	}
	return all
}()

// cutWeekday cuts off the name of a day of the week at the beginning of a text, and what may stand behind it.
func cutWeekday(text []byte) (weekday int64, rest []byte, ok bool) {
	var name [longestName]byte
	n := cutName(&name, text)
	if weekday, ok = weekdays[string(name[:n])]; !ok {
		return 0, nil, false
	}
	rest = text[n:]
	if len(rest) > 0 && rest[0] == '.' {
		rest = rest[1:]
	}
	if len(rest) > 0 && rest[0] == ',' {
		rest = rest[1:]
	}
	if len(rest) < 2 || rest[0] != ' ' {
		return 0, nil, false
	}
	return weekday, rest[1:], true
}

// isWeekday reports whether a date is on a day of the week.
func isWeekday(days, weekday int64) bool { return (days-weekday)%7 == 0 }
