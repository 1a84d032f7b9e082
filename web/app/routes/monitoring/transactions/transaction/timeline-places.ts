const DAY_MS = 86_400_000;
const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / DAY_MS;

/** Positions of dates on a line of this width, which covers all of them and today. */
export function placeDates(dates: readonly string[], today: string, width: number, side: number) {
  const all = [...dates, today].sort();
  const first = all[0] ?? today;
  const last = all.at(-1) ?? today;
  const span = Math.max(1, dayOf(last) - dayOf(first));
  return {
    first,
    last,
    xOf: (date: string): number =>
      Math.round((side + ((dayOf(date) - dayOf(first)) / span) * (width - 2 * side)) * 10) / 10,
  };
}

/** The parts of a vertical line from top to bottom that pass none of the labels, which are in the order of their rows. */
export function partsBetween(
  [top, bottom]: readonly [number, number],
  labels: readonly { readonly top: number; readonly bottom: number }[],
): [from: number, to: number][] {
  const parts: [number, number][] = [];
  let from = top;
  for (const label of labels) {
    if (label.top > from) parts.push([from, label.top]);
    from = Math.max(from, label.bottom);
  }
  return bottom > from ? [...parts, [from, bottom]] : parts;
}

/** The first days of the years between two dates; every second or fifth of them for a long line. */
export function yearMarks(first: string, last: string): string[] {
  const [from, to] = [Number(first.slice(0, 4)) + 1, Number(last.slice(0, 4))];
  const step = to - from > 24 ? 5 : to - from > 11 ? 2 : 1;
  const marks: string[] = [];
  for (let year = from; year <= to; year += step) marks.push(`${String(year).padStart(4, '0')}-01-01`);
  return marks;
}
