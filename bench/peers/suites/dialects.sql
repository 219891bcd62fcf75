-- Counts and sums over one table in many dialects, which are said to both programs. What no option says they find.

-- @query plain
SELECT count(*) AS n, sum(id) AS ids, sum(amount) AS amount, max(shop) AS shop, max(day) AS day FROM read_csv('$dir/plain.csv', header = true, delim = ',', quote = '"');

-- @query found
SELECT count(*) AS n, sum(id) AS ids, sum(amount) AS amount, max(shop) AS shop, max(day) AS day FROM '$dir/plain.csv';

-- @query declared
SELECT count(*) AS n, sum(id) AS ids, sum(amount) AS amount, max(shop) AS shop, max(day) AS day FROM read_csv('$dir/plain.csv', header = true, delim = ',', quote = '"', columns = {'id': 'BIGINT', 'shop': 'VARCHAR', 'day': 'DATE', 'amount': 'DOUBLE'});

-- @query quoted
SELECT count(*) AS n, sum(id) AS ids, sum(amount) AS amount, max(shop) AS shop, max(day) AS day FROM read_csv('$dir/quoted.csv', header = true, delim = ',', quote = '"');

-- @query single
SELECT count(*) AS n, sum(id) AS ids, sum(amount) AS amount, max(shop) AS shop, max(day) AS day FROM read_csv('$dir/single.csv', header = true, delim = ',', quote = '''');

-- @query tabs
SELECT count(*) AS n, sum(id) AS ids, sum(amount) AS amount, max(shop) AS shop, max(day) AS day FROM read_csv('$dir/tabs.csv', header = true, delim = '\t', quote = '"');

-- @query semicolons
SELECT count(*) AS n, sum(id) AS ids, sum(amount) AS amount, max(shop) AS shop, max(day) AS day FROM read_csv('$dir/semicolons.csv', header = true, delim = ';', quote = '"');

-- @query colons
SELECT count(*) AS n, sum(id) AS ids, sum(amount) AS amount, max(shop) AS shop, max(day) AS day FROM read_csv('$dir/colons.csv', header = true, delim = '::', quote = '"');

-- @query noquote
SELECT count(*) AS n, sum(id) AS ids, sum(amount) AS amount, max(shop) AS shop, max(day) AS day FROM read_csv('$dir/marks.csv', header = true, delim = ',', quote = '');

-- @query backslashes
SELECT count(*) AS n, sum(id) AS ids, sum(amount) AS amount, max(shop) AS shop, max(day) AS day FROM read_csv('$dir/backslashes.csv', header = true, delim = ',', quote = '"', escape = '\');

-- @query comments
SELECT count(*) AS n, sum(id) AS ids, sum(amount) AS amount, max(shop) AS shop, max(day) AS day FROM read_csv('$dir/comments.csv', header = false, delim = ',', quote = '"', comment = '#', names = ['id', 'shop', 'day', 'amount']);

-- @query padding
SELECT count(*) AS n, sum(id) AS ids, sum(amount) AS amount, max(shop) AS shop, max(day) AS day FROM read_csv('$dir/short.csv', header = true, delim = ',', quote = '"', null_padding = true);

-- @query utf16
SELECT count(*) AS n, sum(id) AS ids, sum(amount) AS amount, max(shop) AS shop, max(day) AS day FROM read_csv('$dir/wide.csv', header = true, delim = ',', quote = '"', encoding = 'utf-16');

-- @query latin1
SELECT count(*) AS n, sum(id) AS ids, sum(amount) AS amount, max(shop) AS shop, max(day) AS day FROM read_csv('$dir/western.csv', header = true, delim = ',', quote = '"', encoding = 'latin-1');

-- @query ragged
SELECT count(*) AS n, sum(id) AS ids, sum(amount) AS amount, max(shop) AS shop, max(day) AS day FROM read_csv('$dir/ragged.csv', header = true, delim = ',', quote = '"', null_padding = true);

-- @query gaps
SELECT count(*) AS n, sum(id) AS ids, sum(amount) AS amount, max(shop) AS shop, max(day) AS day FROM read_csv('$dir/gaps.csv', header = true, delim = ',', quote = '"');

-- @query spaced
SELECT count(*) AS n, sum(id) AS ids, sum(amount) AS amount, max(shop) AS shop, max(day) AS day FROM '$dir/spaced.csv';

-- @query one
SELECT count(*) AS n, sum(amount) AS amount, max(amount) AS most FROM read_csv('$dir/one.csv', header = true, delim = ',', quote = '"');

-- @query missing
SELECT count(*) AS n, sum(id) AS ids, sum(amount) AS amount, max(shop) AS shop, max(day) AS day FROM read_csv('$dir/missing.csv', header = true, delim = ',', quote = '"', nullstr = 'none');
