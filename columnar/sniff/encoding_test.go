package sniff_test

import (
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// TestEncodings finds the encodings of small files whose characters say it, and takes no other for one of them.
func TestEncodings(t *testing.T) {
	for _, tt := range []struct {
		in   encoding.Encoding
		name string
		text string
	}{
		{simplifiedchinese.GB18030, "gb18030", "编号,姓名,城市,金额\n1,张伟,北京市,12.5\n2,王芳,上海市,13\n"},
		{simplifiedchinese.GBK, "gb18030", "日期,商品名称,数量\n2024-01-02,苹果,3\n2024-01-03,香蕉,4\n"},
		{simplifiedchinese.GBK, "gb18030", "name,city\nMr Wang,北京\nMs Li,天津\n"},
		{simplifiedchinese.GB18030, "gb18030", "地区,人口\n河北,7461\n山西,3491\n𠀀,1\n"},
		{traditionalchinese.Big5, "big5", "縣市,人口數,日期\n臺北市,2480681,2023/01/31\n新北市,3995551,2023/01/31\n"},
		{traditionalchinese.Big5, "big5", "編號,姓名,電話\n1,陳志明,0912345678\n2,林淑芬,0922345678\n"},
		{japanese.ShiftJIS, "shift-jis", "日付,商品,金額\n2024/01/05,りんごジュース,\"1,200\"\n2024/01/06,ソーダ,350\n"},
		{japanese.ShiftJIS, "shift-jis", "13101,\"100  \",\"ﾄｳｷﾖｳﾄ\",\"ﾁﾖﾀﾞｸ\",\"東京都\",\"千代田区\",\"以下に掲載がない場合\",0\n13102,\"101\",\"ﾄｳｷﾖｳﾄ\",\"ﾁﾖﾀﾞｸ\",\"東京都\",\"千代田区\",\"岩本町\",0\n"},
		{japanese.EUCJP, "euc-jp", "日付,商品,金額\n2024/01/05,りんごジュース,\"1,200\"\n2024/01/06,ノート,350\n"},
		{korean.EUCKR, "euc-kr", "번호,이름,지역\n1,김민수,서울특별시\n2,이영희,부산광역시\n"},
		{charmap.Windows1251, "windows-1251", "Дата;Наименование\n01.02.2024;Оплата услуг связи\n13.02.2024;Покупка товаров\n"},
		{charmap.KOI8R, "koi8-r", "Дата;Наименование\n01.02.2024;Оплата услуг связи\n13.02.2024;Покупка товаров\n"},
		{charmap.Windows1252, "windows-1252", "Straße;Größe\nÄußere Königstraße;7\nÖlmühle;1\n"},
		{charmap.Windows1252, "windows-1252", "Région;Année\nÎle-de-France;2020\nRhône-Alpes à côté;2021\n"},
		{charmap.Windows1252, "windows-1252", "Município;Situação\nSão Paulo;Não\nAção;Órgão\n"},
		{charmap.Windows1252, "windows-1252", "NOM;VILLE\nÉÈÊ;ÀÂ\nÇÀÉÉ;ÔÔ\n"},
		{charmap.Windows1252, "windows-1252", "text,n\n“quoted”,1\n– dash —,2\nit’s,3\n"},
		{charmap.Windows1250, "windows-1250", "Województwo;Ludność\nŁódzkie;2400\nŚląskie;4400\n"},
		{charmap.ISO8859_2, "iso-8859-2", "Województwo;Ludność\nŁódzkie;2400\nŚląskie;4400\n"},
		{charmap.Windows1250, "windows-1250", "obec;počet\nPlzeň;1\nKroměříž;2\nŽďár nad Sázavou;3\n"},
		{charmap.ISO8859_2, "iso-8859-2", "obec;počet\nPlzeň;1\nKroměříž;2\nŽďár nad Sázavou;3\n"},
		{charmap.Windows1250, "windows-1250", "név;ár\nKőszeg;1\nGyőr;2\nDerék bögre;3\nSörfőző üst;4\n"},
		{charmap.Windows1250, "windows-1252", "név;ár\nKőszeg;1\nGyőr;2\n"}, // õ is Portuguese
		{charmap.Windows1250, "windows-1250", "oraş;n\nBraşov;1\nTimişoara;2\nFăgăraş;3\nTârgovişte;4\n"},
		{charmap.Windows1250, "windows-1250", "ime;n\nĐorđe Jurišić;1\nKovačević;2\nŽupanić;3\n"},
		{charmap.Windows1254, "windows-1254", "şehir;nüfus\nİstanbul;1\nŞanlıurfa;2\nIğdır;3\n"},
		{charmap.ISO8859_9, "windows-1254", "şehir;nüfus\nİstanbul;1\nŞanlıurfa;2\nIğdır;3\n"},
		{charmap.Windows1253, "windows-1253", "περιφέρεια;τιμή\nΑττική;1\nΚρήτη;2\nΉπειρος;3\n"},
		{charmap.ISO8859_7, "windows-1253", "περιφέρεια;τιμή\nΑττική;1\nΚρήτη;2\n"},
		{charmap.Windows1251, "windows-1251", "город;страна\nЭнгельс;Россия\nЮжный;Россия\n"},
		{charmap.Windows1252, "windows-1252", "nafn;n\nÞórður;1\nGuðrún Sigríður;2\nBæjarstjóri;3\n"},
		{charmap.Windows1252, "windows-1252", "fylke;areal m²\nTrøndelag;1\nMøre og Romsdal;2\nÅlesund;3\n"},
		{charmap.Windows1252, "windows-1252", "name;n\nMüller;1\nFrançois Lefèvre;2\nPeña;3\nSørensen;4\nGonçalves João;5\n"},
		{charmap.Windows1252, "windows-1252", "nome;n\nPerché;1\nLunedì;2\nGioventù è città;3\nSørensen;4\n"},
		{charmap.Windows1252, "windows-1252", "área;preço\nmão-de-obra;1\nopções;2\n½ litro;3\n1ª;4\n"},
		{charmap.CodePage850, "cp850", "KUNDE;ORT;SALDO\nMüller;Köln;12,5\nBäcker;Düsseldorf;1,5\nGroß;Fürth;0,5\n"},
		{charmap.CodePage437, "cp850", "KUNDE;ORT;SALDO\nJäger;München;12,5\nSchröder;Öhringen;1,5\nÜbel;Köln;1\n"},
		{charmap.CodePage850, "cp850", "nom;ville\nLefèvre;Orléans\nGérard;Saint-Étienne\nHélène;Besançon\n"},
		{charmap.CodePage850, "cp850", "kommun;n\nÅre;1\nMalmö;2\nVästerås;3\nGöteborg;4\nJönköping;5\n"},
		{charmap.CodePage850, "cp850", "nombre;n\nPeña;1\nLeón;2\nCórdoba;3\nMaría Núñez;4\n"},
		{charmap.CodePage866, "cp866", "Дата;Наименование\n01.02.2024;Оплата услуг связи\n13.02.2024;Покупка товаров\n"},
		{charmap.ISO8859_5, "iso-8859-5", "Дата;Наименование\n01.02.2024;Оплата услуг связи\n13.02.2024;Покупка товаров\n"},
		{charmap.Windows1251, "windows-1251", "Місто;Область\nБіла Церква;Київська\nЇчня;Чернігівська\nОдеса;Одеська\n"},
		{charmap.Windows1251, "windows-1251", "Град;Област\nПловдив;Пловдивска\nВелико Търново;Великотърновска\n"},
		{charmap.Windows1255, "windows-1255", "שם,עיר,סכום\nדנה כהן,ירושלים,3\nיוסי לוי,תל אביב,4\n"},
		{charmap.Windows1256, "windows-1256", "الاسم,المدينة,المبلغ\nأحمد علي,القاهرة,3\nسارة محمود,بيروت,4\n"},
		{charmap.Windows874, "windows-874", "ชื่อ,จังหวัด,ยอด\nมานี ใจดี,กรุงเทพมหานคร,3\nปิติ เรียนดี,เชียงใหม่,4\n"},
		{charmap.Windows1257, "windows-1257", "miestas;n\nŠiauliai;1\nPanevėžys;2\nKėdainiai;3\nŪkmergė;4\n"},
		{charmap.Windows1257, "windows-1257", "pilsēta;n\nRīga;1\nLiepāja;2\nJūrmala;3\nRēzekne;4\nĶekava;5\nStopiņi;6\n"},
		{charmap.Macintosh, "macintosh", "nom;ville\nLefèvre;Orléans\nGérard;Saint-Étienne\nHélène;Besançon\n"},
		{charmap.Macintosh, "macintosh", "KUNDE;ORT;SALDO\nMüller;Köln;12,5\nBäcker;Düsseldorf;1,5\nGroß;Fürth;0,5\n"},
		{encoding.Nop, "", "Straße;城市\nKönigstraße;北京\n\xff;天津\n"},
	} {
		text, err := tt.in.NewEncoder().String(tt.text)
		if err != nil {
			t.Fatal(err)
		}
		f, err := sniffed(t, text)
		if err != nil || f.Encoding != tt.name {
			t.Errorf("%q is read as %q, not %q (%v)", tt.text, f.Encoding, tt.name, err)
			continue
		}
		if name, _, _ := strings.Cut(tt.text, ","); f.Encoding != "windows-1252" && !f.Headless && name != f.Columns[0].Name && f.Delimiter == "," {
			t.Errorf("%q: the first name is %q", tt.text, f.Columns[0].Name)
		}
	}
}
