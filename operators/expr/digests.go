package expr

import (
	"crypto/md5"  //nolint:gosec // not for secrets
	"crypto/sha1" //nolint:gosec // not for secrets
	"crypto/sha256"
	"encoding/hex"

	"analyzer/columnar"
	"analyzer/operators/registry"
)

// OpHex is the bytes of a text, as hexadecimal digits.
const OpHex Op = "hex"

func init() {
	functions.Add(func() []function {
		return []function{
			digest("md5", "the MD5 digest of the text, as 32 hexadecimal digits", "0cc175b9c0f1b6a831c399e269772661",
				func(dst, text []byte) []byte { sum := md5.Sum(text); return hex.AppendEncode(dst, sum[:]) }), //nolint:gosec // as above
			digest("sha1", "the SHA-1 digest of the text, as 40 hexadecimal digits", "86f7e437faa5a7fce15d1ddcb9eaeaea377667b8",
				func(dst, text []byte) []byte { sum := sha1.Sum(text); return hex.AppendEncode(dst, sum[:]) }), //nolint:gosec // as above
			digest("sha256", "the SHA-256 digest of the text, as 64 hexadecimal digits", "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb",
				func(dst, text []byte) []byte { sum := sha256.Sum256(text); return hex.AppendEncode(dst, sum[:]) }),
			{op: OpHex, takes: "a text or bytes", types: oneOf(columnar.Text, columnar.Text, columnar.Bytes), cost: costCase, canFail: true, build: just(hexOf)},
		}
	})
}

func digest(op Op, help, ofA string, of func(dst, text []byte) []byte) function {
	return function{
		op: op, takes: "a text or bytes", types: oneOf(columnar.Text, columnar.Text, columnar.Bytes), cost: costCase, build: just(eachText(of)),
		doc: registry.Texts.Doc(string(op), "(text)", help, string(op)+"('a')", ofA),
	}
}

func hexOf(out *result, args []*columnar.Vector) error {
	const digits = "0123456789ABCDEF"
	for i := range out.rows() {
		text := args[0].Bytes(i)
		if err := out.fits(2 * len(text)); err != nil {
			return err
		}
		for _, b := range text {
			out.Data = append(out.Data, digits[b>>4], digits[b&15])
		}
	}
	return nil
}
