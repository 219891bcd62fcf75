package session_test

import (
	"strings"
	"testing"
)

// Forms of PostgreSQL are read part by part, and letters beside them only in quotes.
func TestFormsOfPostgres(t *testing.T) {
	const moment = "TIMESTAMP '2024-02-10 17:05:09.123456'"
	for form, want := range map[string]string{
		`YYYY-MM-DD"T"HH24:MI:SS.US`:   "2024-02-10T17:05:09.123456",
		`yyyymmdd hh24miss MS`:         "20240210 170509 123",
		`FMDD.FMMM.YY, HH12:MI PM`:     `"10.2.24, 05:05 PM"`,
		`FMDay Dy FMMonth Mon DDD`:     "Saturday Sat February Feb 041",
		`IYYY"-W"IW 100%, "100%d" "YY`: `"2024-W06 100%, 100%d YY"`,
	} {
		got, err := answer(t, over(memory("/t.csv", "x\n1\n")), "SELECT to_char("+moment+", '"+form+"') AS text FROM '/t.csv'")
		if err != nil || got != "text\n"+want+"\n" {
			t.Errorf("%s: %q, error %v, want %s", form, got, err, want)
		}
	}
	for text, form := range map[string]string{"10.2.2024": "DD.MM.YYYY", "20240210": "YYYYMMDD", "february 10, 2024": "Month DD, YYYY", "10-FEB-24": "DD-Mon-YY"} {
		got, err := answer(t, over(memory("/t.csv", "x\n"+`"`+text+"\"\n")), "SELECT to_date(x, '"+form+"') AS day FROM read_csv('/t.csv', all_varchar = true) WHERE to_date(x, '"+form+"') = '2024-02-10'")
		if err != nil || got != "day\n2024-02-10\n" {
			t.Errorf("%s: %q, error %v", form, got, err)
		}
	}
}

// Numbers of all types are rounded to the places of their form, and texts are replaced in part.
func TestNumbersAndOverlayOfPostgres(t *testing.T) {
	ses := over(memory("/t.csv", "x,d,s\n1234,-0.565,Txxxxas\n,,\n"))
	for of, want := range map[string]string{
		"to_char(x, '9,999')":                                       "\" 1,234\"",
		"to_char(d, '0.99')":                                        "-0.57",
		"to_char(d::DOUBLE * 100, 'FM99.9')":                        "-56.5",
		"to_char(x::HUGEINT, '999')":                                "\" ###\"",
		"to_char(d::DECIMAL(18, 9), 'S9.9')":                        "\" -.6\"",
		"overlay(s PLACING 'hom' FROM 2 FOR 4)":                     "Thomas",
		"overlay(s, 'ab', 1) || overlay(s PLACING '' FROM 1 FOR 1)": "abxxxasxxxxas",
		"alias(x) || alias(x + 1)":                                  "xx + 1",
	} {
		got, err := answer(t, ses, "SELECT "+of+" AS a FROM '/t.csv' WHERE x > 0")
		if err != nil || got != "a\n"+want+"\n" {
			t.Errorf("%s: %q, error %v, want %s", of, got, err, want)
		}
		if got, err = answer(t, ses, "SELECT count("+of+") AS a FROM '/t.csv' WHERE x IS NULL"); err != nil || got != "a\n0\n" && !strings.HasPrefix(of, "alias") {
			t.Errorf("%s of NULL: %q, error %v", of, got, err)
		}
	}
}

// A bucket holds its lower bound, in whichever order the bounds are.
func TestWidthBuckets(t *testing.T) {
	got, err := answer(t, over(memory("/t.csv", "x\n-1\n0\n1.9\n2\n9.9\n10\n\"\"\n")), "SELECT width_bucket(x, 0, 10, 5) AS up, width_bucket(x, 10, 0, 5) AS down FROM '/t.csv'")
	if want := "up,down\n0,6\n1,6\n1,5\n2,5\n5,1\n6,1\n,\n"; err != nil || got != want {
		t.Errorf("%q, error %v, want %q", got, err, want)
	}
}
