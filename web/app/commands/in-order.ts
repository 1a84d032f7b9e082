import { atItem } from '@tapeline/domain/errors/refusal.ts';

/** Runs an operation on each item in order, in the session's transaction. An error names the index of its item. */
export async function runInOrder<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const [index, item] of items.entries()) {
    try {
      results.push(await run(item));
    } catch (error) {
      throw atItem(error, index);
    }
  }
  return results;
}
