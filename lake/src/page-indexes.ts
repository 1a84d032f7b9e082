/** The order of a column over all rows of a list: equal values have equal ranks, greater values greater ranks. */
export interface Ranks {
  /** One for each row, by its index, from 0. */
  readonly ranks: Int32Array;
  /** The rank of every row without a value, greater than any other; these rows come last in both directions. */
  readonly missing: number;
}

export interface RankedKey extends Ranks {
  readonly direction: 1 | -1;
}

/** The rows that pass a filter: one bit for each row, by its index. */
export interface Passing {
  readonly bits: Uint32Array;
  readonly count: number;
}

/** Buckets of one pass over the rows; their counters fit the processor's cache. */
const BUCKET_BITS = 14;
/** Up to this many rows are sorted by comparison. */
const FEW = 64;

/**
 * The indexes of one page: rows `skip` to `skip + limit` of those that pass, ordered by the keys and then by index. Only
 * the rows around the page are sorted: each pass counts the rows by ranges of a key's ranks and continues with the
 * ranges that contain a part of the page.
 * @param rows how many there are
 * @param passing null if all rows pass
 */
export function indexesOfPage(
  rows: number,
  passing: Passing | null,
  keys: readonly RankedKey[],
  page: { skip: number; limit: number },
): Int32Array {
  const total = passing?.count ?? rows;
  const from = Math.min(page.skip, total);
  const to = Math.min(page.skip + page.limit, total);
  if (from === to) return new Int32Array(0);
  const [first] = keys;
  if (!first)
    return passing ? placesOfBits(passing, from, to) : Int32Array.from({ length: to - from }, (_, at) => from + at);
  return refine(passing ? placesOfBits(passing, 0, total) : null, rows, keys, { from, to });
}

/** The indexes of the passing rows `from` to `to`. */
function placesOfBits({ bits }: Passing, from: number, to: number): Int32Array {
  const indexes = new Int32Array(to - from);
  let seen = 0;
  for (let index = 0; index < bits.length && seen < to; index += 1) {
    let word = bits[index]!;
    if (seen < from) {
      const here = onesIn(word);
      if (seen + here <= from) {
        seen += here;
        continue;
      }
    }
    for (; word !== 0 && seen < to; seen += 1) {
      if (seen >= from) indexes[seen - from] = index * 32 + (31 - Math.clz32(word & -word));
      word &= word - 1;
    }
  }
  return indexes;
}

function onesIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return (((fours + (fours >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

/** The position of a rank in the key's direction, missing values last. */
const positionOf = ({ missing, direction }: RankedKey, rank: number): number =>
  direction === 1 || rank === missing ? rank : missing - 1 - rank;

interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * Rows `from` to `to` of the candidates in order.
 * @param candidates indexes, ascending; null for all rows
 * @param span the positions of the first key's ranks among the candidates; all of them if omitted
 */
function refine(
  candidates: Int32Array | null,
  rows: number,
  keys: readonly RankedKey[],
  { from, to }: Range,
  span?: { least: number; most: number },
): Int32Array {
  const [key, ...later] = keys;
  if (!key) return candidates!.slice(from, to);
  const length = candidates?.length ?? rows;
  if (length <= FEW) return compared(candidates ?? Int32Array.from({ length }, (_, at) => at), keys).slice(from, to);
  const { least, most } = span ?? { least: 0, most: key.missing };
  const shift = Math.max(0, 32 - Math.clz32(most - least) - BUCKET_BITS);
  const bucketOf = (index: number): number => (positionOf(key, key.ranks[index]!) - least) >>> shift;

  const starts = new Int32Array(((most - least) >>> shift) + 2);
  if (candidates) for (let at = 0; at < length; at += 1) starts[bucketOf(candidates[at]!) + 1]! += 1;
  else for (let index = 0; index < length; index += 1) starts[bucketOf(index) + 1]! += 1;
  for (let bucket = 1; bucket < starts.length; bucket += 1) starts[bucket]! += starts[bucket - 1]!;

  let firstBucket = 0;
  while (starts[firstBucket + 1]! <= from) firstBucket += 1;
  let lastBucket = firstBucket;
  while (starts[lastBucket + 1]! < to) lastBucket += 1;

  // Only the rows of these buckets, bucket by bucket, each in the order of indexes.
  const offset = starts[firstBucket]!;
  const gathered = new Int32Array(starts[lastBucket + 1]! - offset);
  const next = starts.slice(firstBucket, lastBucket + 1);
  const gather = (index: number): void => {
    const bucket = bucketOf(index) - firstBucket;
    if (bucket < 0 || bucket >= next.length) return;
    gathered[next[bucket]! - offset] = index;
    next[bucket]! += 1;
  };
  if (candidates) for (let at = 0; at < length; at += 1) gather(candidates[at]!);
  else for (let index = 0; index < length; index += 1) gather(index);

  const page = new Int32Array(to - from);
  for (let bucket = firstBucket; bucket <= lastBucket; bucket += 1) {
    const [start, end] = [starts[bucket]!, starts[bucket + 1]!];
    if (start === end) continue;
    const inBucket = gathered.subarray(start - offset, end - offset);
    const wanted = { from: Math.max(from, start) - start, to: Math.min(to, end) - start };
    const low = least + bucket * 2 ** shift;
    const part =
      shift === 0
        ? refine(inBucket, rows, later, wanted)
        : refine(inBucket, rows, keys, wanted, { least: low, most: low + 2 ** shift - 1 });
    page.set(part, Math.max(from, start) - from);
  }
  return page;
}

/** A few indexes, sorted by comparison. */
function compared(indexes: Int32Array, keys: readonly RankedKey[]): Int32Array {
  return indexes.toSorted((left, right) => {
    for (const key of keys) {
      const difference = positionOf(key, key.ranks[left]!) - positionOf(key, key.ranks[right]!);
      if (difference !== 0) return difference;
    }
    return left - right;
  });
}
