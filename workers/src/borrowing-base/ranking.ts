import { compareFractions, type Fraction } from '@tapeline/domain/borrowing-base/exact.ts';
import { compareKeys } from '@tapeline/domain/borrowing-base/thresholds.ts';
import type { Sums } from './amount-columns.ts';

/** Compares groups by sum, largest first; 0 for an exact tie. Sums must be normalized. */
export const bySum =
  (sums: Sums) =>
  (a: number, b: number): number =>
    sums.whole[b]! - sums.whole[a]! || sums.part[b]! - sums.part[a]!;

/** Compares groups by any measure, largest first. Null measures come last. */
export function byMeasure(measures: ReadonlyMap<number, Fraction | null>): (a: number, b: number) => number {
  return (a, b) => {
    const [left, right] = [measures.get(a) ?? null, measures.get(b) ?? null];
    if (left === null || right === null) return left === right ? 0 : left === null ? 1 : -1;
    return compareFractions(right, left);
  };
}

/**
 * The groups that can rank among the first `places` by units, and all groups that tie with the last of them.
 * @param error relative error of the units, none of which is below zero: a group that is as near to the last one ties with it
 */
export function leaders(groups: Int32Array, units: Float64Array, places: number, error = 0): Int32Array {
  if (groups.length <= places || groups.length < 256) return groups;
  // A min-heap of the largest values.
  const heap = new Float64Array(places).fill(Number.NEGATIVE_INFINITY);
  for (let next = 0; next < groups.length; next += 1) {
    const value = units[groups[next]!]!;
    if (value <= heap[0]!) continue;
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= places) break;
      if (child + 1 < places && heap[child + 1]! < heap[child]!) child += 1;
      if (heap[child]! >= value) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = value;
  }
  const least = heap[0]! * (1 - 2 * error);
  return groups.filter((group) => units[group]! >= least);
}

/**
 * Sorts groups in rank order and breaks exact ties by key. Only ties that start within the first `places` are broken;
 * the order of the others does not matter.
 * @param keysOf fetches the keys of groups
 */
export async function rank(
  candidates: Int32Array,
  compare: (a: number, b: number) => number,
  places: number,
  keysOf: (groups: readonly number[]) => Promise<ReadonlyMap<number, string | null>>,
): Promise<number[]> {
  const ranked = [...candidates].sort((a, b) => compare(a, b) || a - b);
  const runs: [number, number][] = [];
  for (let start = 0; start < Math.min(places, ranked.length); ) {
    let end = start + 1;
    while (end < ranked.length && compare(ranked[start]!, ranked[end]!) === 0) end += 1;
    if (end - start > 1) runs.push([start, end]);
    start = end;
  }
  if (runs.length === 0) return ranked;
  const keys = await keysOf(runs.flatMap(([start, end]) => ranked.slice(start, end)));
  for (const [start, end] of runs) {
    const tied = ranked.slice(start, end).sort((a, b) => compareKeys(keys.get(a) ?? null, keys.get(b) ?? null));
    ranked.splice(start, tied.length, ...tied);
  }
  return ranked;
}
