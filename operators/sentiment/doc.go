// Package sentiment scores how positive or negative a text reads.
//
// A [Model] maps a text to a polarity: an integer number of ten-thousandths,
// from -10000 (most negative) to 10000 (most positive). Polarities are
// integers so that sums and means of them do not depend on order. Models are
// chosen by name, because the name is a plan parameter and plans are data.
//
// # The lexicon model
//
// "lexicon" is VADER: C. J. Hutto and E. Gilbert, "VADER: A Parsimonious
// Rule-based Model for Sentiment Analysis of Social Media Text", ICWSM 2014.
// Words with a known valence are summed after rules for negation, degree
// words, capitals, idioms and "but"; exclamation and question marks amplify
// the sum, which is then normalised to (-1, 1). The polarity is that compound
// score, rounded half away from zero to four decimals, times 10000.
//
// The reference is the Go port github.com/jonreiter/govader (MIT), which also
// supplies the word list, the emoji descriptions and the rule words. This
// package scores with code of its own, since the port spends nearly all its
// time on copies of the text, regular expressions and string maps. The
// two agree bit for bit on the compound score before rounding, for every text,
// quirks included; the tests compare them on real reviews and by fuzzing.
// The quirks worth knowing:
//
//   - Only U+0020 separates words: "good\nbad" is one unknown word.
//   - Punctuation is stripped from both ends of a word unless fewer than three
//     bytes would be left, so that ":)" survives; "ok!" is not "ok".
//   - An invalid UTF-8 byte reads as U+FFFD.
//   - An emoji is replaced by its description, so "😀" scores as the words
//     "grinning face". Emoji of several code points are not recognised.
//   - "least" negates only in lower case, and a word listed in the lexicon only
//     in lower case does not block the rules when it is capitalised.
//
// Products are rounded before they are added (no fused multiply-add), so a
// text has the same polarity on every architecture.
//
// The model works in one pass. Time is linear in the text, memory is one copy
// of it with the emoji written out, and no text can make it panic.
package sentiment
