import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import {
  type Answer,
  isStored,
  LONGEST_MESSAGE,
  type Question,
  type Stored,
  storedAt,
  storedKey,
  storedPrefix,
} from '@tapeline/workflows/preview/references.ts';
import type { WorkerContext } from '../context.ts';

type Asked<T> = Exclude<T, Stored>;

/** Activities as they are implemented: their inputs and outputs are plain values, never references. */
export type Answering<Activities> = {
  [Name in keyof Activities]: Activities[Name] extends (input: infer Input) => Promise<infer Output>
    ? (input: Asked<Input>) => Promise<Asked<Output>>
    : never;
};

type Referencing<Activities> = {
  [Name in keyof Activities]: Activities[Name] extends (input: infer Input) => Promise<infer Output>
    ? (input: Question<Input>) => Promise<Answer<Output>>
    : never;
};

type AsyncFunctions = Record<string, (input: unknown) => Promise<unknown>>;

/** Wraps the activities so that long questions are read from, and long answers written to, the object store. */
export function byReference<Activities extends object>(
  context: Pick<WorkerContext, 'objects' | 'instance'>,
  activities: Activities,
): Referencing<Activities> {
  const wrapped: AsyncFunctions = {};
  for (const [name, activity] of Object.entries(activities as unknown as AsyncFunctions)) {
    wrapped[name] = async (input) => {
      const question = isStored(input) ? await json(await context.objects.getStream(input.storedAs)) : input;
      return answered(context, await activity(question));
    };
  }
  return wrapped as unknown as Referencing<Activities>;
}

async function answered(context: Pick<WorkerContext, 'objects' | 'instance'>, answer: unknown): Promise<unknown> {
  const written = JSON.stringify(answer);
  if (written.length <= LONGEST_MESSAGE) return answer;
  const storedAs = storedKey(context.instance, randomUUID(), Date.now());
  await context.objects.putStream(storedAs, Readable.from([written]), { type: 'application/json' });
  return { storedAs } satisfies Stored;
}

/** No caller waits this long for an answer. */
const LEFT_BEHIND_MS = 3_600_000;

/** Deletes questions and answers that their callers did not delete. @returns the number of deleted objects */
export async function removeStoredPreviews(
  { objects, instance }: Pick<WorkerContext, 'objects' | 'instance'>,
  now: number,
): Promise<number> {
  const left: string[] = [];
  for await (const { key } of objects.list(storedPrefix(instance))) {
    const madeAt = storedAt(key);
    if (madeAt !== null && now - madeAt > LEFT_BEHIND_MS) left.push(key);
  }
  for (const key of left) await objects.delete(key);
  return left.length;
}
