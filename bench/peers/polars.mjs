// Runs one of the stress plans in Polars, in one process, and prints its answer as duckdb.mjs does:
//
//   POLARS_MAX_THREADS=2 node polars.mjs --data DIR --query groups
//
// Without a query it loads Polars and leaves. Polars takes the memory it needs: it has no limit.

import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pl from 'nodejs-polars';

const { values: options } = parseArgs({ options: { data: { type: 'string' }, query: { type: 'string' } } });

// Ratings are halves, which floats add up exactly. The time stamp is never read.
const ratings = (...columns) =>
  pl.scanCSV(join(options.data, 'ratings.csv'), {
    schema: { userId: pl.Int32, movieId: pl.Int32, rating: pl.Float64, timestamp: pl.Utf8 },
  }).select(...columns.map((c) => pl.col(c)));

const plans = {
  groups: () =>
    ratings('userId', 'movieId', 'rating')
      .groupBy(['userId', 'movieId'])
      .agg(pl.len().alias('n'), pl.col('rating').sum().alias('s'))
      .select(pl.len().alias('groups'), pl.col('n').sum().alias('ratings'), pl.col('s').sum().alias('rating_sum')),
  selfjoin: () =>
    ratings('userId', 'movieId', 'rating')
      .join(ratings('userId', 'movieId'), { on: ['userId', 'movieId'], how: 'inner' })
      .select(pl.len().alias('pairs'), pl.col('rating').sum().alias('rating_sum')),
  listagg: () =>
    ratings('userId', 'movieId')
      .groupBy('userId')
      .agg(pl.col('movieId').cast(pl.Int64).alias('movies'))
      .select(pl.len().alias('users'), pl.col('movies').lst.lengths().sum().alias('ratings'),
        pl.col('movies').lst.sum().sum().alias('movie_id_sum')),
};

try {
  if (options.query !== undefined) {
    const answer = plans[options.query]().collectSync();
    const rows = JSON.stringify([answer.row(0)], (_, v) => (typeof v === 'bigint' ? Number(v) : v));
    writeSync(1, `{${JSON.stringify(options.query)}: {"columns": ${JSON.stringify(answer.columns)}, "rows": ${rows}}}\n`);
  }
  process.exit(0);
} catch (err) {
  console.error(`polars: ${err.message.split('\n')[0]}`);
  process.exit(3);
}
