package main

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"analyzer/columnar/vfs"
)

// messy are small files of the kinds that people complain about.
var messy = []struct{ name, text string }{
	{"byte order mark", "\ufeffid,x\n1,2\n"},
	{"byte order mark and quotes", "\ufeff\"id\",x\n1,2\n"},
	{"semicolons", "a;b\n1;2\n3;4\n"},
	{"separator said before", "sep=;\r\na;b;c\r\n1;2;3\r\n4;5;6\r\n"},
	{"separator said before two columns", "sep=,\na,b\n1,2\n"},
	{"separator said in capitals behind a mark", "\ufeffSEP=\t\r\na\tb\r\n1\t2\r\n"},
	{"separator said in quotes", "\"sep=|\"\na|b\n1|2\n"},
	{"separator said of one column", "sep=;\na\n1\n"},
	{"separator said of nothing", "sep=;\n"},
	{"tabs", "a\tb\n1\tx y\n"},
	{"bars", "a|b\n1|2\n"},
	{"decimal comma", "a;b\n1,5;x\n2,25;y\n"},
	{"commas in semicolons", "a;b\nx, y;1\nz, w;2\n"},
	{"quote in the middle", "a,b\n5\" pipe,1\n6\" pipe,2\n"},
	{"quote behind a quoted part", "a,b\n\"x\"y,1\n"},
	{"doubled quotes", "a,b\n\"say \"\"hi\"\"\",1\n"},
	{"delimiter in quotes", "a,b\n\"1,2\",3\n"},
	{"line end in quotes", "a,b\n\"x\ny\",1\n"},
	{"CRLF in quotes", "a,b\r\n\"x\r\ny\",1\r\n"},
	{"lone quote at the end", "a,b\n1,2\n3,\"\n"},
	{"short rows", "a,b,c\n1,2,3\n4,5\n6,7,8\n"},
	{"long rows", "a,b\n1,2\n3,4,5\n6,7\n"},
	{"delimiter at the end", "a,b,\n1,2,\n3,4,\n"},
	{"delimiter at the end of rows alone", "a,b\n1,2,\n3,4,\n"},
	{"CRLF", "a,b\r\n1,2\r\n3,4\r\n"},
	{"CR", "a,b\r1,2\r3,4\r"},
	{"mixed line ends", "a,b\r\n1,2\n3,4\r5,6\n"},
	{"no line end", "a,b\n1,2"},
	{"blank lines", "\n\na,b\n\n1,2\n\n\n3,4\n"},
	{"lines of spaces", "a,b\n1,2\n  \n3,4\n"},
	{"NUL bytes", "a,b\n1,x\x00y\n"},
	{"empty file", ""},
	{"only a line end", "\n"},
	{"header only", "a,b\n"},
	{"header without a line end", "a,b"},
	{"no header", "1,x\n2,y\n"},
	{"no header, texts alone", "x,y\nz,w\n"},
	{"header of numbers", "id,2020,2021\na,1,2\nb,3,4\n"},
	{"header of years over other things than years", "country,2019,2020\nDE,1,2\nFR,3,4\n"},
	{"rows with years", "DE,2019,2020\nFR,2018,2021\n"},
	{"numbered rows", ",name,city\n0,anna,bonn\n1,bob,ulm\n"},
	{"a single row", "1,2,3\n"},
	{"a single row of one number", "7"},
	{"duplicated names", "a,a,A\n1,2,3\n"},
	{"empty names", "a,,\n1,2,3\n"},
	{"spaces around names", " a , b \n1,2\n"},
	{"names in quotes", "\"a b\",\"c,d\"\n1,2\n"},
	{"very long line", "a,b\n" + strings.Repeat("x", 300_000) + ",1\ny,2\n"},
	{"thousands separators", "a,b\n\"1,000\",x\n\"2,500\",y\n"},
	{"dates by points", "d,x\n31.12.2020,1\n01.02.2021,2\n"},
	{"dates by slashes", "d,x\n12/31/2020,1\n"},
	{"dates whose month could be the day", "d,x\n01/02/2020,1\n03/04/2020,1\n"},
	{"numbers that might have points between thousands", "a;b;c\n1.613;1.5;1.613\n379;2;1.200\n"},
	{"dates with points whose month could be the day", "d;x\n01.02.2020 10:00;3.4.2020\n03.04.2020 11:30;5.6.2020\n"},
	{"dates with points in many columns", "a;b;c;d;e;f;g\n" + strings.Repeat("1.2.2020;1.2.2020;1.2.2020;1.2.2020;1.2.2020;1.2.2020;1.2.2020\n", 2)},
	{"dates with points beside others with the month first", "d;e\n01.02.2020;1/13/2020\n03.04.2020;2/2/2020\n"},
	{"dates with points and the month first", "d;x\n12.31.2020;1\n01.02.2020;2\n"},
	{"dates with points of two digits for the year", "d;x\n01.02.20;1\n03.04.20;2\n"},
	{"dates that other columns explain", "d,e,t\n01/02/2020,13/1/2020,1/2/2020 10:00\n03/04/2020,1/1/2020,3/4/2020 11:00\n"},
	{"dates that other columns explain, the month first", "d,e\n01/02/2020,1-13-20\n03/04/2020,1-1-20\n"},
	{"dates that other columns do not explain", "d,e,f\n01/02/2020,1/13/2020,13/1/2020\n03/04/2020,1/1/2020,2/2/2020\n"},
	{"dates of two orders", "d,x\n01/31/2020,1\n31/01/2020,1\n"},
	{"dates with half a day", "d,x\n1/31/2020 3:04 PM,1\n2/1/2020 12:00:00 AM,1\n"},
	{"dates without zeros", "d,x\n2020-1-31,1\n2020-10-15,1\n"},
	{"times in UTC", "t,x\n2020-01-31T10:20:30Z,1\n2020-01-31T10:20:30.5Z,1\n"},
	{"times in UTC and in none", "t,x\n2020-01-31T10:20:30Z,1\n2020-01-31T10:20:30,1\n"},
	{"dates and times", "d,x\n2020-12-31 10:20:30,1\n"},
	{"a date that there is not", "d\n2020-02-28\n2021-02-29\n"},
	{"dates and words", "d,x\n2020-01-01,1\nunknown,2\n"},
	{"leading zeros", "id,x\n007,1\n12,2\n"},
	{"postal codes", "zip,n\n01234,1\n98765,2\n"},
	{"telephone numbers", "tel\n+49301234\n+1555123\n"},
	{"plus signs", "a\n+1\n+2\n"},
	{"minus and spaces", "a,b\n- 1,x\n-2,y\n"},
	{"infinities and nan", "a,b\n1.5,x\ninf,y\n-inf,z\nnan,w\n"},
	{"beyond a double", "a\n1e400\n1\n"},
	{"beyond 64 bits", "a\n9223372036854775807\n9223372036854775808\n"},
	{"least integer", "a\n-9223372036854775808\n"},
	{"many digits", "a\n0.1234567890123456789\n1\n"},
	{"exponents", "a\n1e3\n2.5E-2\n"},
	{"percent and currency", "a,b\n5%,$1\n6%,$2\n"},
	{"true and false", "a\ntrue\nFalse\n"},
	{"yes and no", "a\nyes\nno\n"},
	{"zero and one", "a\n0\n1\n"},
	{"NA", "a,b\n1,x\nNA,y\n"},
	{"NULL", "a,b\n1,x\nNULL,y\n"},
	{"dashes for nulls", "a,b\n1,x\n-,y\n"},
	{"backslash N", "a,b\n1,x\n\\N,y\n"},
	{"backslash before a quote", "a,b\n\"x\\\"y\",1\n"},
	{"nulls and empty texts", "a,b\n,1\n\"\",2\n"},
	{"a column without values", "a,b\n,1\n,2\n"},
	{"Latin-1", "name,n\ncaf\xe9,1\n"},
	{"UTF-16", "\xff\xfea\x00,\x00b\x00\n\x001\x00,\x002\x00\n\x00"},
	{"UTF-8 beyond the plane", "a,b\n😀,1\n"},
	{"space that does not break", "a,b\n1\u00a0000,x\n"},
	{"repeated header", "a,b\n1,2\na,b\n3,4\n"},
	{"comment lines", "# made by a tool\na,b\n1,2\n3,4\n"},
	{"preamble", "Report of sales\n\na,b,c\n1,2,3\n4,5,6\n7,8,9\n"},
	{"footer", "a,b\n1,2\n3,4\nTotal: 2 rows\n"},
	{"one column", "a\n1\n2\n"},
	{"one column of texts with commas in quotes", "a\n\"x, y\"\n\"z, w\"\n"},
	{"space as delimiter", "a b\n1 2\n3 4\n"},
	{"zip archive", "PK\x03\x04rest"},
	{"JSON", "{\"a\": 1}\n{\"a\": 2}\n"},
	{"UTF-16, big end first", "\xfe\xff\x00a\x00;\x00b\x00\n\x00\xe9\x00;\x002\x00\n"},
	{"UTF-16 with a lone surrogate", "\xff\xfea\x00\n\x00\x00\xd8\n\x00"},
	{"UTF-16 without a mark", "a\x00,\x00b\x00\n\x00"},
	{"UTF-16 without a mark, big end first", "\x00a\x00,\x00b\x00\n\x00\xe9\x00,\x002\x00\n"},
	{"UTF-32", "\xff\xfe\x00\x00a\x00\x00\x00"},
	{"NA words of all kinds", "a,b,c\nNA,N/A,NULL\n1,1.5,2020-01-01\nn/a,null,\\N\n-,#N/A,\"NA\"\n"},
	{"NA words alone", "a,b\nNA,1\nNULL,2\n"},
	{"NA words among texts", "a,b\nNA,1\nNamibia,2\n"},
	{"NA words among truth values", "a\ntrue\nNA\n"},
	{"no header, NA words", "1,NA\nNA,2\n"},
	{"a sentinel for nothing", "a\n1\n-999\n"},
	{"comment lines in the midst", "# made by a tool\na,b\n1,2\n# half way\n3,4\n"},
	{"names in a comment", "# made by a tool, yesterday\n# time [s],value\n1,2.5\n2,3.5\n"},
	{"names of texts in a comment", "# name, city\nBob,Paris\nAnn,Rome\n"},
	{"names of the fields of a log", "#Software: x\n#Fields: date time method\n2024-01-01 10:00:00 GET\n2024-01-01 10:00:01 PUT\n"},
	{"a sentence above numbers", "# measured in May, by Ann\n1,2.5\n2,3.5\n"},
	{"a sentence above texts", "# made by a tool, yesterday\nname,city\nBob,Paris\nAnn,Rome\n"},
	{"comment lines with commas", "# made by a tool, yesterday\na,b\n1,2\n3,4\n"},
	{"a header that begins with #", "#id,name\n1,x\n2,#y\n"},
	{"two kinds of comments before a header of #", "##version 4\n##source x\n#CHROM\tPOS\nchr1\t5\nchr2\t7\n"},
	{"titles without a blank line", "Report\nJanuary 2020\na,b\n1,x\n2,y\n"},
	{"titles with commas and a blank line", "Report,January\nby,me\n\nid,name,n\n1,x,2\n2,y,3\n"},
	{"title over texts alone", "Names\nfirst,last\nAda,Lovelace\nAlan,Turing\n"},
	{"title over rows", "Names\nx,1\ny,2\n"},
	{"header and blank line", "a,b\n\n1,2\n3,4\n"},
	{"titles and a footer", "Sales\n\na,b\n1,2\n3,4\n5,6\nTotal\n"},
	{"runs of spaces", "name   n\nx      1\nlong   22\n"},
	{"runs of spaces before and behind", "  a   b\n  1   2 \n 10  20\n"},
	{"tabs and spaces", "a \t b\n1\t2\n3  4\n"},
	{"sentences", "text\nthe cat sat\non the mat\n"},
	{"words without a header", "Ada Lovelace\nAlan Turing\n"},
	{"double colons", "1::1193::5\n1::661::3\n2::2355::4\n"},
	{"carets", "a^b\n1^x\n2^y\n"},
	{"single quotes", "a,b\n'x, y',1\n'it''s',2\n"},
	{"apostrophes", "a,b\n'tis,1\nit's,2\n"},
	{"backslashes and delimiters", "a,b\n\"x\\\", y\",1\n\"z\",2\n"},
	{"backslashes in texts", "a,b\nC:\\dir,1\n\"C:\\dir\",2\n"},
	{"a quote within an unquoted cell at its end", "a,b\n5\",1\n6\",2\n"},
	{"mixed quotes", "a,b\n\"x\",1\n'y',2\n"},
	{"windows line ends and blank lines", "a,b\r\n\r\n1,2\r\n\r\n"},
	{"LF and CR the wrong way round", "a,b\n\r1,2\n\r"},
	{"a mark alone", "\ufeff"},
	{"two marks", "\ufeff\ufeffa,b\n1,2\n"},
	{"Windows-1252", "name,n\ncaf\xe9 \x80,1\n"},
	{"one byte that is no UTF-8 among others that are", "name,n\ncafé,1\nnaïve,2\ncaf\xe9,3\n"},
	{"bytes of an encoding of the far east", "name,n\n\x93\xfa\x96\x7b,1\n\x8d\x91,2\n"},
	{"colons", "user:id:home\nroot:0:/root\nbin:1:\"/bin:/sbin\"\n"},
	{"times without a header", "12:30:05\n13:45:00\n"},
	{"addresses without a header", "00:1a:2b:3c\n00:1b:10:2f\n"},
	{"commas and spaces", "a, b, c\n1, \"x, y\", 2\n3, \"z\", 4\n"},
	{"commas and some spaces", "a, b,c\n1, \"x, y\",2\n"},
	{"two bars", "a||b||c\n1||x||2\n3||y|z||4\n"},
	{"two tabs", "a\t\tb\n1\t\tx\n"},
	{"apostrophes and backslashes", "a,b,c\n1,'it\\'s, well',2\n3,'so, so',4\n5,'x',6\n"},
	{"titles of a spreadsheet", "Sales of 2018,,\n,,\nshop,month,total\nA,1,20\nB,2,30\nC,3,40\n"},
	{"titles of a spreadsheet without a gap", "Sales of 2018,,\nshop,month,total\nA,1,20\nB,2,30\nC,3,40\n"},
	{"a header of one name", "shop,,\nA,1,20\nB,2,30\nC,3,40\n"},
	{"titles with commas", "Sales, 2018\nby hand, please check\n\nshop,city,month,total\nA,X,1,20\nB,Y,2,30\nC,Z,3,40\n"},
	{"wide file", strings.Repeat("c,", 2000) + "c\n" + strings.Repeat("1,", 2000) + "1\n"},
	{"nothing but delimiters", ",,\n,,\n"},
	{"more delimiters than data", "a,b\n1,2,,,,\n3,4,,,,\n"},
	{"two tables", "a,b\n1,2\n\nc,d,e\n3,4,5\n"},
	{"two tables with titles", "# t1\na;b\n1;2\n3;4\n\n# t2\nc;d;e\n5;6;7\n"},
	{"two tables of as many columns", "# t1\na,b\n1,2\n# t2\nc,d\n3,4\n"},
	{"spaces behind a quoted cell", "a,b\n\"x, y\" ,1\n\"z\"\t,2\n"},
	{"markdown", "| a | b |\n|---|---|\n| 1 | 2 |\n"},
	{"HTML", "<html><body><p>x</p>\n</body></html>\n"},
	{"one name in R", "\"x\"\n\"1\" 2.5\n\"2\" 3.5\n"},
	{"counts of rows and columns", "3,4,red,blue\n5.1,3.5,1.4,0.2,0\n4.9,3.0,1.4,0.2,0\n6.1,3.0,4.6,1.4,1\n"},
	{"a period over names", "/* quarterly\n   data */\n<1980 Q1>\ninvest cons\n180 451\n179 465\n"},
	{"bars around rows", "|1|a|2.5|\n|2|b|3.5|\n"},
	{"names and rows with other delimiters", "id name value\n1\tann\t2.5\n2\tbob\t3.5\n"},
	{"a table of an office, with notes under a line", "Tabelle: 12411-0001;;\nBevölkerung: Deutschland, Stichtag;;\nFortschreibung des Bevölkerungsstandes;;\nDeutschland;;\nStichtag;Bevölkerungsstand;Anteil\n;Anzahl;Prozent\n31.12.2020;83155031;100,0\n31.12.2021;83237124;100,1\n31.12.2022;84358845;101,4\n__________;;\nStatistisches Bundesamt (Destatis), 2023;;\n"},
	{"a table of a bank, with delimiters behind all lines", "\ufeff\"Data Source\",\"World Development Indicators\",\n\n\"Last Updated Date\",\"2024-06-28\",\n\n\"Country Name\",\"Country Code\",\"Indicator Name\",\"2019\",\"2020\",\"2021\",\n\"Aruba\",\"ABW\",\"GDP\",\"3368970253\",\"2610038939\",\"3126019399\",\n\"Angola\",\"AGO\",\"GDP\",\"69309104807\",\"\",\"66505129989\",\n\"Albania\",\"ALB\",\"GDP\",\"15401830754\",\"15131866271\",\"18032010565\",\n"},
	{"settings of an oscilloscope", "Model,MSO5000\nRecord Length,4,Points\nSample Interval,1e-09,s\nTIME,CH1,CH2\n-2.0e-09,0.04,1.2\n-1.0e-09,0.08,1.1\n0.0e+00,0.12,1.0\n1.0e-09,0.16,0.9\n"},
	{"units and kinds of a logger", "\"TOA5\",\"Station1\",\"CR1000\",\"12345\",\"CR1000.Std.32\",\"CPU:prog.CR1\",\"1234\",\"TenMin\"\n\"TIMESTAMP\",\"RECORD\",\"AirTC_Avg\",\"RH\",\"Rain_mm_Tot\"\n\"TS\",\"RN\",\"Deg C\",\"%\",\"mm\"\n\"\",\"\",\"Avg\",\"Smp\",\"Tot\"\n\"2024-01-01 00:10:00\",0,3.21,87.2,0\n\"2024-01-01 00:20:00\",1,3.18,\"NAN\",0.2\n\"2024-01-01 00:30:00\",2,3.11,88.1,0\n"},
	{"names and units of a buoy", "#YY  MM DD hh mm WDIR WSPD GST\n#yr  mo dy hr mn degT m/s  m/s\n2024 01 05 10 50 280  5.0  6.0\n2024 01 05 11 00 290  5.5  MM\n2024 01 05 11 10 300  6.0  7.5\n"},
	{"decimal commas that other columns show", "Peak;RT;Area;Height\n;min;mAU*s;mAU\n1;2,345;1523,7;210,3\n2;3,780;98,1;12,0\n3;12,001;15230,4;1999,9\n"},
	{"thousands that other columns show", "Ministry of Finance\nBudget execution 2023 (in thousand EUR)\n\nChapter,Title,Planned,Executed,%\n01,Administration,\"1,250\",\"1,198.50\",95.9%\n02,Education,\"12,400\",\"12,377.25\",99.8%\n03,Health,\"9,900\",\"9,950.00\",100.5%\nTotal,,\"23,550\",\"23,525.75\",99.9%\n\nSource: Treasury. Figures are provisional.\n"},
	{"signs of an office for nothing", "Region,2021,2022,2023\n,no.,no.,no.\nNew South Wales,8093815,8166704,8339347\nVictoria,6547822,6625964,6812514\nnp,..,..,..\nNotes\nnp not available for publication\n"},
	{"bars behind all rows", "1|155190|7706|1|17|21168.23|0.04|N|O|1996-03-13|\n1|67310|7311|2|36|45983.16|0.09|N|O|1996-04-12|\n2|106170|1191|1|38|44694.46|0.00|N|O|1997-01-28|\n"},
	{"names above an empty comment", "# file made 2024\n# time  volts\n#\n0 1.5\n1 1.25\n2 1\n"},
	{"gzip without a body", "\x1f\x8b"},
	{"table of psql", " id | name  | val \n----+-------+-----\n  1 | Ann   | 1.5\n  2 | Bob   |    \n  3 | Cy    | 2.5\n(3 rows)\n"},
	{"table of MySQL", "+----+------+\n| id | name |\n+----+------+\n|  1 | Ann  |\n|  2 | Bob  |\n+----+------+\n"},
	{"table of Markdown", "| id | name | val |\n|----|:-----|----:|\n| 1 | Ann | 1.5 |\n| 2 | Bob | 2.5 |\n"},
	{"texts filled up to a width", "series\tyear\tnote\nAPU01   \t1980\t        \nAPU0002 \t1981\tlate    \nX       \t1982\tx       \n"},
	{"a space behind each comma", "id, name, val\n1, Ann, x\n2, Bob, y\n"},
	{"a space behind each comma, and quotes", "id, name, val\n1, Ann B, 1.5\n2, \"Bob, C\", 2.5\n3, Cy, 3.5\n"},
	{"spaces behind quotes", "\"id\" ,\"name\"\n1,\"x, y\" \n2, \"z\" \n"},
	{"texts of Excel", "id,zip\n1,=\"00123\"\n2,\"=\"\"04567\"\"\"\n3,\n"},
	{"dates and times with spaces", "d,t,b,z\n 2020-01-31,31.12.2020 10:30 , yes, 9:05\n2020-02-01 , 1.2.2020 8:00,no , 10:30 \n  ,,,\n"},
	{"spaces around some texts", "id,name\n1, Ann\n2,Bob\n"},
	{"null words with spaces around", "a,b,c\n1, NA,  \n2, 5,2020-01-05\n3,6,2020-01-06\n"},
	{"flags of Eurostat", "geo\\time\t2020 \t2021 \nAT\t12.3 p\t: \nBE\t10.1 \t9.9 \nDE\t: \t6.1 \n"},
	{"spaces around one text", "id,name\n1, Ann\n"},
	{"comments behind all records of texts", "# codes\n0028 ; open  # left\n0029 ; close # right\n005B ; open  # left square\n005D ; close # right square\n"},
	{"a first row like those below it", "DE\tB-12\topen\nFR\tB-7\tclosed\nIT\tC-44\topen\nES\tA-3\tclosed\n"},
	{"a first row that comes again", "red,yes,small\nblue,no,large\nred,no,small\nred,yes,large\n"},
	{"a name that is a word of a list too", "english,german\nhouse,Haus\ncat,Katze\ndog,Hund\nenglish,englisch\ntree,Baum\nsun,Sonne\nmoon,Mond\nwater,Wasser\nfire,Feuer\nbread,Brot\nmilk,Milch\n"},
	{"a header of codes above words", "A1,B2,C3\nx,y,z\nu,v,w\nr,s,t\n"},
	{"boxes that are ticked by their names", "name,Red,Blue\nann,Red,\nbob,,Blue\ncid,Red,Blue\n"},
	{"lists as cells", "month,nominal,real\n2001-01,5.1;6.2;7,9.5;9.7;10\n2001-02,5.2;6.3;7,9.5;9.7;10\n2001-03,5;6.2;7.1,9.6;9.8;11\n2001-04,5;6;7.1,9.6;9.9;11\n"},
	{"titles above names and units that blanks separate", "Test drive\nlow speed\nTime    Pitch    Roll\ns       deg      deg\n0.1     1.5      0.25\n0.2     1.6      0.26\n0.3     1.7      0.25\n0.4     1.7      0.24\n"},
	{"how many rows and columns above the header", "4,3,,,\nage,height,weight,dose,result\n31,1.8,70,2,0.5\n28,1.7,66,2,0.6\n45,1.6,61,3,0.4\n40,1.9,77,3,0.7\n"},
	{"no name over numbers", "Counting persons\n\nregion,zone,\nNorth,0012,15\n,0013,40\n,0014,7\nSouth,0020,9\n"},
	{"a comment and a delimiter that is one's sign", "\n;note: see below\n;more\n2021/07/14 test\n\tAssets  $30\n\tIncome  -$30"},
	{"sections of codes", "# A\n0041;L\n0042;L\n0043;L\n\n# B\n0085;S\n2028;S\n2029;S\n\n# C\n00A0;S\n1680;S\n"},
	{"times of day on the 12-hour clock", "t,v\n2:32 PM,1\n11:05 am,2\n12:00 AM,3\n"},
	{"signs before all numbers", "a,b,c\n+1.50,+1.2E-03,+49\n-0.25,-4.5E+01,+1\n+0.00,+0.0E+00,+33\n"},
	{"years below names of groups over a blank line", "Region,Sales,,Costs,\n,2019,2020,2019,2020\n\nNorth,1,2,3,4\nSouth,5,6,7,8\nEast,2,2,3,4\n"},
	{"codes sorted before numbers", "code,area,n,share\n" + "\"01\",North,10,1.5\n\"02\",South,20,2.5\n\"03\",East,30,1.5\n\"04\",West,40,2.5\n\"09\",Mid,50,1.5\n" + strings.Repeat("\"10\",Far,60,2.5\n\"11\",Near,70,1.5\n", 10)},
	{"two colons beside bars and commas", "1::Toy, The (1995)::Comedy|Drama\n2::Heat (1995)::Action|Crime\n3::Sabrina (1995)::Comedy|Romance\n4::Net, The (1995)::Crime|Drama\n"},
	{"names in a comment, and an empty last column", "# Time of day,Kind of ship,Speed,ETA\n10:12,A,1.5,\n10:13,B,2.5,\n10:14,A,3.5,\n"},
	{"box of DuckDB with counts", "┌───────┬─────────┬────────────┐\n│  id   │  name   │    day     │\n│ int32 │ varchar │    date    │\n├───────┼─────────┼────────────┤\n│     1 │ Ann     │ 2024-01-02 │\n│     2 │ Bob     │ 2024-01-03 │\n│     3 │ Cid     │ 2024-01-04 │\n├───────┴─────────┴────────────┤\n│ 3 rows             3 columns │\n└──────────────────────────────┘\n"},
	{"box of DuckDB without some rows", "┌───────┬─────────┐\n│  id   │  name   │\n│ int32 │ varchar │\n├───────┼─────────┤\n│     1 │ Ann     │\n│     2 │ Bob     │\n│     · │  ·      │\n│     · │  ·      │\n│     · │  ·      │\n│    99 │ Cid     │\n├───────┴─────────┤\n│ 99 rows         │\n│ (3 shown)       │\n└─────────────────┘\n"},
	{"units above a line drawn below tabs", "HIP\tRA\tVmag\n \t\"h:m:s\"\tmag\n------\t-----------\t-----\n     1\t00 00 00.22\t 9.10\n     2\t00 00 00.91\t 9.27\n     3\t00 00 01.20\t 6.61\n"},
	{"records of groups among rows", "AL01,ANN,3,\n18510625,0000,HU,28.0N,51\n18510625,0600,HU,28.1N,52\n18510625,1200,HU,28.2N,53\nAL02,BOB,2,\n18510705,0000,HU,22.2N,54\n18510705,0600,HU,22.3N,55\nAL03,CID,2,\n18510710,0000,TS,12.0N,56\n18510710,0600,TS,12.1N,57\nAL04,DEB,1,\n18510816,0000,TS,13.4N,58\n"},
	{"numbers like years behind an empty column", ",a,b,c\n,1902,2156,2127\n,2122,2048,2164\n,2084,1998,1997\n,2112,2107,2151\n,1900,2187,2192\n,1916,2104,2158\n,2187,1982,1938\n,2135,2077,1899\n,2155,1950,2077\n,2038,2080,2047\n,1899,2101,1941\n,1943,2046,1991\n,1898,2121,1920\n,2100,2138,2127\n,1996,2191,1927\n,1892,2035,1902\n,2080,2046,1929\n,2002,2141,1988\n,1949,2182,2081\n,2090,2127,1961\n"},
	{"years as names of a table that is wider in some records", "name,2019,2020\nAnn,1,2,x\nBob,3,4,y\nCid,5,6\nDan,7,8\nEve,1,2\nFay,4,4,z\nGus,5,6,w\nHal,4,4,z\nIda,5,6,w\n"},
	{"days below what they are", "Land;Stichtag;;\n;31.12.2019;31.12.2020;31.12.2021\nBayern;13124737;13140183;13176989\nBerlin;3669491;3664088;3677472\nBremen;681202;680130;676463\nHessen;6288080;6293154;6295017\n"},
	{"words for missing measurements", "st,wdir,gst,tide\nA,120,MM,no data\nB,MM,7.5,1.2\nC,90,----,Not available\n"},
	{"names of several words in a comment above rows", "# made by hand\n# no | first name | 1 | 2\n 1 | Ann | 0.5 | 1.5\n 2 | Bob | 0.6 | 1.6\n 3 | Cid | 0.7 | 1.7\n"},
	{"ARFF", "% weather\n%\n@relation weather\n\n@attribute outlook {sunny, 'very rainy'}\n@ATTRIBUTE 'wind speed' numeric\n@attribute\tplay {yes,no}\n\n@data\nsunny,5.5,no\n'very rainy',?,yes\nsunny,7,yes\n"},
	{"ARFF of texts", "@RELATION t\n@ATTRIBUTE size STRING\n@ATTRIBUTE color {red,blue}\n@DATA\nsmall,red\nlarge,blue\n"},
	{"LAS", "~Version\n VERS. 2.0 : CWLS log ASCII\n WRAP. NO : one line a step\n~Well\n STRT.M 1670.0 : start\n NULL. -999.25 : null\n~Curve\n#MNEM.UNIT : what\n DEPT.M : depth\n DT.US/M 60 520 : sonic\n RHOB.K/M3 : density\n~A  DEPTH  DT  RHOB\n1670.000   123.450 2550.000\n1669.875   123.450 -999.25\n1669.750   124.450 2551.000\n"},
	{"settings, a header and a blank line above the rows", "Name: ,Mine_01,,,,\nBalance: ,63.86,,,,\nAvailable: ,63.86,,,,\nDate,Text,Debit,Credit,Balance\n\n04 Nov 2009,\"Direct\",18.75,,902.74\n06 Nov 2009,\"Direct\",819.48,,83.26\n09 Nov 2009,\"Cheque\",17.04,,66.22\n"},
	{"numbers with hair spaces around", "a;b\nx; 12.5\ny;(3.25) \nz;7\n"},
	{"pairs of codes that blanks separate", "AT1G17 AT4G25\nAT2G11 AT5G30\nAT3G18 AT6G24\nAT4G12 AT7G29\nAT5G19 AT8G23\nAT6G13 AT9G28\nAT7G20 AT10G22\nAT8G14 AT11G27\nAT9G21 AT12G21\nAT10G15 AT13G26\nAT11G22 AT14G20\nAT12G16 AT15G25\n"},
	{"names of seasons over results", "team,2019/20,2020/21\nA,12/15,13/15\nB,9/15,10/15\nC,7/15,8/15\n"},
	{"a simple table of reStructuredText", "====  ===  ==========\nName  Age  City\n====  ===  ==========\nAnn   31   Bonn\nBob    7   New Ulm\nCid   22   Bad Ems am\n====  ===  ==========\n"},
	{"months with the day behind", "m,v\n11/1/2020,5\n12/1/2020,6\n1/1/2021,7\n2/1/2021,8\n"},
	{"months with the day before", "m;v\n01/11/2020;5\n01/12/2020;6\n01/01/2021;7\n01/02/2021;8\n"},
	{"two months", "m,v\n1/1/2020,5\n2/1/2020,6\n1/1/2021,7\n2/1/2021,8\n"},
	{"months or days of January", "m,v\n1/1/2020,5\n1/2/2020,6\n1/3/2020,7\n1/4/2020,8\n"},
	{"names in a comment and a delimiter at the end of all lines", "# name,in bytes,out bytes,\nfront,5,6,\nback,7,8,\nside,9,1,\n"},
	{"a table of IPAC", "\\made = 'by hand'\n|    ra    |   dec    |   name    |  sao   |\n|  double  |  double  |   char    |  int   |\n  165.46619  -34.70473  Star one     202079\n   34.46619   44.70473  Star           null\n   12.1       -3.2      B twelve         11\n"},
	{"comments behind all rows of a small table", "# made by hand\nday,code,place\n2021-06-08,A-0211,\"Am Markt 3, links\" # checked\n2020-03-14,A-5066,Ring 7 # checked\n2015-06-10,A-5553,Ring 9 # checked\n"},
	{"settings as the last cells of rows", "##made by hand\n##no sign\n#place\tat\tid\tmore\nc1\t100\tg1\tkind=x;len=1;name=n1;score=3;side=left;done=yes\nc2\t200\tg2\tkind=x;len=2;name=n2;score=6;side=left;done=yes\nc0\t300\tg3\tkind=x;len=3;name=n3;score=9;side=left;done=yes\nc1\t400\tg4\tkind=x;len=4;name=n4;score=12;side=left;done=yes\nc2\t500\tg5\tkind=x;len=5;name=n5;score=15;side=left;done=yes\n"},
	{"texts in quotes behind tabs, of which some end the line", "c1\tsrc\texon\t10\t20\t.\tid \"A.1\"; name \"ant one\"; rank \"1\";\t\nc1\tsrc\texon\t30\t44\t.\tid \"A.1\"; name \"ant two\"; rank \"2\";\t\nc1\tsrc\tstop\t42\t44\t.\tid \"A.1\"; name \"ant two\"; rank \"2\";\nc2\tsrc\texon\t70\t95\t.\tid \"B.2\"; name \"bee\"; rank \"1\";\t\n"},
	{"blanks for tabs in one row", "H1\tm8\tc6\nH2\tm7\tc5\nH3\tm7\tc13\nH4\tm9\tc2\nH5    m4    c4\n"},
	{"tabs and blanks", "1\t4\t3\t2\n2\t3  3 4\n3 2  3 2\n4 1 3 4\n"},
	{"names that blanks separate, and a tab before the last cells", "      x      y  on\n 0.0224 0.0243\t1\n 0.0243 0.1028\t1\n 0.1626 0.1477\t0\n 0.1219 0.0593\t0\n"},
	{"sections under comments", "# stars by hand\nAlph,al1,04,35,55.2,16.1\nBeta,be1,03,08,10.1,40.2\n#Gama,ga1,10,08,22.3,11.0\nDelt,de1,10,08,22.3,11.0\n# the south\nEpsi,ep1,07,45,40.0,29.5\nZeta,ze1,16,29,24.4,26.4\n# the rest\nEta,et1,9,8,2.5,12.5\nThet,th1,2,5,4.5,1.5\n"},
	{"counts and names of classes above a table as wide", "6,4,ant,bee,cow\n5.1,3.5,1.4,0.2,0\n4.9,3,1.4,0.2,0\n6.4,3.2,4.5,1.5,1\n6.9,3.1,4.9,1.5,1\n6.3,3.3,6,2.5,2\n5.8,2.7,5.1,1.9,2\n"},
	{"numbers as names in quotes, and rows with names", "\"8336\" \"8337\" \"8315\"\n\"1\" 0 4 0\n\"2\" 1 0 0\n\"3\" 0 2 7\n\"4\" 0 0 1\n"},
	{"numbers as names in quotes", "\"kind\",\"1\",\"2\",\"3\"\n\"ant\",2,2,3\n\"bee\",2,0,4\n\"cow\",1,2,4\n"},
	{"lists of numbers in the first row", "c7\t1274\t1275\tPos1\t3\t300,200,100\t0,500,1067\nc7\t1276\t1277\tPos2\t2\t250,500\t0,667\nc8\t1278\t1279\tNeg1\t1\t1167\t0\nc9\t1280\t1281\tNeg2\t1\t1168\t0\n"},
	{"settings with signs between", "infile = a.fits\noutfile = b.fits\nkind = 1\nmost = 64\n"},
	{"names with commas and blanks between in a comment", "# prices of shares\n# time,  open,  high,   low\n1435708800 126.90 126.94 125.99\n1435795200 126.69 126.69 126.69\n1436140800 124.85 126.23 124.85\n"},
	{"names of SPEC", "#F cu.dat\n#D Mon Jun 04\n\n#S 1 cu 1.1\n#N 2\n#L Energy (eV)  Mu\n8002.894  0.5249888\n8007.32  0.5236315\n8011.75  0.5225714\n8016.183  0.5218208\n"},
	{"units in a comment", "# units Angstroms\n10530.8  120\n10709.7   50\n10841.3 1000\n10898.3  120\n"},
	{"a header above comments above rows", "code,name,axis,flat\n#\n# Note : with leave, as these are by hand.\n#        see the page\n#\n0,Ant 1830,6377563.396,299.3249646\n1,Bee,6377340.189,299.3249646\n2,Cow,6378160.0,298.25\n3,Dog,6377397.155,299.15281\n"},
	{"a drawn table that is set in", " |--------------------------|\n | kind   | ohm   | at 20 C |\n |--------------------------|\n | silver | 1.59  | 6.30    |\n | copper | 1.68  | 5.96    |\n | gold   | 2.44  | 4.10    |\n |--------------------------|\n"},
	{"widths, and comments that are longer", "# made by hand, and free to be used by all who read what stands in these lines\n#\nT_00045    227    714 P0001.19  ant      Domain   439   1.7e-82\nT_00046     63    550 P0001.19  bee      Family   439   8.4e-83\nT_00100     28    148 P0017.26  cow      Domain   122   3.1e-16\nT_01100    166    225 P0048.17  dog      Domain    64   4.4e-11\n"},
	{"settings above a header, and no short rows", "@x1 0.5\n@c 0.2\n@z 0.5\n@x0 1.2e-05\n@t0 55100.0\ntime band flux err\n55070.0 g 0.81 0.71\n55071.5 r 0.93 0.71\n55073.0 i 0.05 0.71\n55074.5 z 1.31 0.71\n"},
	{"a few signs of Japanese", "column1,column2\r\n1,\"\x93\xfa\x96{\x8c\xea\"\r\n2,\"str\"\r\n"},
	{"a quote among the units above angles", "        Moon\n\n   Positions of a body\n\n   Date      Right         Down\n         h  m   s      °  '   \"\n Jul25   1 15 30.2    13  5  3.1\n Jul26   2  8 40.0    18 27 39.6\n Jul27   3  6  0.1    22 55 48.4\n Jul28   4  7 39.2    26  4 43.6\n"},
	{"addresses", "https://example.org/a\nhttps://example.org/bcd\nhttps://example.org/e\nhttps://example.org/\n"},
	{"settings as cells", "cpu,host=ant,kind=a usage=99\ncpu,host=bee,kind=b usage=98\nmem,host=cow,kind=a usage=1\nmem,host=dog,kind=c usage=7\n"},
	{"dates of a bank, with the year of two digits behind", "\"d\";\"e\";\"t\"\n\"28.06.24\";\"28/06/24\";\"28.06.24 10:00\"\n\"27.06.24\";\"27/06/24\";\"27.06.24 11:30\"\n"},
	{"dates with the year of two digits in front or behind", "d;e\n24.06.27;24/06/27\n24.06.28;24/06/28\n"},
	{"a table of RDB", "# ---------------------------------- WARNING ----------------------------------------\n# Some of the data that you have obtained may not be approved.\n#\n# Data for the following 1 site(s) are contained in this file\n#    USGS 01646500 POTOMAC RIVER, NEAR WASH\n#\nagency_cd\tsite_no\tdatetime\ttz_cd\t69928_00060\t69928_00060_cd\n5s\t15s\t20d\t6s\t14n\t10s\nUSGS\t01646500\t2024-01-01 00:00\tEST\t7550\tP\nUSGS\t01646500\t2024-01-01 00:15\tEST\t7570\tP\nUSGS\t01646500\t2024-01-01 00:30\tEST\tIce\tP:e\n"},
	{"what a series is, above years and quarters", "\"Title\",\"GDP: chained volume measures, SA\"\n\"CDID\",\"ABMI\"\n\"Source dataset ID\",\"UKEA\"\n\"PreUnit\",\"£\"\n\"Unit\",\"m\"\n\"Release date\",\"28-06-2024\"\n\"Next release\",\"15 August 2024\"\n\"Important notes\",\n\"1948\",\"398000\"\n\"1949\",\"412000\"\n\"1950\",\"425000\"\n\"1948 Q1\",\"98000\"\n\"1948 Q2\",\"99500\"\n\"1948 JAN\",\"33000\"\n"},
	{"what series are, some by numbers, above months", "\ufeff,Persons ;,Males ;\nUnit,000,000\nSeries Type,Original,Trend\nData Type,STOCK,STOCK\nFrequency,Month,Month\nCollection Month,1,1\nSeries Start,Feb-1978,Feb-1978\nSeries End,Jun-2024,Jun-2024\nNo. Obs,557,557\nSeries ID,A84423127L,A84423128R\nFeb-1978,14201.3,601.5\nMar-1978,14215.9,598.2\nApr-1978,14230.1,600.0\n"},
	{"a title with its number above names", "T02,\"Population, density and surface area\",,,,,\nRegion/Country/Area,,Year,Series,Value,Footnotes,Source\n1,\"Total, all countries or areas\",2010,Population (millions),\"6,985.60\",,\"UN, 2022\"\n1,\"Total, all countries or areas\",2015,Population (millions),\"7,426.60\",Projected.,\"UN, 2022\"\n2,Africa,2010,Population (millions),\"1,055.23\",,\"UN, 2022\"\n"},
	{"names in two lines, and what the rows are called by", "Price,Close,Close,Volume,Volume\nTicker,AAPL,MSFT,AAPL,MSFT\nDate,,,,\n2024-01-02,185.64,370.87,82488700,25258600\n2024-01-03,184.25,370.60,58414500,23083500\n2024-01-04,181.91,367.94,71983600,20901500\n"},
	{"names, and what the rows are called by below others", "Price,Close,High,Low,Volume\nTicker,AAPL,AAPL,AAPL,AAPL\nDate,,,,\n2024-01-02,185.64,188.44,183.88,82488700\n2024-01-03,184.25,185.88,183.43,58414500\n2024-01-04,181.91,183.08,180.88,71983600\n"},
	{"what the rows are called by, of groups", ",,sales,sales\n,,sum,mean\nregion,year,,\nN,2020,10,5.0\nN,2021,12,6.0\nS,2020,7,3.5\n"},
	{"what columns are below their names, beside codes", "GEO_ID,NAME,B01001_001E,B01001_001M\nGeography,Geographic Area Name,Estimate!!Total:,Margin of Error!!Total:\n0400000US01,Alabama,5028092,*****\n0400000US02,Alaska,734821,*****\n0400000US04,Arizona,7172282,*****\n"},
	{"notes with commas in them", "Item,Qty,Price\nA,1,2.5\nB,2,3.5\nC,2,3.5\n\nNote: this, that, and more\n(1) estimated, too\n"},
	{"names that blanks separate in a comment above tabs", "#Version: 1.0\n#Fields: date time x-edge-location sc-bytes c-ip cs-method sc-status\n2024-01-01\t00:00:01\tFRA2\t1045\t10.0.0.1\tGET\t200\n2024-01-01\t00:00:02\tFRA2\t99\t10.0.0.9\tGET\t304\n"},
	{"delimiters that begin all lines, and lines of them", ",,,\n,,,\n,,Name,Qty\n,,A,1\n,,B,2\n,,C,3\n"},
	{"backquotes", "id,`name`\n1,`a, b`\n2,`c`\n3,`d, e, f`\n"},
	{"a header of #, below comments, without rows", "##fileformat=VCFv4.2\n##source=x\n#CHROM\tPOS\tID\tREF\tALT\n"},
	{"sections with delimiters", "[Header],,,\nIEMFileVersion,4,,\nDate,1/2/2024,,\n\n[Reads],,,\n151,,,\n\n[Data],,,\nSample_ID,Sample_Name,index,Project\nS1,one,ATCACG,P\nS2,two,CGATGT,P\nS3,three,TTAGGC,Q\n"},
	{"sections without delimiters", "[Info]\nName=x\nDate=2024\n\n[Data]\nt,uv,cond\n0.1,5,2.5\n0.2,6,2.6\n0.3,7,2.7\n\n[Events]\nt,what\n0.1,start\n"},
	{"comments above a header without rows", "# made by hand\na,b\n"},
	{"texts with a blank line behind each, and a word of notes", "a,b\n\nnote,one\n\nsource,two\n\nkey,three\n"},
	{"a quote that is never closed, behind others", "id,x,n\n1,\"a, b\",5\n2,\"c,6\n3,d,7\n4,e,8\n"},
	{"carets and decimal commas", "day^a^b\n2016-10-19^374,81^\"x ^ y\"\n2020-09-12^70,90^so\n2013-12-24^319,89^\n"},
	{"tildes and lists", "name~tags\nann~red;blue\nbob~red\ncid~green;blue;red\n"},
	{"carets between single quotes", "id^place\n'1'^'south'\n'2'^'south, far'\n'3'^'north'\n"},
	{"blanks between quotes, and names without", "id time size\n\"1\" \"15:43\" \"57,89\"\n\"2\" \"20:00\" \"360,83\"\n\"3\" \"03:18\" \"0,5\"\n"},
	{"tildes and backslashes before quotes", "id~said\n1~\"so \\\"he\\\" ~ well\"\n2~\"no\"\n"},
	{"single quotes around all, and double ones in them", "'id';'said'\n'1';'\"x\"'\n'2';'a; b'\n"},
	{"a balance above the rows, below an empty line", "\n\nRegister\n\n,Date,Account,No,Text,Amount\n,,,,,\n,BALANCE 12/31/2023,,,,\"1,000.00\"\n,1/1/2024,Checking,101,Rent,-850.00\n,1/2/2024,Checking,102,Food,-20.55\n,1/13/2024,Checking,103,Fuel,-30.00\n"},
	{"more names than fields, behind delimiters", ",,A,0\n,,0\n,0,"},
	{"questions and what they are imported by, of texts", "ResponseId,Q1,Q2,Q3\nResponse ID,\"What is your gender?\",\"Describe, in words\",\"Pick all that apply - Selected Choice\"\n\"{\"\"ImportId\"\":\"\"_recordId\"\"}\",\"{\"\"ImportId\"\":\"\"QID1\"\"}\",\"{\"\"ImportId\"\":\"\"QID2_TEXT\"\"}\",\"{\"\"ImportId\"\":\"\"QID3\"\"}\"\nR_1abc,Female,\"It was good, really\",\"A,B,C\"\nR_2def,Male,\"Bad\",\"A\"\nR_3ghi,Female,,\"B,C\"\n"},
	{"counts above shares", "Q1. Satisfaction,,,,\n,Total,Male,Female,18-34\nBase,1000,480,520,300\nSatisfied,60%,58%,62%,55%\nNot,40%,42%,38%,45%\n"},
	{"times of day behind a comma", "d,e\n\"1/31/2024, 10:00:00 AM\",\"31.1.2024, 10:00:00\"\n\"2/1/2024, 3:05:00 PM\",\"1.2.2024, 15:05:00\"\n"},
	{"three lines of a header above some numbers", "Sale,Sale,Amount,Product,Amount,Product,Product,Product,Other\nDAY,TIME,Qty,ID,Price,Kind,Text,URL,Note\nd,t,n,id,eur,type,text,url,c\n2020-01-05,10:00,3,X1,1.5,toy,big,a/b,\n2020-01-06,11:00,4,X2,2.5,food,old,a/c,so\n2020-01-07,12:00,5,X3,3.5,toy,red,a/d,\n"},
	{"separators of units in ASCII", "id\x1fname\x1fn\n1\x1fAnn; b\x1f5\n2\x1fBob\x1f7\n"},
	{"addresses below names", "site,page\nhttps://example.org,/index\nhttps://example.com,/about\nhttps://example.net,/\nhttps://example.edu,/x\n"},
	{"a count above names and a line", "(3 rows)\nid   name\n---- ----\n   1 Ann\n   2 Bob\n"},
	{"lines of a log with line ends in quotes", "127.0.0.1 - ann [10/Oct/2000:13:55:36 -0700] \"GET /a HTTP/1.0\" 200 2326 \"http://example.com/sta\nrt.html\" \"Mozilla/4.08 [en] (Win98; I ;Nav)\"\n10.1.2.4 - bob [10/Oct/2000:13:55:38 -0700] \"POST /x?y=\\\"1\\\" HTTP/1.1\" 500 12 \"-\" \"Mozilla/5.0 (X11; \nLinux x86_64) Gecko, like\"\n10.1.2.3 - - [10/Oct/2000:13:55:37 -0700] ,\"GET / HTTP/1.1\" 304 - \"-\" \"curl/7.68.0\"\n10.1.2.4 - bob [10/Oct/2000:13:55:38 -0700] \"POST /x?y=\\\"1\\\" HTTP/-1.1\" 500 12 \"-\" \"Mozilla/5.0 (X11; \nLinux x86_64) Gecko, like\"\n"},
	{"years above what the rows are called by, below settings", "Last updated:,25/06/2024 23:00\n\nTime frequency,Annual\nSex,Total\n\nTIME,2020,,2021,\nGEO (Labels),,,,\nBelgium,11522440,,11554767,\nGermany,83166711,e,83155031,\nFrance,67485531,p,67656682,p\nItaly,59641488,,59236213,\n"},
	{"results above names, units and rows", "\"Results Table 1\"\n,\"Maximum Load (N)\",\"Modulus (MPa)\"\n\"1\",\"123.4\",\"2345\"\n\n\"Time\",\"Extension\",\"Load\"\n\"(s)\",\"(mm)\",\"(N)\"\n\"0.0\",\"0.0\",\"0.01\"\n\"0.1\",\"0.008\",\"1.2\"\n\"0.2\",\"0.016\",\"2.4\"\n\"0.3\",\"0.024\",\"3.6\"\n"},
	{"notes with commas and numbers", "\"SEX\",\"Persons\",\n\"Male\",12545154,\n\"Female\",12877634,\n\n\"Dataset: 2021 Census\"\n\"INFO\",\"Cells in this table have been randomly adjusted.\"\n\nCopyright Commonwealth of Australia, 2021\n"},
	{"quotes in texts behind tabs, as if they went over lines", "label\ttext\nham\tGo until jurong point\nham\t\"Hello, she said\nham\tOk lar, oni\"\nspam\tFree entry\n"},
	{"devices as a tree", "NAME        MAJ:MIN RM   SIZE RO TYPE MOUNTPOINTS\nnvme0n1     259:0    0 476.9G  0 disk \n├─nvme0n1p1 259:1    0   512M  0 part /boot/efi\n└─nvme0n1p2 259:2    0 476.4G  0 part /\nsr0          11:0    1  1024M  0 rom  \n"},
	{"services of which names stand close together", "UNIT                      LOAD   ACTIVE SUB     DESCRIPTION\ncron.service              loaded active running Regular background program\ndbus.service              loaded active running D-Bus System Message Bus\nnginx.service             loaded failed failed  A high performance web server\n"},
	{"commas between thousands in columns of blanks", "Dept Name          Salary      Start\n  10 Ann Miller  1,234.50 2020-01-01\n  10 Bob             9.00 2021-01-01\n  20 Cyd Q.     11,000.00 2019-05-05\n"},
	{"times of logs, of mails and of tweets", "id;log;mail;tweet\n1;28/Jun/2024:10:12:13 +0200;Fri, 28 Jun 2024 10:12:13 GMT;Fri Jun 28 10:12:13 +0000 2024\n2;01/Dec/2024:23:59:59 +0100;Sun, 1 Dec 2024 22:59:59 -0700;Sun Dec 01 22:59:59 +0000 2024\n"},
	{"a molecule of few atoms", "3\nwater\nO   0.000000  0.000000  0.117790\nH   0.000000  0.755453 -0.471161\nH   0.000000 -0.755453 -0.471161\n"},
	{"pages of SQL*Plus", "SQL> select empno, ename, job, sal from emp;\n\n     EMPNO ENAME      JOB              SAL\n---------- ---------- --------- ----------\n      7369 SMITH      CLERK            800\n      7499 ALLEN      SALESMAN        1600\n\n     EMPNO ENAME      JOB              SAL\n---------- ---------- --------- ----------\n      7521 WARD       SALESMAN        1250\n      7566 JONES      MANAGER         2975\n\n4 rows selected.\n\nSQL> spool off\n"},
	{"packages above a line", "Package            Version\n------------------ ---------\nnumpy              1.26.4\npandas             2.2.2\nscikit-learn       1.5.0\n"},
	{"calls and a total below a line", "% time     seconds  usecs/call     calls    errors syscall\n------ ----------- ----------- --------- --------- ----------------\n 45.12    0.001234          12       100           read\n 30.01    0.000800           8       100         5 openat\n 24.87    0.000700           7       100           close\n------ ----------- ----------- --------- --------- ----------------\n100.00    0.002734                   300         5 total\n"},
	{"records of DB2", "\nID          NAME       SALARY   \n----------- ---------- ---------\n         10 Sanders     98357.50\n         20 Pernal      78171.25\n\n  2 record(s) selected.\n\n"},
	{"columns that begin below their names", "CONTAINER ID   IMAGE          COMMAND                  CREATED        STATUS                    PORTS                    NAMES\n1a2b3c4d5e6f   postgres:15    \"docker-entrypoint.s…\"   2 hours ago    Up 2 hours                0.0.0.0:5432->5432/tcp   db\n2b3c4d5e6f7a   redis          \"docker-entrypoint.s…\"   3 days ago     Exited (0) 3 hours ago                             cache\n3b3c4d5e6f7a   nginx:latest   \"/docker-entrypoint.…\"   3 days ago     Up 3 days                 0.0.0.0:80->80/tcp       web\n4b3c4d5e6f7a   busybox        \"sh\"                     4 days ago     Exited (137) 2 days ago                            tmp\n5b3c4d5e6f7a   myorg/app      \"python app.py\"          5 days ago     Up 5 days (healthy)       8000/tcp                 app_1\n"},
	{"connections below a title", "Active Internet connections (servers and established)\nProto Recv-Q Send-Q Local Address           Foreign Address         State      \ntcp        0      0 0.0.0.0:22              0.0.0.0:*               LISTEN     \ntcp        0      0 127.0.0.1:631           0.0.0.0:*               LISTEN     \ntcp        0     36 10.0.0.5:22             10.0.0.9:51234          ESTABLISHED\ntcp6       0      0 :::80                   :::*                    LISTEN     \nudp        0      0 0.0.0.0:68              0.0.0.0:*                          \nudp        0      0 0.0.0.0:5353            0.0.0.0:*                          \n"},
	{"a series below what it is", "Title:               Civilian Unemployment Rate\nSeries ID:           UNRATE\nSource:              U.S. Bureau of Labor Statistics\nRelease:             Employment Situation\nSeasonal Adjustment: Seasonally Adjusted\nFrequency:           Monthly\nUnits:               Percent\nDate Range:          1948-01-01 to 1948-03-01\nLast Updated:        2024-06-07 7:51 AM CDT\nNotes:               The unemployment rate represents the number of unemployed as a\n                     percentage of the labor force. \n\nDATE            VALUE\n1948-01-01        3.4\n1948-02-01        3.8\n1948-03-01        3.9\n"},
	{"a box", "┌────┬──────┬─────┐\n│ id │ name │  n  │\n├────┼──────┼─────┤\n│  1 │ Ann  │ 1.5 │\n│  2 │ Bob  │ 2.5 │\n│  3 │ Cy   │     │\n│  4 │ Dan  │ 3.5 │\n│  5 │ Eve  │ 2.5 │\n└────┴──────┴─────┘\n(5 rows)\n"},
	{"a box with types", "┌───────┬─────────┐\n│  id   │  name   │\n│ int64 │ varchar │\n├───────┼─────────┤\n│     1 │ Ann     │\n│     2 │ Bob     │\n│     3 │ Cy      │\n└───────┴─────────┘\n"},
	{"types of InfluxDB", "#group,false,false,false,false,true\n#datatype,string,long,dateTime:RFC3339,double,string\n#default,_result,,,,\n,result,table,_time,_value,host\n,,0,2024-06-28T10:12:13Z,15.43,A\n,,0,2024-06-28T10:12:23Z,59.25,B\n"},
	{"settings above three names", "LabVIEW Measurement\t\nWriter_Version\t2\nReader_Version\t2\nSeparator\tTab\nDecimal_Separator\t.\nMulti_Headings\tNo\nX_Columns\tOne\nTime_Pref\tRelative\nOperator\tann\nDate\t2024/06/28\nTime\t10:12:13.5\n***End_of_Header***\t\n\nChannels\t1\t\nSamples\t3\t\nDate\t2024/06/28\t\nTime\t10:12:13.5\t\nX_Dimension\tTime\t\nX0\t0.0000000000000000E+0\t\nDelta_X\t0.001000\t\n***End_of_Header***\t\nX_Value\tUntitled\tComment\n0.000000\t0.100000\t\n0.001000\t0.200000\t\n0.002000\t0.300000\t\n0.002000\t0.300000\t\n0.002000\t0.300000\t\n0.002000\t0.300000\t\n0.002000\t0.300000\t\n0.002000\t0.300000\t\n0.002000\t0.300000\t\n0.002000\t0.300000\t\n0.002000\t0.300000\t\n0.002000\t0.300000\t\n0.002000\t0.300000\t\n0.002000\t0.300000\t\n0.002000\t0.300000\t\n0.002000\t0.300000\t\n0.002000\t0.300000\t\n0.002000\t0.300000\t\n0.002000\t0.300000\t\n0.002000\t0.300000\t\n0.002000\t0.300000\t\n0.002000\t0.300000\t\n"},
	{"names in two lines, of which some are blank", "        \t       \tTemp\tHi \tOut\tWind\t    \nDate\tTime\tOut\tTemp\tHum\tDir\tRain\n01/06/24\t 0:30\t16.3\t16.5\t84\tN  \t0.00\n01/06/24\t 1:00\t16.1\t16.3\t85\t---\t0.00\n13/06/24\t 1:30\t15.9\t16.1\t85\tNNE\t0.20\n"},
	{"rows of R", "   mpg cyl  name\n1 21.0   6 Mazda\n2 22.8   4 Datsun\n3 18.7   8 Hornet\n"},
	{"lines of a log with times", "Jun 28 10:12:13 host systemd[1]: Started Session 12 of user root.\nJun 28 10:12:14 host kernel: [12345.678] usb 1-1: new device, number 5\nJun 28 10:12:15 host sshd[999]: Accepted publickey for ann from 10.0.0.1 port 5555\nJun 28 10:13:15 host sshd[999]: Connection closed\nJun 28 11:12:15 host CRON[1]: (root) CMD (run-parts)\n"},
	{"a note behind a wide colon", "数据库：年度数据,,\n时间：最近2年,,\n指标,2022年,2021年\n年末总人口(万人),141175,141260\n男性人口(万人),72206,72311\n女性人口(万人),68969,68949\n城镇人口(万人),92071,91425\n乡村人口(万人),49104,49835\na,1,2\nb,2,3\n数据来源：国家统计局,,\n"},
	{"what Bloomberg lacks", "Start Date,01/01/2024,\nEnd Date,06/28/2024,\n,AAPL US Equity,\n,,\nDate,PX_LAST,PX_VOLUME\n06/26/2024,213.25,66213200\n06/27/2024,214.1,49772700\n06/27/2024,214.1,49772700\n06/27/2024,214.1,49772700\n06/27/2024,214.1,49772700\n06/27/2024,214.1,49772700\n06/27/2024,214.1,49772700\n06/27/2024,214.1,49772700\n06/27/2024,214.1,49772700\n06/27/2024,214.1,49772700\n06/27/2024,214.1,49772700\n06/27/2024,214.1,49772700\n06/27/2024,214.1,49772700\n06/27/2024,214.1,49772700\n06/27/2024,214.1,49772700\n06/27/2024,214.1,49772700\n06/27/2024,214.1,49772700\n06/27/2024,214.1,49772700\n06/27/2024,214.1,49772700\n06/27/2024,214.1,49772700\n06/27/2024,214.1,49772700\n06/28/2024,210.62,#N/A N/A\n"},
	{"users, which colons separate", "root:x:0:0:root:/root:/bin/bash\ndaemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin\nbin:x:2:2:bin:/bin:/usr/sbin/nologin\nsync:x:4:65534:sync:/bin:/bin/sync\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\nann:x:1000:1000:Ann,,,:/home/ann:/bin/bash\n"},
	{"groups, which colons separate", "root:x:0:\ndaemon:x:1:\nadm:x:4:syslog,ann\ntty:x:5:\ndisk:x:6:\nsudo:x:27:ann\n"},
	{"names that tabs align", "Date \t\tDay\t\tTime\t\tLevel(m)\tHigh/Low\n2023/01/01\tSun\t02:11 AM\t0.5\tL\n2023/01/01\tSun\t08:54 AM\t5.1\tH\n2023/01/02\tMon\t03:05 AM\t0.6\tL\n2023/01/02\tMon\t09:41 AM\t5.2\tH\n"},
	{"a name of two words above blanks", "Filesystem     1K-blocks     Used Available Use% Mounted on\nudev             8123456        0   8123456   0% /dev\ntmpfs            1632000     2100   1629900   1% /run\n/dev/nvme0n1p2 490617784 88123456 377499872  19% /\ntmpfs            8160000    54321   8105679   1% /dev/shm\n/dev/nvme0n1p1    523248     6220    517028   2% /boot/efi\n"},
	{"settings above the seconds and values of an oscilloscope", "Record Length,Analog:28000\nSample Interval,0.000000002\nVertical Units,V\nVertical Scale,0.50\nVertical Offset,-0.10000\nHorizontal Units,s\nHorizontal Scale,0.000005\nModel Number,SDS1104X-E\nSerial Number,SDSMMEBX1R1234\nSoftware Version,6.1.33\nSource,CH1\nSecond,Value\n-0.0000280000,0.06000\n-0.0000279980,0.08000\n-0.0000279960,0.08000\n-0.0000279940,0.10000\n-0.0000279920,0.06000\n"},
	{"settings and labels above times and values", "Model,MSO44\nLabel,CH1\nWaveform Type,ANALOG\nHorizontal Units,s\nSample Interval,1.6E-10\nRecord Length,1000\nZero Index,500.0\nVertical Units,V\n,\nLabels,\nTIME,CH1\n-8.0E-08,0.01171875\n-7.984E-08,0.0078125\n-7.968E-08,0.01171875\n-7.952E-08,0.015625\n"},
	{"what a series is and its unit, above days", "Data Source in SDW: https://sdw.ecb.europa.eu\n,EXR.D.USD.EUR.SP00.A\n,\"US dollar/Euro, 2:15 pm (C.E.T.)\"\nCollection:,Average of observations through period (A)\nPeriod\\Unit:,[US dollar ]\n2024-06-28,1.0705\n2024-06-27,1.0696\n2024-06-26,1.0688\n2024-06-25,1.0714\n2024-06-24,1.0730\n"},
	{"what a series is, above months without a name", "Libellé;Indice des prix à la consommation - Base 2015 - Ensemble\nidBank;001759970\nDernière mise à jour;12/07/2024 08:45\nPériode;\n2024-06;119.80\n2024-05;119.66\n2024-04;119.66\n2024-03;119.05\n2024-02;118.84\n"},
	{"what a series is, above months and codes", "\"Libellé\";\"Indice des prix à la consommation\";\"Codes\"\n\"idBank\";\"001763852\";\"\"\n\"Dernière mise à jour\";\"12/07/2024 08:45\";\"\"\n\"Période\";\"\";\"\"\n\"2024-06\";\"119.80\";\"P\"\n\"2024-05\";\"119.66\";\"A\"\n\"2024-04\";\"119.50\";\"A\"\n\"2024-03\";\"119.05\";\"A\"\n"},
	{"a box with a bold head", "┏━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━┓\n┃ Released     ┃ Title               ┃  Box Office ┃\n┡━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━┩\n│ Dec 20, 2019 │ The Rise            │    $952,110 │\n│ May 25, 2018 │ Solo                │    $393,151 │\n│ Dec 15, 2017 │ The Last            │ $1,332,539  │\n└──────────────┴─────────────────────┴─────────────┘\n"},
	{"a box below a title", "                Star Movies\n┏━━━━━━━┳━━━━━━━━━━━┳━━━━━━━━━┓\n┃ Year  ┃ Title     ┃ Gross   ┃\n┡━━━━━━━╇━━━━━━━━━━━╇━━━━━━━━━┩\n│ 2019  │ Rise      │ 952     │\n│ 2018  │ Solo      │ 393     │\n│ 2017  │ Last      │ 1332    │\n└───────┴───────────┴─────────┘\n"},
	{"a box with names in its border", "┌─id─┬─name─┬─amount─┐\n│  1 │ Ann  │   1.50 │\n│  2 │ Bob  │  20.25 │\n│  3 │ Cy   │   3.00 │\n└────┴──────┴────────┘\n\n3 rows in set. Elapsed: 0.002 sec. \n"},
	{"a box with numbers of rows before it", "   ┌─id─┬─name─┬─amount─┐\n1. │  1 │ Ann  │   1.50 │\n2. │  2 │ Bob  │  20.25 │\n3. │  3 │ Cy   │   3.00 │\n   └────┴──────┴────────┘\n"},
	{"lines about the file above rows with more fields", "@HD\tVN:1.6\tSO:coordinate\n@SQ\tSN:chr1\tLN:248956422\n@SQ\tSN:chr2\tLN:242193529\n@PG\tID:bwa\tPN:bwa\tVN:0.7.17\nr001\t99\tchr1\t7\t30\t8M2I4M1D3M\t=\t37\t39\tTTAGATAAAGGATACTG\t*\nr002\t0\tchr1\t9\t30\t3S6M1P1I4M\t*\t0\t0\tAAAAGATAAGGATA\t*\tNM:i:1\nr003\t0\tchr1\t9\t30\t5S6M\t*\t0\t0\tGCCTAAGCTAA\t*\tSA:Z:chr1,29,-,6H5M,17,0;\tNM:i:0\nr004\t0\tchr2\t16\t30\t6M14N5M\t*\t0\t0\tATAGCTTCAGC\t*\n"},
	{"pages of a report", "Report A  page 1\n\nid  name    amount\n 1  Ann      10.50\n 2  Bob      20.00\n 3  Cy       30.00\n\fReport A  page 2\n\nid  name    amount\n 4  Dan      40.25\n 5  Eve      50.00\n 6  Flo      60.00\n"},
	{"pages with names alone", "id,name\n1,Ann\n2,Bob\n\fid,name\n3,Cy\n4,Dan\n"},
	{"exponents of Fortran", "  1  0.1500000D+01  0.2500000D+03\n  2  0.1750000D+01 -0.2600000D+03\n  3  0.2000000D+01  0.2700000D-03\n  4  0.2250000D+01  0.2800000D+03\n"},
	{"prices in won", "품목,가격\n사과,\"1,234원\"\n배,\"2,500원\"\n포도,\"12,000원\"\n"},
	{"prices in yen", "品目,価格\nりんご,\"1,234円\"\nみかん,\"980円\"\nぶどう,\"12,000円\"\n"},
	{"prices in yuan", "名称,价格\n苹果,12.50元\n梨,3.20元\n葡萄,100.00元\n"},
	{"timestamps of Oracle", "ID,CREATED\n1,30-NOV-26 03.15.00.123000 PM\n2,01-DEC-26 11.00.05.000000 AM\n3,15-DEC-26 12.30.00.500000 AM\n"},
	{"times with commas in a log", "2024-06-28 10:12:13,456 INFO  [main] com.acme.App - Started\n2024-06-28 10:12:14,001 WARN  [pool-1] com.acme.Db - Slow query, 12 ms\n2024-06-28 10:12:15,123 ERROR [pool-2] com.acme.Db - Failed\n"},
	{"texts between several blanks", "CONTAINER ID   IMAGE          COMMAND                  CREATED         STATUS         PORTS                NAMES\n1a2b3c4d5e6f   nginx:latest   \"/docker-entrypoint.…\"   2 hours ago     Up 2 hours     0.0.0.0:80->80/tcp   web\n2b3c4d5e6f7a   postgres:16    \"docker-entrypoint.s…\"   3 days ago      Up 3 days      5432/tcp             db\n"},
	{"a longer table of fewer columns right below another", "Identifiant PRM;Type de donnees;Date de debut;Date de fin;Grandeur physique;Grandeur metier;Etape metier;Unite\n12345678901234;Courbe de charge;28/06/2024;29/06/2024;Energie active;Consommation;Comptage Brut;W\nHorodate;Valeur\n2024-06-28T00:30:00+02:00;250\n2024-06-28T01:00:00+02:00;240\n2024-06-28T01:30:00+02:00;230\n2024-06-28T02:00:00+02:00;1200\n"},
	{"names in a comment above a blank line", "# BRON: KNMI\n# STN         LON(east)   LAT(north)  ALT(m)      NAME\n# 260         5.180       52.100      1.90        De Bilt\n# YYYYMMDD : Datum\n# TG       : Etmaalgemiddelde\n# STN,YYYYMMDD,   TG,   TN,   TX\n\n  260,20240626,  215,  150,  280\n  260,20240627,  220,  160,     \n  260,20240628,  180,  120,  240\n"},
	{"rows of a data frame with their numbers", "   id name  amount\n0   1  Ann    1.50\n1   2  Bob   20.25\n2   3   Cy    3.00\n"},
	{"rows of a data frame with the name of what they are called by", "            Open    High   Close\nDate                            \n2024-06-26  1.50    2.50    2.00\n2024-06-27  2.00    2.75    2.25\n2024-06-28  2.25    3.00    2.50\n"},
	{"rows of a tibble", "# A tibble: 3 × 3\n     id name  amount\n  <int> <chr>  <dbl>\n1     1 Ann     1.5 \n2     2 Bob    20.2 \n3     3 Cy      3   \n"},
	{"rows of a data table", "      id   name amount\n   <int> <char>  <num>\n1:     1    Ann   1.50\n2:     2    Bob  20.25\n3:     3     Cy   3.00\n"},
	{"a table of Spark, of which the first rows are shown", "+---+----+------+\n| id|name|amount|\n+---+----+------+\n|  1| Ann|   1.5|\n|  2| Bob| 20.25|\n|  3|null|   3.0|\n+---+----+------+\nonly showing top 3 rows\n\n"},
	{"processes, of which single blanks separate some names", "UID          PID    PPID  C STIME TTY          TIME CMD\nroot           1       0  0 Nov29 ?        00:09:11 /sbin/init splash\nroot           2       0  0 Nov29 ?        00:00:00 [kthreadd]\nroot           3       2  0 Nov29 ?        00:00:00 [pool_workqueue_release]\nann         2048    2000  1 09:15 pts/0    00:00:12 python3 -m http.server\n"},
	{"options in brackets within lines", "proc on /proc type proc (rw,relatime)\nsysfs on /sys type sysfs (rw,relatime)\ndevtmpfs on /dev type devtmpfs (rw,relatime,size=12k)\n/dev/vda on / type ext4 (rw,relatime,discard)\n"},
	{"values in lines of MySQL", "*************************** 1. row ***************************\n  id: 1\nname: Ann\n*************************** 2. row ***************************\n  id: 2\nname: Bob\n2 rows in set (0.00 sec)\n"},
	{"SQL", "INSERT INTO `t` (`id`, `name`) VALUES\n(1, 'Ann'),\n(2, 'Bob');\n"},
	{"a box of polars", "shape: (4, 4)\n\u250c\u2500\u2500\u2500\u2500\u2500\u2500\u252c\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u252c\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u252c\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2510\n\u2502 name \u2506 birthdate  \u2506 weight \u2506 height \u2502\n\u2502 ---  \u2506 ---        \u2506 ---    \u2506 ---    \u2502\n\u2502 str  \u2506 date       \u2506 f64    \u2506 f64    \u2502\n\u255e\u2550\u2550\u2550\u2550\u2550\u2550\u256a\u2550\u2550\u2550\u2550\u2550\u2550\u2550\u2550\u2550\u2550\u2550\u2550\u256a\u2550\u2550\u2550\u2550\u2550\u2550\u2550\u2550\u256a\u2550\u2550\u2550\u2550\u2550\u2550\u2550\u2550\u2561\n\u2502 Ann  \u2506 1997-01-10 \u2506 57.9   \u2506 1.56   \u2502\n\u2502 Ben  \u2506 1985-02-15 \u2506 72.5   \u2506 1.77   \u2502\n\u2502 Cleo \u2506 null       \u2506 53.6   \u2506 1.65   \u2502\n\u2502 Dan  \u2506 1981-04-30 \u2506 83.1   \u2506 1.75   \u2502\n\u2514\u2500\u2500\u2500\u2500\u2500\u2500\u2534\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2534\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2534\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2518\n"},
	{"a box of polars, of which some rows are shown", "shape: (100, 3)\n\u250c\u2500\u2500\u2500\u2500\u2500\u252c\u2500\u2500\u2500\u2500\u2500\u2500\u252c\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2510\n\u2502 id  \u2506 city \u2506 price \u2502\n\u2502 --- \u2506 ---  \u2506 ---   \u2502\n\u2502 i64 \u2506 str  \u2506 f64   \u2502\n\u255e\u2550\u2550\u2550\u2550\u2550\u256a\u2550\u2550\u2550\u2550\u2550\u2550\u256a\u2550\u2550\u2550\u2550\u2550\u2550\u2550\u2561\n\u2502 1   \u2506 Oslo \u2506 1.5   \u2502\n\u2502 2   \u2506 Rome \u2506 2.5   \u2502\n\u2502 3   \u2506 Bonn \u2506 3.25  \u2502\n\u2502 \u2026   \u2506 \u2026    \u2506 \u2026     \u2502\n\u2502 99  \u2506 Oslo \u2506 4.0   \u2502\n\u2502 100 \u2506 Bari \u2506 7.0   \u2502\n\u2514\u2500\u2500\u2500\u2500\u2500\u2534\u2500\u2500\u2500\u2500\u2500\u2500\u2534\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2518\n"},
	{"a box of polars with a point that DuckDB draws", "shape: (3, 2)\n┌───────────┬─────┐\n│ name      ┆ n   │\n╞═══════════╪═════╡\n│ Ana·Maria ┆ 1   │\n│ Bob       ┆ 2   │\n│ Cleo      ┆ 3   │\n└───────────┴─────┘\n"},
	{"a box of polars without types", "shape: (3, 2)\n\u250c\u2500\u2500\u2500\u2500\u2500\u252c\u2500\u2500\u2500\u2500\u2500\u2510\n\u2502 a   \u2506 b   \u2502\n\u255e\u2550\u2550\u2550\u2550\u2550\u256a\u2550\u2550\u2550\u2550\u2550\u2561\n\u2502 1   \u2506 x   \u2502\n\u2502 2   \u2506 y   \u2502\n\u2502 3   \u2506 z   \u2502\n\u2514\u2500\u2500\u2500\u2500\u2500\u2534\u2500\u2500\u2500\u2500\u2500\u2518\n"},
	{"a box of polars with lists", "shape: (3, 2)\n\u250c\u2500\u2500\u2500\u2500\u2500\u252c\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2510\n\u2502 a   \u2506 b         \u2502\n\u2502 --- \u2506 ---       \u2502\n\u2502 i64 \u2506 list[i64] \u2502\n\u255e\u2550\u2550\u2550\u2550\u2550\u256a\u2550\u2550\u2550\u2550\u2550\u2550\u2550\u2550\u2550\u2550\u2550\u2561\n\u2502 1   \u2506 [1, 2]    \u2502\n\u2502 2   \u2506 [3]       \u2502\n\u2502 3   \u2506 [4, 5]    \u2502\n\u2514\u2500\u2500\u2500\u2500\u2500\u2534\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2518\n"},
	{"a list of Stata", "\n     +------------------------------+\n     | make            price    mpg |\n     |------------------------------|\n  1. | AMC Concord     4,099     22 |\n  2. | AMC Pacer       4,749     17 |\n  3. | AMC Spirit      3,799     22 |\n  4. | Buick Century   4,816     20 |\n  5. | Buick Electra   7,827     15 |\n     +------------------------------+\n"},
	{"a list of Stata with lines between its rows", ". list id city price in 1/8\n\n     +----------------------+\n     | id     city    price |\n     |----------------------|\n  1. |  1     Oslo      1.5 |\n  2. |  2     Rome      2.5 |\n  3. |  3     Bonn     3.25 |\n  4. |  4     Oslo        4 |\n  5. |  5     Bari        7 |\n     |----------------------|\n  6. |  6     Rome      8.5 |\n  7. |  7     Oslo        . |\n  8. |  8     Bonn     10.5 |\n     +----------------------+\n"},
	{"a summary of Stata", "\n    Variable |        Obs        Mean    Std. dev.       Min        Max\n-------------+---------------------------------------------------------\n       price |         74    6165.257    2949.496       3291      15906\n         mpg |         74     21.2973    5.785503         12         41\n       rep78 |         69    3.405797    .9899323          1          5\n"},
	{"a regression of Stata", "\n------------------------------------------------------------------------------\n       price | Coefficient  Std. err.      t    P>|t|     [95% conf. interval]\n-------------+----------------------------------------------------------------\n         mpg |  -49.51222   86.15604    -0.57   0.567    -221.3025     122.278\n      weight |   1.746559   .6413538     2.72   0.008      .467736    3.025382\n       _cons |   1946.069    3597.05     0.54   0.590    -5226.245    9118.382\n------------------------------------------------------------------------------\n"},
	{"packages of Debian", "Desired=Unknown/Install/Remove/Purge/Hold\n| Status=Not/Inst/Conf-files/Unpacked/halF-conf/Half-inst/trig-aWait/Trig-pend\n|/ Err?=(none)/Reinst-required (Status,Err: uppercase=bad)\n||/ Name           Version               Architecture Description\n+++-==============-=====================-============-=================================\nii  adduser        3.118ubuntu5          all          add and remove users and groups\nii  apt            2.4.11                amd64        commandline package manager\nrc  linux-image    5.15.0-89.99          amd64        Signed kernel image generic\nii  zlib1g:amd64   1:1.2.11.dfsg-2ubunt9 amd64        compression library - runtime\n"},
	{"packages of Debian, of which one is not installed", "Desired=Unknown/Install/Remove/Purge/Hold\n| Status=Not/Inst/Conf-files/Unpacked/halF-conf/Half-inst/trig-aWait/Trig-pend\n|/ Err?=(none)/Reinst-required (Status,Err: uppercase=bad)\n||/ Name                  Version         Architecture Description\n+++-=====================-===============-============-========================================\nii  bash                  5.1-6ubuntu1    amd64        GNU Bourne Again SHell\nii  coreutils             8.32-4.1ubuntu1 amd64        GNU core utilities\nun  dpkg-dev              <none>          <none>       (no description available)\n"},
	{"open files, with commas in numbers of devices", "COMMAND   PID USER   FD   TYPE DEVICE SIZE/OFF    NODE NAME\nbash    23170  ann  cwd    DIR  259,2     4096 2621441 /home/ann\nbash    23170  ann  rtd    DIR  259,2     4096       2 /\nbash    23170  ann  txt    REG  259,2  1396520 2622080 /usr/bin/bash\nbash    23170  ann    0u   CHR  136,0      0t0       3 /dev/pts/0\nbash    23170  ann    1u   CHR  136,0      0t0       3 /dev/pts/0\n"},
	{"counts of networks", "Inter-|   Receive                                                |  Transmit\n face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed\n    lo: 1234567    8901    0    0    0     0          0         0  1234567    8901    0    0    0     0       0          0\n  eth0: 987654321  654321    0   12    0     0          0      1234 123456789  543210    0    0    0     0       0          0\n wlan0:       0       0    0    0    0     0          0         0        0       0    0    0    0     0       0          0\n"},
	{"lines that end with U+0085", "a,b\u00851,x\u00852,y\u00853,z\u0085"},
	{"lines that end with U+2028", "a,b\u20281,x\u20282,y\u20283,z\u2028"},
	{"sources with commas right below the rows", "country,2022,2023\nGermany,1.5,2.5\nFrance,2.0,3.1\nItaly,0.7,1.2\nSource: Eurostat, 2024\nNote: p = provisional\n"},
	{"a sentence right below the rows", "id\tname\tvalue\n1\tAnn\t2.5\n2\tBen\t3.5\n3\tCid\t4.5\nFigures are rounded, so totals may differ.\n"},
	{"processes, of which a wide number moves the rest of the line", "USER         PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND\nroot           1  0.0  0.1 167744 11640 ?        Ss   Nov29   0:03 /sbin/init splash\nroot           2  0.0  0.0      0     0 ?        S    Nov29   0:00 [kthreadd]\nroot         812  0.0  0.2 239284 20440 ?        Ssl  Nov29   0:11 /usr/sbin/NetworkManager --no-daemon\nann        22014 12.5  3.1 3245668 512340 ?      Sl   10:12   4:55 /usr/lib/firefox/firefox -contentproc -childID 4 -isForBrowser\nann        23170  0.0  0.0   9216  5120 pts/0    Ss   10:20   0:00 -bash\nann        24001  0.0  0.0  12672  3328 pts/0    R+   11:45   0:00 ps aux\n"},
	{"processes, of which a long name moves the rest of the line", "USER       PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND\nroot         1  0.0  0.1 167744 11640 ?        Ss   Nov29   0:03 /sbin/init\nsystemd-timesync 612 0.0 0.0 89364 6528 ?      Ssl  Nov29   0:00 /lib/systemd/systemd-timesyncd\nann      22014 12.5  3.1 32456688 512340 ?     Sl   10:12   4:55 /usr/lib/firefox/firefox -contentproc\nann      23170  0.0  0.0   9216  5120 pts/0    Ss   10:20   0:00 -bash\n"},
	{"marks of a school", "n;m\na;1-\nb;2-\nc;3\nd;1\n"},
	{"marks of a school with both signs", "name;fach;note\nAnna;Mathe;1-\nBen;Mathe;2+\nCara;Deutsch;3\nDan;Deutsch;1\nEva;Kunst;2-\n"},
	{"amounts with the sign behind", "konto;betrag\n100;12.50-\n101;3.00\n102;7.25-\n103;1.10\n"},
	{"timestamps of Oracle with a zone", "id,ts\n1,29-NOV-24 10.12.13.123456 AM +01:00\n2,28-NOV-24 09.00.00.000000 PM +01:00\n3,01-DEC-24 12.30.00.500000 PM +00:00\n"},
}

// told are files of which somebody has to say how they are written.
var told = []struct{ name, text, options string }{
	{"what is so without it", "a,b\n1,2\n", "auto_detect = true, ignore_errors = true, sample_size = -1"},
	{"delim", "a:b\n1:2\n", "delim = ':'"},
	{"delim of two", "a||b\n1||x|y\n", "delim = '||'"},
	{"delim that separates nothing", "a,b\n1,2\n", "delim = ';'"},
	{"quote", "a,b\n|x, y|,1\n", "quote = '|'"},
	{"no quote", "a;b\n\"x;1\ny\"\";2\n", "quote = '', delim = ';'"},
	{"escape", "a,b\n\"x\\\"y\",1\n\"\\\\\",2\n", "escape = '\\'"},
	{"no header", "a,b\n1,2\n", "header = false"},
	{"header of numbers", "2020,2021\n1,2\n", "header = true"},
	{"skip", "x,y\na,b\n1,2\n", "skip = 1"},
	{"skip above units", "\"TOA5\",\"S1\"\n\"T\",\"R\"\n\"d\",\"mm\"\n\"\",\"Avg\"\n\"2024-01-01\",0\n\"2024-01-02\",1\n\"2024-01-03\",1\n\"2024-01-04\",1\n", "skip = 1"},
	{"skip in quotes", "\"x\na,b\n1,2\n", "skip = 1"},
	{"skip nothing", "Report\n\na,b\n1,2\n3,4\n", "skip = 0, delim = ','"},
	{"skip all", "a\n1\n", "skip = 5"},
	{"comment", "%x\na,b\n1,2%\n%3,4\n", "comment = '%'"},
	{"nullstr", "a,b,c\n1,x,\nNA,NA,3\n2,,\"NA\"\n", "nullstr = 'NA'"},
	{"nullstr of several", "a,b,c\n1,x,\nNA,NA,3\n2,,\"NA\"\n", "nullstr = ['NA', '']"},
	{"nullstr that is a number", "a,b\n1,1.5\n-999,-999\n", "nullstr = '-999'"},
	{"nullstr and other words", "a\n1\nNULL\nNA\n", "nullstr = 'NA'"},
	{"columns", "a,b\n1,2\nx,3\n", "columns = {'p': 'BIGINT', 'q': 'VARCHAR'}, header = true"},
	{"columns without a header", "1,2\n3,4\n", "columns = {'p': 'BIGINT', 'q': 'DOUBLE'}"},
	{"columns that are too few", "a,b\n1,2\n", "columns = {'p': 'BIGINT'}"},
	{"types", "a,b\n007,2\n8,3\n", "types = {'b': 'DOUBLE', 'A': 'BIGINT'}"},
	{"types that do not fit", "a,b\n1,2\nx,3\n", "types = {'a': 'BIGINT'}"},
	{"types of dates that are written otherwise", "d;e\n1/2/2020;13/1/2020\n3/4/2020;2/2/2020\n", "types = {'d': 'DATE'}"},
	{"types of dates with the day first", "d;t\n31.01.2020;31.01.2020 10:00\n01.02.2020;01.02.2020 11:00\n", "types = {'d': 'DATE', 't': 'TIMESTAMP'}"},
	{"types of dates whose order other columns show", "d;e\n1/2/2020;13/1/2020\n3/4/2020;2/2/2020\n", "types = {'d': 'DATE', 'e': 'DATE'}"},
	{"types of dates in no order", "d\n1/2/2020\n3/4/2020\n", "types = {'d': 'DATE'}"},
	{"types of no column", "a,b\n1,2\n", "types = {'z': 'BIGINT'}"},
	{"names", "1,2\n3,4\n", "names = ['p', 'q']"},
	{"spaces around texts that are kept", "id,name\n1,Ann  \n2,Bob  \n", "types = {'name': 'VARCHAR'}"},
	{"a text beside decimal commas", "id;a;b\n1;1.200;12,5\n2;3.400;1,5\n", "types = {'a': 'VARCHAR'}"},
	{"all_varchar", "a,b\n1,2\n", "all_varchar = true"},
	{"null_padding", "a,b,c\n1,2\n3\n\n4,5,6\n", "null_padding = true"},
	{"null_padding of more than the header", "a,b\n1,2,3\n4\n\"x,y\"", "null_padding = true"},
	{"null_padding without a header", "1\n2,3\n4,5,6\n", "header = false, null_padding = true"},
	{"null_padding to columns", "1;2\n3", "columns = {'p': 'BIGINT', 'q': 'BIGINT', 'r': 'VARCHAR'}, null_padding = true"},
	{"null_padding and comments", "a|b|c\n#x\n1|\"|\"\n2#\n\n# end", "null_padding = true, comment = '#'"},
	{"null_padding of an open quote", "a,b\n1\n\"2", "null_padding = true"},
	{"null_padding of too many", strings.Repeat("c,", 10_000) + "c\n1\n", "null_padding = true"},
	{"null_padding that is not wanted", "a,b\n1\n2,3\n", "null_padding = false"},
	{"latin-1", "name,n\ncaf\xe9,1\n", "encoding = 'latin-1'"},
	{"windows-1252", "name,n\ncaf\xe9 \x80,1\n", "encoding = 'CP1252'"},
	{"GB18030", "\xc3\xfb,n\n\xb1\xb1\xbe\xa9,1\n", "encoding = 'GB18030'"},
	{"Shift-JIS", "n,m\n\x83\x5c\x83\x7c,1\n", "encoding = 'shift_jis'"},
	{"UTF-16", "a\x00,\x00b\x00\n\x001\x00,\x002\x00\n\x00", "encoding = 'utf-16'"},
	{"UTF-8 that is said to be", "a\né\n", "encoding = 'utf-8'"},
	{"runs of blanks", "a  b\n1\t 2\n", `delim = '\s+'`},
	{"tab", "a\tb\n1\t2\n", `delim = '\t'`},
}

// TestMessy holds what is made of messy files: types, rows and rejects, or why they are
// refused. go test ./cmd/analyzer -run Messy -update accepts what is new.
func TestMessy(t *testing.T) {
	var b strings.Builder
	dir := t.TempDir()
	for _, m := range messy {
		tryMessy(t, &b, dir, m.name, m.text, "")
	}
	for _, m := range told {
		tryMessy(t, &b, dir, m.name+": "+m.options, m.text, ", "+m.options)
	}
	golden := filepath.Join("testdata", "messy.golden")
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	got, known := strings.Split(b.String(), "## "), strings.Split(string(want), "## ")
	for i, part := range got {
		if i >= len(known) || part != known[i] {
			t.Errorf("%s\n%s", part, known[min(i, len(known)-1)])
		}
	}
	if len(got) != len(known) {
		t.Errorf("%d kinds, %d are known", len(got)-1, len(known)-1)
	}
}

// TestMessyChanged looks at messy files of which lines and characters are lost, doubled or wrong: nothing may panic.
func TestMessyChanged(t *testing.T) {
	rng, name := rand.New(rand.NewPCG(1, 2)), filepath.Join(t.TempDir(), "messy.csv")
	for _, m := range messy {
		for range 5 {
			text := changed(rng, m.text)
			if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			t.Logf("%q", text) // shown if it panics
			p := &program{console: console{stdin: strings.NewReader(""), stdout: io.Discard, stderr: io.Discard}, fs: vfs.OS(), own: vfs.Private(), began: time.Now()}
			_ = p.runLine(t.Context(), []string{"analyzer", "sniff", name})
		}
	}
}

// changed returns a text of which some lines are left out, stand somewhere else too, or have a character more or less.
func changed(rng *rand.Rand, text string) string {
	lines := strings.SplitAfter(text, "\n")
	for range 1 + rng.IntN(8) {
		i := rng.IntN(len(lines))
		line := lines[i]
		at := rng.IntN(len(line) + 1)
		switch rng.IntN(5) {
		case 0:
			lines = slices.Delete(lines, i, min(i+1, len(lines)-1))
		case 1:
			lines = slices.Insert(lines, i, lines[rng.IntN(len(lines))])
		case 2:
			sign := rng.IntN(len(signs))
			lines[i] = line[:at] + signs[sign:sign+1] + line[at:]
		case 3:
			lines[i] = line[:at] + line[min(at+1, len(line)):]
		case 4:
			lines = lines[i:]
		}
	}
	return strings.Join(lines, "")
}

// signs are some that mean something in files.
const signs = "\",;-= \t#\n"

// onlyRows is a line that says nothing but how many rows a file has.
var onlyRows = regexp.MustCompile(`messy\.csv: \d+ rows?\n$`)

// tryMessy writes down what is made of a file.
func tryMessy(t *testing.T, b *strings.Builder, dir, name, text, options string) {
	file := filepath.Join(dir, "messy.csv")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if len(text) > 200 {
		text = text[:20] + "…"
	}
	fmt.Fprintf(b, "## %s\n%q\n", name, text)
	from := "'" + file + "'"
	if options != "" {
		from = "read_csv(" + from + options + ")"
	}
	for i, arguments := range [][]string{
		{"sniff", file}, {"sql", "--format", "jsonl", "DESCRIBE FROM " + from}, {"sql", "--format", "jsonl", "FROM " + from},
	} {
		if i == 0 && options != "" {
			continue
		}
		var out, notes bytes.Buffer
		p := &program{console: console{stdin: strings.NewReader(""), stdout: &out, stderr: &notes}, fs: vfs.OS(), own: vfs.Private(), began: time.Now()}
		err := p.runLine(t.Context(), append([]string{"analyzer"}, arguments...))
		if err != nil {
			fmt.Fprintf(b, "refused: %s\n", strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), ""))
			break
		}
		if i == 0 {
			shape, rest, _ := strings.Cut(out.String(), "\n")
			fmt.Fprintln(b, strings.ReplaceAll(shape, dir+string(filepath.Separator), ""))
			if _, call, found := strings.Cut(rest, "FROM read_csv"); found {
				b.WriteString("read_csv" + strings.ReplaceAll(call, dir+string(filepath.Separator), ""))
			}
			continue
		}
		rest := out.String()
		if len(rest) > 2000 {
			rest = rest[:100] + "…\n"
		}
		b.WriteString(rest)
		for line := range strings.Lines(notes.String()) {
			if strings.Contains(line, "rejected") || strings.Contains(line, "noted") || i == 2 && strings.Contains(line, "messy.csv:") && !onlyRows.MatchString(line) {
				b.WriteString("  " + strings.ReplaceAll(strings.TrimSpace(line), dir+string(filepath.Separator), "") + "\n")
			}
		}
	}
}
