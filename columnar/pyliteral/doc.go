// Package pyliteral parses cells that hold a Python list as repr writes it, such as
// [{'id': 18, 'name': 'Drama'}] or ['A', "B's"], into text columns, or a list or dict into JSON.
//
// # Grammar
//
// A cell is one list, with optional white space around it. It may contain lists and dicts,
// nested at most MaxDepth deep, with or without a comma after the last item; None, True
// and False; decimal integers and floats with an optional sign; and text in single or
// double quotes, with the escapes of "String and Bytes literals" in the Python language
// reference. The keys of a dict are text, numbers, None, True or False. A cell is always
// parsed to its end, so which cells are malformed does not depend on the values wanted.
//
// Cells are UTF-8; the caller replaces invalid bytes first. An escape \xNN or \NNN in text
// means the code point of that number. A \uNNNN escape of a surrogate becomes U+FFFD, even
// in a pair, which Python does not combine either.
//
// # Differences from ast.literal_eval
//
// Accepted here, an error there: line breaks in text (CSV cells contain them, and they are
// kept unchanged); NUL in text; indented first lines.
//
// Malformed here, accepted there: sets, tuples, bytes, text with a prefix or in triple
// quotes, and adjacent literals, none of which occurs in a published file; \N{name}
// escapes; comments; a backslash at the end of a line outside text; complex numbers,
// underscores in numbers and numbers in bases other than ten; more than MaxDepth open
// brackets.
package pyliteral
