package number

import (
	"math/rand/v2"
	"regexp"
	"testing"
	"time"
)

func TestDateOrders(t *testing.T) {
	for _, tt := range []struct {
		text               string
		ymd, mdy, dmy, utc string // "" for none
	}{
		{text: "12/31/2020", mdy: "2020-12-31 00:00:00"},
		{text: "31/12/2020", dmy: "2020-12-31 00:00:00"},
		{text: "1/2/2020", mdy: "2020-01-02 00:00:00", dmy: "2020-02-01 00:00:00"},
		{text: "01.02.2020", mdy: "2020-01-02 00:00:00", dmy: "2020-02-01 00:00:00"},
		{text: "29-2-2020", dmy: "2020-02-29 00:00:00"},
		{text: "2020/1/5", ymd: "2020-01-05 00:00:00"},
		{text: "2020.12.31 9:05", ymd: "2020-12-31 09:05:00"},
		{text: "2020-02-29T07:08:09.123456", ymd: "2020-02-29 07:08:09.123456"},
		{text: "1/13/2020 3:04 PM", mdy: "2020-01-13 15:04:00"},
		{text: "1/13/2020 12:30 AM", mdy: "2020-01-13 00:30:00"},
		{text: "1/13/2020, 3:04:05 PM", mdy: "2020-01-13 15:04:05"},
		{text: "1/13/2020 03.04.05.25 PM", mdy: "2020-01-13 15:04:05.25"},
		{text: "1/13/2020 03.04:05 PM"},
		{text: "13.1.2020, 15:04:05", dmy: "2020-01-13 15:04:05"},
		{text: "1/13/2020,3:04"},
		{text: "1/13/2020, "},
		{text: "13.1.2020 12:30:01.5pm", dmy: "2020-01-13 12:30:01.5"},
		{text: "2020-02-29T07:08:09Z", utc: "2020-02-29 07:08:09"},
		{text: "2020-02-29 07:08:09.5+00:00", utc: "2020-02-29 07:08:09.5"},
		{text: "2020-02-29T07:08:09+02:00", utc: "2020-02-29 05:08:09"},
		{text: "2020-02-29T07:08:09.1234567Z"},
		{text: "2020-02-29Z"},
		{text: "1/13/2020 13:04 PM"},
		{text: "1/13/2020 0:04 AM"},
		{text: "1/13/2020 3:04 XM"},
		{text: "1/13/2020 3:04:05.1234567"},
		{text: "1/13/2020 PM"},
		{text: "1/13/2020 "},
		{text: "1/13/20"},
		{text: "1/13/02020"},
		{text: "001/13/2020"},
		{text: "1/13.2020"},
		{text: "1 13 2020"},
		{text: "29/2/2021"},
		{text: "0/1/2020"},
		{text: "1//2020"},
		{text: "1/1"},
		{text: "1/"},
		{text: ""},
	} {
		for _, c := range []struct {
			parse func([]byte) (int64, bool)
			want  string
		}{{YearFirst.ParseTimestamp, tt.ymd}, {MonthFirst.ParseTimestamp, tt.mdy}, {DayFirst.ParseTimestamp, tt.dmy}, {ParseUTC, tt.utc}} {
			got := ""
			if n, ok := c.parse([]byte(tt.text)); ok {
				got = string(AppendTimestamp(nil, n))
			}
			if got != c.want {
				t.Errorf("%q is %q, want %q", tt.text, got, c.want)
			}
		}
	}
}

// TestDateOrdersAgainstTime compares the forms that package time also parses with it.
func TestDateOrdersAgainstTime(t *testing.T) {
	layouts := [...][]string{
		YearFirst:  {"2006-1-2", "2006/01/02", "2006-01-02 15:04", "2006-01-02T15:04:05.999999", "2006.1.2 3:04 PM"},
		MonthFirst: {"1/2/2006", "01-02-2006", "1/2/2006 3:04:05 PM", "01.02.2006 15:04:05"},
		DayFirst:   {"2.1.2006", "02/01/2006", "2-1-2006 3:04pm", "02.01.2006 15:04:05.999999"},
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		at := time.UnixMicro(rng.Int64N(100_000 * Day)).UTC()
		for i, all := range layouts {
			order, layout := DateOrder(i), all[rng.IntN(len(all))]
			text := at.Format(layout)
			back, err := time.Parse(layout, text)
			if err != nil {
				t.Fatal(err)
			}
			if got, ok := order.ParseTimestamp([]byte(text)); !ok || got != back.UnixMicro() {
				t.Fatalf("%q is %d, %v; want %d", text, got, ok, back.UnixMicro())
			}
			days, ok := order.ParseDate([]byte(text))
			if isDate := len(layout) <= len("2006-01-02"); ok != isDate || ok && days*Day != back.UnixMicro() {
				t.Fatalf("%q is day %d, %v", text, days, ok)
			}
		}
	}
}

// TestYearFirst checks that YearFirst accepts every date and timestamp that ParseDate and
// ParseTimestamp accept.
func TestYearFirst(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		text := []byte("2020-02-29 23:59:59.500000"[:1+rng.IntN(26)])
		for range rng.IntN(3) {
			text[rng.IntN(len(text))] = "0123456789-:. T"[rng.IntN(15)]
		}
		if want, ok := ParseDate(text); ok {
			if got, ok := YearFirst.ParseDate(text); !ok || got != want {
				t.Fatalf("%q is %d, %v; want %d", text, got, ok, want)
			}
		}
		if want, ok := ParseTimestamp(text); ok {
			if got, ok := YearFirst.ParseTimestamp(text); !ok || got != want {
				t.Fatalf("%q is %d, %v; want %d", text, got, ok, want)
			}
		}
	}
}

// TestBytesOfDateOrders puts each byte in each place of dates.
func TestBytesOfDateOrders(t *testing.T) {
	form := regexp.MustCompile(`^(\d\d?)([-/.])(\d\d?)([-/.])(\d{4})$`)
	for _, date := range []string{"01/02/2020", "31.12.1999", "12-31-0001", "1/02/2020", "28.2.2000"} {
		for at := range len(date) {
			for c := range 256 {
				text := []byte(date)
				text[at] = byte(c)
				for order, layout := range map[DateOrder]string{MonthFirst: "1/2/2006", DayFirst: "2/1/2006"} {
					parts := form.FindStringSubmatch(string(text))
					exists := parts != nil && parts[2] == parts[4]
					var want time.Time
					if exists {
						var err error
						want, err = time.Parse(layout, parts[1]+"/"+parts[3]+"/"+parts[5])
						exists = err == nil
					}
					if got, ok := order.ParseDate(text); ok != exists || ok && got*Day != want.UnixMicro() {
						t.Fatalf("%q is %d, %v; want %v, %v", text, got, ok, want, exists)
					}
				}
			}
		}
	}
}
