/** Insertions, deletions and replacements that turn one text into another. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [place, letter] of [...from].entries()) {
    const next = [place + 1];
    for (const [at, other] of [...to].entries()) {
      const replaced = (row[at] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

const MOST_LETTERS = 60;
const plain = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** The allowed value that was probably meant: the only one that differs by at most a third of its letters. */
export function closestOf(text: string, values: readonly string[]): string | null {
  const meant = plain(text);
  if (meant === '' || meant.length > MOST_LETTERS) return null;
  const near = values
    .map((value) => ({ value, apart: distance(meant, plain(value)) }))
    .filter(({ value, apart }) => apart * 3 <= plain(value).length)
    .toSorted((a, b) => a.apart - b.apart);
  const [first, second] = near;
  return first && first.apart !== second?.apart ? first.value : null;
}
