// Makes ngrams.zst of the npm package eld 2.1.0 and the words of english.txt:
//
//	npm pack eld@2.1.0 && tar xzf eld-2.1.0.tgz
//	node eld.mjs package english.txt | zstd -19 >ngrams.zst
//
// table.go says what it writes.
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const [eld, words] = process.argv.slice(2)
const source = (file) => import(pathToFileURL(path.resolve(eld, 'src', file)))
const { ngramsData } = await source('ngrams/large.js')
const { dictionary } = await source('dictionary.js')
const { separators } = await source('regexPatterns.js')

// What calculateScores of eld adds to every score, and what a listed word has
// for English at least, less that: between the n-grams that are common to
// languages and those that give one away.
const base = 53
const wordPoints = 67

// The kinds of n-grams, by whether a word starts and ends with one.
const prefix = 1, suffix = 2
const keyOf = (kind, bytes) => bytes.concat([0, 0, 0]).slice(0, 4).reduce((key, b) => key * 256 + b, kind)

// The dictionary has the character that stands for each byte; a space is of none.
const byteOf = new Map(dictionary.map((character, b) => [character, b]).filter(([character]) => character !== ' '))

const languages = Object.values(ngramsData.languages)
const english = languages.indexOf('en')
const grams = new Map()
for (const [text, scores] of Object.entries(ngramsData.ngrams)) {
  const kind = (text.startsWith(' ') ? prefix : 0) + (text.endsWith(' ') ? suffix : 0)
  const bytes = [...text.replace(/^ | $/g, '')].map((character) => byteOf.get(character))
  if (bytes.includes(undefined) || bytes.length > 4 || (bytes.length < 4 && kind !== prefix + suffix)) {
    throw new Error(`n-gram ${JSON.stringify(text)} is of bytes ${bytes} and kind ${kind}`)
  }
  grams.set(keyOf(kind, bytes), { ...scores })
}
for (const word of fs.readFileSync(words, 'utf8').split('\n').map((line) => line.replace(/#.*/, '').trim())) {
  if (word === '') continue
  const key = keyOf(prefix + suffix, [...Buffer.from(word)])
  const scores = grams.get(key) ?? {}
  grams.set(key, { ...scores, [english]: Math.max(scores[english] ?? 0, wordPoints) })
}

// Letters are what does not part words; an apostrophe does if a space follows.
const parts = new RegExp('^' + separators.source, 'u')
const letters = []
for (let c = 0; c <= 0xffff; c++) {
  if ((c >= 0xd800 && c <= 0xdfff) || parts.test(String.fromCharCode(c) + ' ')) continue
  if (letters.at(-1)?.[1] === c - 1) letters.at(-1)[1] = c
  else letters.push([c, c])
}

const columns = { keys: [], counts: [], languages: [], points: [] }
let last = 0
for (const [key, scores] of [...grams].sort(([a], [b]) => a - b)) {
  let distance = key - last
  for (; distance >= 128; distance = Math.floor(distance / 128)) columns.keys.push(distance % 128 + 128)
  columns.keys.push(distance)
  last = key
  const spoken = Object.entries(scores) // by language, ascending
  columns.counts.push(spoken.length)
  for (const [language, points] of spoken) {
    columns.languages.push(Number(language))
    columns.points.push(points)
  }
}
const header = { languages, letters, base, grams: grams.size, scores: columns.points.length }
process.stdout.write(JSON.stringify(header) + '\n')
for (const column of Object.values(columns)) process.stdout.write(Buffer.from(column))
