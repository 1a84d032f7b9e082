import type { z } from 'zod';

/** What is wanted of vitest's JSON report; null where there is none, or it cannot be read. */
export function readReport<Schema extends z.ZodType>(schema: Schema, text: string | null): z.infer<Schema> | null {
  if (text === null) return null;
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
