import { REASON_TEXTS } from '../reason.ts';

type Texts = Record<string, (data: never) => string>;

/**
 * Changes every text of a refusal, those without a code included, into one that no program can know: its letters in
 * reverse. Codes and data stay.
 * @returns restores the texts
 */
export function rewordAll(): () => void {
  const texts: Texts = REASON_TEXTS;
  const before = { ...texts };
  for (const [code, text] of Object.entries(before)) texts[code] = (data) => [...text(data)].reverse().join('');
  return () => void Object.assign(texts, before);
}

/** The result of some work during which every text is another. */
export async function reworded<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  const restore = rewordAll();
  try {
    return await work();
  } finally {
    restore();
  }
}
