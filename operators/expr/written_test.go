package expr

import (
	"strings"
	"testing"

	"analyzer/columnar"
)

func TestNumbersAsInPrograms(t *testing.T) {
	for _, tt := range []struct {
		text string
		t    columnar.Type
		want string
	}{
		{"0x1F", columnar.Int, "31"},
		{" 0Xff_ff ", columnar.Int, "65535"},
		{"0b0_101", columnar.Huge, "'5'::huge"},
		{"1_000", columnar.Int, "1000"},
		{"-1_0.2_5", columnar.Float, "-1.025e+01"},
		{"1_2e1_0", columnar.Int, "120000000000"},
		{"1_0.5", columnar.Decimal, "10.5"},
		{"0xFFFFFFFFFFFFFFFF", columnar.Huge, "'18446744073709551615'::huge"},
		{"0xFFFFFFFFFFFFFFFF", columnar.Int, ""},
		{"0x1F", columnar.Float, ""},
		{"0x1F", columnar.Decimal, ""},
		{"-0x10", columnar.Int, ""},
		{"0x", columnar.Int, ""},
		{"0b2", columnar.Int, ""},
		{"0x_1", columnar.Int, ""},
		{"0o17", columnar.Int, ""},
		{"_1", columnar.Int, ""},
		{"1_", columnar.Int, ""},
		{"1__0", columnar.Int, ""},
		{"1_e5", columnar.Float, ""},
		{"1e_5", columnar.Float, ""},
		{"1_.5", columnar.Float, ""},
	} {
		got, err := CastText(Str(tt.text), tt.t, true).compute(nil)
		if err != nil || got.Value.Null != (tt.want == "") || tt.want != "" && got.String() != tt.want {
			t.Errorf("%q as %s is %s (%v), not %s", tt.text, tt.t, got, err, tt.want)
		}
	}
	_, err := CastText(Str("x"), columnar.Int, false).compute(nil)
	if err == nil || !strings.Contains(err.Error(), `CAST('x' AS BIGINT): the text "x" is no BIGINT`) {
		t.Errorf("the error of a cast is %v", err)
	}
}

// TestOtherTextsCostNothing holds casts of columns of words to no allocation for each.
func TestOtherTextsCostNothing(t *testing.T) {
	for _, text := range []string{"a text that is no number, and longer than a small buffer", "0 and more", "2024-02-10"} {
		words := []byte(text)
		for _, to := range []columnar.Type{columnar.Int, columnar.Float, columnar.Date} {
			if n := testing.AllocsPerRun(10, func() { plainNumber(words, to) }); n > 0 {
				t.Errorf("%q as %s allocates %v times", text, to, n)
			}
		}
	}
}
