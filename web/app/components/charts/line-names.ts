export type Point = readonly [x: number, y: number];

/** Where a name is written: `x` is its start or its end, by `anchor`, and `y` its middle, in pixels. */
export interface PlacedName {
  readonly x: number;
  readonly y: number;
  readonly anchor: 'start' | 'end';
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const CHARACTER_PX = 6.2;
const LINE_PX = 12;
/** Keeps a name clear of the lines beside it. */
const PADDING_PX = 3;
/** Between a name and the end of its line. */
const GAP_PX = 7;

/** Names stand to the right of the end, then above or below it, then farther away. */
const OFFSETS: readonly (readonly [anchor: PlacedName['anchor'], offsetPx: number])[] = [
  ...[0, -6, 6, -12, 12].map((offset) => ['start', offset] as const),
  ...[-12, 12].map((offset) => ['end', offset] as const),
  ...[-18, 18, -24, 24, -36, 36].flatMap((offset) => [['start', offset] as const, ['end', offset] as const]),
];

const boxOf = ({ x, y, anchor }: PlacedName, widthPx: number): Box => ({
  left: (anchor === 'start' ? x : x - widthPx) - PADDING_PX,
  right: (anchor === 'start' ? x + widthPx : x) + PADDING_PX,
  top: y - LINE_PX / 2,
  bottom: y + LINE_PX / 2,
});

const overlap = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** Whether the segment passes through the box. */
function crosses([fromX, fromY]: Point, [toX, toY]: Point, box: Box): boolean {
  const [start, end] = [Math.max(box.left, Math.min(fromX, toX)), Math.min(box.right, Math.max(fromX, toX))];
  if (start > end) return false;
  const at = (x: number) => (toX === fromX ? toY : fromY + ((x - fromX) / (toX - fromX)) * (toY - fromY));
  const [low, high] =
    toX === fromX ? [Math.min(fromY, toY), Math.max(fromY, toY)] : [at(start), at(end)].sort((a, b) => a - b);
  return low! < box.bottom && high! > box.top;
}

const isCrossed = (line: readonly (Point | null)[], box: Box): boolean =>
  line.some((point, index) => {
    const before = line[index - 1];
    return point && before ? crosses(before, point, box) : false;
  });

/**
 * Places a name at the end of each line so that it covers neither another name nor a line. Where nothing is free, names
 * may cover a line, never each other.
 * @param lines their points in pixels; null is a gap
 * @param bounds the drawing, in pixels
 */
export function placeNames(
  lines: readonly { readonly name: string; readonly points: readonly (Point | null)[] }[],
  bounds: { readonly widthPx: number; readonly heightPx: number },
): (PlacedName | null)[] {
  const taken: Box[] = [];
  return lines.map(({ name, points }) => {
    const end = points.findLast((point) => point !== null);
    if (!end) return null;
    const [x, y] = end;
    const widthPx = name.length * CHARACTER_PX;
    const candidates = OFFSETS.map(
      ([anchor, offset]): PlacedName => ({ x: anchor === 'start' ? x + GAP_PX : x, y: y + offset, anchor }),
    ).filter((candidate) => {
      const box = boxOf(candidate, widthPx);
      const isInside =
        box.left >= 0 && box.right <= bounds.widthPx + PADDING_PX && box.top >= 0 && box.bottom <= bounds.heightPx;
      return isInside && !taken.some((each) => overlap(each, box));
    });
    const free = candidates.find((candidate) => {
      const box = boxOf(candidate, widthPx);
      return !lines.some((line) => isCrossed(line.points, box));
    });
    const placed = free ?? candidates[0] ?? { x: x + GAP_PX, y, anchor: 'start' as const };
    taken.push(boxOf(placed, widthPx));
    return placed;
  });
}
