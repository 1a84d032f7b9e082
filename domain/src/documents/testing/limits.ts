import { expect, it } from 'vitest';
import type { z } from 'zod';
import { issuesOf, plainMessage } from '../../errors/issues.ts';

/**
 * A field of a body, a value within its limit, a value beyond it, and the message of the error, which is at the field
 * unless another path is given. The value `ABSENT` removes the field.
 */
export type Limit = readonly [
  path: string,
  within: unknown,
  beyond: unknown,
  message: string | RegExp,
  errorPath?: string,
];

export const ABSENT = Symbol('absent');

/** The body with one field changed. `callPurposes.0.title` is the title of the first purpose. */
export function changed(body: unknown, path: string, value: unknown): unknown {
  const [name = '', ...rest] = path.split('.');
  const held = Array.isArray(body) ? [...body] : { ...(body as object) };
  const fields = held as Record<string, unknown>;
  if (rest.length > 0) fields[name] = changed(fields[name], rest.join('.'), value);
  else if (value === ABSENT) delete fields[name];
  else fields[name] = value;
  return held;
}

/** The errors of a body, as the API reports them: the first message of each path. */
export function errorsOf(schema: z.ZodType, body: unknown): Record<string, string> {
  const result = schema.safeParse(body, { error: plainMessage });
  if (result.success) return {};
  const errors: Record<string, string> = {};
  for (const { path, message } of issuesOf(result.error, body)) errors[path.map(String).join('.')] ??= message;
  return errors;
}

/** Tests each limit of a schema with a value on each side of it. */
export function testLimits(name: string, schema: z.ZodType, example: unknown, limits: readonly Limit[]): void {
  it(`${name} accepts its example`, () => expect(errorsOf(schema, example)).toEqual({}));
  it.each(limits.map((limit, index) => ({ index, path: limit[0], message: String(limit[3]), limit })))(
    `${name} limits $path: $message ($index)`,
    ({ limit: [path, within, beyond, message, errorPath = path] }) => {
      expect(errorsOf(schema, changed(example, path, within))).toEqual({});
      expect(errorsOf(schema, changed(example, path, beyond))).toMatchObject({
        [errorPath]: typeof message === 'string' ? message : expect.stringMatching(message),
      });
    },
  );
}

export const text = (length: number): string => 'x'.repeat(length);
export const times = <Item>(count: number, item: Item): Item[] => Array.from({ length: count }, () => item);
export const ids = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => index.toString(16).padStart(24, '0'));
