/**
 * Does the work for every item, for `most` of them at the same time. After a failure, what has begun still ends before the
 * error is thrown, so that nothing goes on behind the caller.
 */
export async function eachAtOnce<Item>(
  items: readonly Item[],
  most: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = [...items];
  let hasFailed = false;
  const takeNext = async () => {
    while (left.length > 0 && !hasFailed) {
      await work(left.pop()!).catch((error) => {
        hasFailed = true;
        throw error;
      });
    }
  };
  const results = await Promise.allSettled(Array.from({ length: most }, takeNext));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
