// Runs plans in Polars, in one process, and prints their answers as duckdb.mjs does:
//
//   POLARS_MAX_THREADS=2 node polars.mjs --data DIR --workload steam [--query q1,q3]
//
// Without a workload it loads Polars and exits. Polars has no memory limit.
//
// Queries that read lists in Python's notation are missing, since this package has no expression that splits a text by a
// pattern. These are movies q1 to q4 and books q1 to q3.

import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pl from 'nodejs-polars';

const { values: options } = parseArgs({
  options: { data: { type: 'string' }, workload: { type: 'string' }, query: { type: 'string' } },
});

const { col } = pl;
const texts = (names) => Object.fromEntries(names.split('|').map((name) => [name, pl.Utf8]));

// A row with too few cells has null in its last column, one with too many is cut; an empty cell is an empty text. A
// number that does not parse is null.
const scan = (file, schema, more = {}) =>
  pl.scanCSV(join(options.data, file), { schema, missingUtf8IsEmptyString: true, truncateRaggedLines: true, ignoreErrors: true, ...more });

// once returns a function that computes a value at its first call, for several queries to share.
const once = (make) => {
  let made;
  return () => (made ??= make().collectSync()).lazy();
};

// Ratings are multiples of a half, which floats add up exactly. The time stamp is never read.
const ratings = (...columns) =>
  scan('ratings.csv', { userId: pl.Int32, movieId: pl.Int32, rating: pl.Float64, timestamp: pl.Utf8 })
    .select(...columns.map((c) => col(c)));

const groups = {
  groups: () =>
    ratings('userId', 'movieId', 'rating')
      .groupBy(['userId', 'movieId'])
      .agg(pl.len().alias('n'), col('rating').sum().alias('s'))
      .select(pl.len().alias('groups'), col('n').sum().alias('ratings'), col('s').sum().alias('rating_sum')),
};

const selfjoin = {
  selfjoin: () =>
    ratings('userId', 'movieId', 'rating')
      .join(ratings('userId', 'movieId'), { on: ['userId', 'movieId'], how: 'inner' })
      .select(pl.len().alias('pairs'), col('rating').sum().alias('rating_sum')),
};

const listagg = {
  listagg: () =>
    ratings('userId', 'movieId')
      .groupBy('userId')
      .agg(col('movieId').cast(pl.Int64).alias('movies'))
      .select(pl.len().alias('users'), col('movies').lst.lengths().sum().alias('ratings'),
        col('movies').lst.sum().sum().alias('movie_id_sum')),
};

// The header of games.csv has 39 names over 40 values, so it is skipped and the names are given.
const games = once(() => {
  const columns = texts('AppID|Name|Release date|Estimated owners|Peak CCU|Required age|Price|Discount|DLC count|About the game|' +
    'Supported languages|Full audio languages|Reviews|Header image|Website|Support url|Support email|Windows|Mac|Linux|' +
    'Metacritic score|Metacritic url|User score|Positive|Negative|Score rank|Achievements|Recommendations|Notes|' +
    'Average playtime forever|Average playtime two weeks|Median playtime forever|Median playtime two weeks|Developers|' +
    'Publishers|Categories|Genres|Tags|Screenshots|Movies');
  const filled = ['Name', 'Windows', 'Mac', 'Linux', 'Genres', 'Release date', 'Positive', 'Negative'];
  const says = (name) => col(name).str.strip().str.toLowerCase().eq(pl.lit('true')).alias(name.toLowerCase());
  return scan('games.csv', columns, { hasHeader: false, skipRows: 1 })
    .filter(filled.map((name) => col(name).neq(pl.lit(''))).reduce((a, b) => a.and(b)).and(col('Movies').isNotNull()))
    .select(
      col('AppID').str.strip().cast(pl.Int64, false).alias('app_id'), col('Name').alias('name'),
      col('Release date').str.extract('(?:^|[^0-9])([0-9]{4})(?:[^0-9]|$)', 1).cast(pl.Int32, false).alias('year'),
      says('Windows'), says('Mac'), says('Linux'),
      pl.concatString([pl.lit(','), col('Genres').str.toLowerCase().str.replaceAll(/\s*,\s*/, ','), pl.lit(',')]).alias('genres'),
      col('Average playtime forever').cast(pl.Float64, false).cast(pl.Int64, false).alias('average_playtime_forever'),
    )
    .filter(col('app_id').isNotNull().and(col('average_playtime_forever').isNotNull()));
});
const of = (genre) => games().filter(col('genres').str.contains(`,${genre},`));

const scores = once(() =>
  scan('reviews.csv', { app_id: pl.Int64, app_name: pl.Utf8, review_text: pl.Utf8, review_score: pl.Int32, review_votes: pl.Utf8 })
    .filter(col('app_id').isNotNull().and(col('review_score').isNotNull())
      .and(col('review_text').neq(pl.lit(''))).and(col('review_votes').isNotNull()))
    .groupBy('app_id')
    .agg(col('review_score').gt(0).cast(pl.Int64).sum().alias('positive'), col('review_score').lt(0).cast(pl.Int64).sum().alias('negative')));

const counted = (genre, which, name) =>
  of(genre).join(scores().filter(col(which).gt(0)), { on: 'app_id', how: 'inner' })
    .groupBy(['app_id', 'name']).agg(col(which).sum().alias(name));

const steam = {
  q1: () => games().select(...['windows', 'mac', 'linux'].map((os) => col(os).cast(pl.Int64).sum())),
  q2: () => of('indie').filter(col('year').gtEq(2010).and(col('year').ltEq(2019)))
    .select(col('app_id'), col('name'), col('average_playtime_forever'))
    .sort(['average_playtime_forever', 'app_id', 'name'], [true, false, false]).head(10),
  q3: () => counted('indie', 'positive', 'positive_reviews')
    .sort(['positive_reviews', 'app_id', 'name'], [true, false, false]).head(5),
  q5: () => {
    const c = counted('action', 'negative', 'negative_reviews').collectSync().lazy();
    return c.filter(col('negative_reviews').gtEq(col('negative_reviews').quantile(0.9, 'linear'))).sort(['app_id', 'name']);
  },
};

// The books whose rows are not rejected. Authors are only grouped by, for which their text is enough.
const books = () =>
  scan('books_data.csv', texts('Title|description|authors|image|previewLink|publisher|publishedDate|infoLink|categories|ratingsCount'))
    .filter(['Title', 'authors', 'categories'].map((name) => col(name).neq(pl.lit(''))).reduce((a, b) => a.and(b))
      .and(col('ratingsCount').isNotNull()))
    .select(col('Title'), col('authors'),
      col('publishedDate').str.extract('(?:^|[^0-9])([0-9]{4})(?:[^0-9]|$)', 1).cast(pl.Int32, false).alias('year'))
    .filter(col('year').gtEq(1990).and(col('year').ltEq(1999)));

const reviews = () =>
  scan('Books_rating.csv', {
    ...texts('Id|Title|Price|User_id|profileName|review/helpfulness'), 'review/score': pl.Float64,
    ...texts('review/time|review/summary|review/text'),
  })
    .filter(col('Title').neq(pl.lit('')).and(col('review/score').isNotNull()).and(col('review/text').isNotNull()))
    .groupBy('Title').agg(pl.len().alias('n'), col('review/score').sum().alias('score'));

const booksPlans = {
  q4: () => reviews().join(books(), { on: 'Title', how: 'inner' })
    .groupBy(['Title', 'authors']).agg(col('score').sum(), col('n').sum().cast(pl.Int64).alias('reviews'))
    .filter(col('reviews').gtEq(500))
    .select(col('Title').alias('title'), col('score').div(col('reviews')).alias('mean_score'), col('reviews'), col('authors'))
    .sort(['mean_score', 'title', 'authors'], [true, false, false]).head(10)
    .select(col('title'), col('mean_score'), col('reviews')),
};

const workloads = { groups, selfjoin, listagg, steam, books: booksPlans };

try {
  const answers = {};
  if (options.workload !== undefined) {
    const plans = workloads[options.workload];
    for (const name of options.query?.split(',') ?? Object.keys(plans)) {
      const answer = plans[name]().collectSync();
      answers[name] = { columns: answer.columns, rows: answer.rows() };
    }
    writeSync(1, `${JSON.stringify(answers, (_, v) => (typeof v === 'bigint' ? Number(v) : v))}\n`);
  }
  process.exit(0);
} catch (err) {
  console.error(`polars: ${err.message.split('\n')[0]}`);
  process.exit(3);
}
