package number

import (
	"fmt"
	"testing"
)

func TestSerials(t *testing.T) {
	for cell, want := range map[string]string{
		"1": "1900-01-01", "59": "1900-02-28", "61": "1900-03-01", " 45292 ": "2024-01-01", "45292.0": "2024-01-01", "2958465": "9999-12-31",
		"60": "", "0": "", "-1": "", "2958466": "", "45292.5": "", "x": "", "": "", "99999999999999999999": "",
	} {
		days, ok := ParseSerialDay([]byte(cell))
		if got := string(AppendDate(nil, days)); ok != (want != "") || ok && got != want {
			t.Errorf("%q: %s, %v", cell, got, ok)
		}
		micros, ok := ParseSerialTime([]byte(cell))
		if got := string(AppendTimestamp(nil, micros)); ok != (want != "") && cell != "45292.5" || ok && want != "" && got != want+" 00:00:00" {
			t.Errorf("%q with a time: %s, %v", cell, got, ok)
		}
	}
	for cell, want := range map[string]string{
		"45292.5": "2024-01-01 12:00:00", "45292.4375": "2024-01-01 10:30:00", "45292.999999999": "2024-01-02 00:00:00", "1.25": "1900-01-01 06:00:00",
		"60.5": "", "0.5": "", "-1.5": "", "2958466.1": "", "1e300": "", "NaN": "",
	} {
		micros, ok := ParseSerialTime([]byte(cell))
		if got := string(AppendTimestamp(nil, micros)); ok != (want != "") || ok && got != want {
			t.Errorf("%q: %s, %v", cell, got, ok)
		}
	}
	for second := range int64(86_400) { // as programs write them, with 15 digits
		cell := fmt.Sprintf("%.10f", 45292+float64(second)/86_400)
		if micros, ok := ParseSerialTime([]byte(cell)); !ok || micros != 19723*Day+second*Second {
			t.Fatalf("%s: %d, %v", cell, micros, ok)
		}
	}
}
