// Package pyliteral reads cells that hold a Python list as repr writes it, such
// as [{'id': 18, 'name': 'Drama'}] or ['A', "B's"], into text columns.
//
// # Grammar
//
// A cell is one list, with white space around it. Within it stand lists and
// dicts, nested at most MaxDepth deep, with or without a comma after the last
// item; None, True and False; decimal whole numbers and floats with or without a
// sign; and text between single or double quotes, with the escapes that "String
// and Bytes literals" of the Python language reference has. The keys of a dict
// are text, numbers, None, True or False. A cell is read to its end or not at
// all: whichever values are wanted, the same cells are malformed.
//
// Cells are UTF-8; the caller has mended invalid bytes. An escape \xNN or \NNN
// in text stands for the character of that number. A \uNNNN escape of a
// surrogate becomes U+FFFD, also where two of them make a pair, which Python
// does not join either.
//
// # Differences from ast.literal_eval
//
// Read here, an error there: line breaks in text (CSV cells have them, and they
// are kept as they stand); NUL in text; indented first lines.
//
// Malformed here, read there: sets, tuples, bytes, text with a prefix or between
// triple quotes, and literals side by side, none of which stands in a published
// file; \N{name} escapes; comments; a backslash at the end of a line outside text;
// complex numbers, underscores in numbers and numbers to bases other than ten;
// more than MaxDepth open brackets.
package pyliteral
