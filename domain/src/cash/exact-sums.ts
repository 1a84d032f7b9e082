/** A search ends after this many steps: what it did not find by then is for a person. */
const MAX_STEPS = 2000;
/** Of so many amounts sums are looked for; who has more open is matched by references or by hand. */
export const MAX_SUMMANDS = 24;

export interface ExactSums {
  /** Each set as ascending indexes; at most two, because a second one already means that the sum decides nothing. */
  readonly sets: readonly (readonly number[])[];
  /** False if the search ended early, so that there may be other sets. */
  readonly isComplete: boolean;
}

/**
 * Which of the amounts, at least two of them, add up to the target to the cent. What comes first in the list is tried
 * first. The number of sets doubles with each amount, so the steps are bounded.
 * @param amounts positive, in minor units
 */
export function exactSums(amounts: readonly bigint[], target: bigint): ExactSums {
  const tried = amounts.slice(0, MAX_SUMMANDS);
  // What the amounts from here on add up to: less than is missing means that nothing is found here.
  const after = Array.from({ length: tried.length + 1 }, () => 0n);
  for (let index = tried.length - 1; index >= 0; index -= 1) after[index] = after[index + 1]! + tried[index]!;
  const sets: number[][] = [];
  const chosen: number[] = [];
  let steps = 0;
  const search = (index: number, missing: bigint): void => {
    if (missing === 0n) {
      if (chosen.length > 1) sets.push([...chosen]);
      return;
    }
    if (sets.length > 1 || steps >= MAX_STEPS || index === tried.length || missing > after[index]!) return;
    steps += 1;
    if (tried[index]! <= missing) {
      chosen.push(index);
      search(index + 1, missing - tried[index]!);
      chosen.pop();
    }
    search(index + 1, missing);
  };
  search(0, target);
  return { sets: sets.slice(0, 2), isComplete: steps < MAX_STEPS && tried.length === amounts.length };
}
