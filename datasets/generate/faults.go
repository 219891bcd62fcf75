package generate

// fault is something wrong, or at least odd, with one row. draw.Turn assigns faults to
// rows, so that even a small file has every fault, and no row has two.
type fault int

const (
	noFault fault = iota

	// Of any long text.
	lineFeeds // between the sentences
	crlfs
	carriageReturns
	emptyText

	// Of films.
	repeatedID // another row is about the same film
	noOverviewFound
	noDate
	monthFirstDate // 10/30/1995
	dayFirstDate   // 30-10-1995
	noRuntime
	wholeRuntime // 81 for 81.0
	openList     // a Python list without its end

	// Of games.
	noName

	// Of books.
	noTitle
	starredYear // 1963*
	halfYear    // 197?
	openYear    // 2004-?
	quotedName  // ["Conan O'Brien"]
	unlisted    // a review of a book that is not in the catalogue

	faults // how many there are
)

// between returns the text between the sentences of a text with this fault.
func (f fault) between(otherwise string) string {
	switch f {
	case lineFeeds:
		return "\n\n"
	case crlfs:
		return "\r\n"
	case carriageReturns:
		return "\r"
	}
	return otherwise
}

// breaksLines reports whether a text with this fault holds line breaks.
func (f fault) breaksLines() bool { return f == lineFeeds || f == crlfs || f == carriageReturns }

// The faults of each file; one row in every period gets one. An entry that is listed
// twice is twice as frequent. The period times the number of entries is less than
// the least number of rows.
const (
	filmFaultPeriod       = 25
	gameFaultPeriod       = 180
	gameReviewFaultPeriod = 150
	bookFaultPeriod       = 30
	bookReviewFaultPeriod = 400
)

var (
	filmFaults = [...]fault{
		emptyText, noRuntime, lineFeeds, noDate, wholeRuntime, repeatedID, emptyText, noOverviewFound, crlfs,
		monthFirstDate, carriageReturns, openList, dayFirstDate,
	}
	gameFaults       = [...]fault{lineFeeds, crlfs, carriageReturns, noName}
	gameReviewFaults = [...]fault{emptyText, lineFeeds, crlfs, lineFeeds, carriageReturns, lineFeeds}
	bookFaults       = [...]fault{
		noDate, starredYear, lineFeeds, noDate, halfYear, quotedName, noDate, openYear, crlfs, noDate, starredYear,
		carriageReturns, noDate, noTitle, quotedName,
	}
	bookReviewFaults = [...]fault{lineFeeds, unlisted, crlfs, lineFeeds, unlisted, noTitle, carriageReturns}
)
