package session_test

import (
	"context"
	"fmt"

	"analyzer/compose/session/filetext"
)

// How a file is written, in words.
func ExampleSession_Sniff() {
	file, err := over(memory("/sales.csv", "city;price;day\nOslo;3,50;2025-01-31\nBergen;4,25;\n")).Sniff(context.Background(), "/sales.csv")
	if err != nil {
		panic(err)
	}
	fmt.Print(filetext.Text(file))
	// Output:
	// /sales.csv: fields separated by semicolons, with a header
	//   city   VARCHAR
	//   price  DECIMAL FORMAT '1234,5'
	//   day    DATE
	//   FROM read_csv('/sales.csv', delim = ';')
}
