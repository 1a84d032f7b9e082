/** Maps a value to its place on the drawing, in pixels. */
export interface ValueScale {
  (value: number): number;
  /** Round values within the domain, about as many as asked for. */
  ticks(count: number): number[];
}

/** The distance between round ticks: 1, 2 or 5 times a power of ten. */
function stepOf(from: number, to: number, count: number): number {
  const exact = (to - from) / Math.max(1, count);
  if (!(exact > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(exact));
  const error = exact / power;
  return power * (error >= Math.sqrt(50) ? 10 : error >= Math.sqrt(10) ? 5 : error >= Math.sqrt(2) ? 2 : 1);
}

/** Against the error of floating point, where a value is a multiple of a step. */
const EPSILON = 1e-9;
const stepsUpTo = (value: number, step: number): number => Math.floor(value / step + EPSILON);
const stepsFrom = (value: number, step: number): number => Math.ceil(value / step - EPSILON);

/** A multiple of a step, without the error of floating point (3 * 0.1). */
const multiple = (index: number, step: number): number => (step < 1 ? index / Math.round(1 / step) : index * step);

/**
 * A linear scale.
 * @param domain the least and the greatest value
 * @param range their places in pixels
 * @param nice widens the domain to round values, of which there are about this many
 */
export function valueScale(
  [least, greatest]: readonly [number, number],
  [start, end]: readonly [number, number],
  { nice }: { nice?: number } = {},
): ValueScale {
  let [from, to] = [least, greatest];
  if (nice && to > from) {
    // A wider domain can have a wider step, which then holds.
    for (let times = 0; times < 2; times += 1) {
      const step = stepOf(from, to, nice);
      [from, to] = [multiple(stepsUpTo(from, step), step), multiple(stepsFrom(to, step), step)];
    }
  }
  const scale = (value: number): number =>
    to === from ? (start + end) / 2 : start + ((value - from) / (to - from)) * (end - start);
  const ticks = (count: number): number[] => {
    const step = stepOf(from, to, count);
    const [first, last] = [stepsFrom(from, step), stepsUpTo(to, step)];
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => multiple(first + index, step));
  };
  return Object.assign(scale, { ticks });
}

/** Equal bands beside one another. */
export interface BandScale {
  /** Where the band of this index starts. */
  (index: number): number;
  /** From the start of a band to the start of the next. */
  readonly stepPx: number;
  readonly bandPx: number;
}

/**
 * @param inner the gap between two bands, and `outer` that before the first and after the last, as shares of a step
 */
export function bandScale(
  count: number,
  [start, end]: readonly [number, number],
  { inner = 0, outer = 0 }: { inner?: number; outer?: number } = {},
): BandScale {
  const stepPx = (end - start) / Math.max(1, count - inner + outer * 2);
  const first = start + (end - start - stepPx * (count - inner)) / 2;
  return Object.assign((index: number) => first + index * stepPx, { stepPx, bandPx: stepPx * (1 - inner) });
}

/** Points at equal distances from start to end; a single one is in the middle. */
export const pointScale = (count: number, range: readonly [number, number]): BandScale =>
  bandScale(count, range, { inner: 1 });

/**
 * The path of a line through points; it has a gap where there is none.
 * @param isStepped each value stays until the next point
 */
export function linePath(points: readonly (readonly [x: number, y: number] | null)[], isStepped = false): string {
  let path = '';
  for (const [index, point] of points.entries()) {
    if (!point) continue;
    const [x, y] = point.map((each) => Number(each.toFixed(2)));
    const isFirst = !points[index - 1];
    path += isFirst ? `M${x},${y}` : isStepped ? `H${x}V${y}` : `L${x},${y}`;
    // A point without neighbours is drawn as a dot, by the round end of its line.
    if (isFirst && !points[index + 1]) path += 'Z';
  }
  return path;
}
