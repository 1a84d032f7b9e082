import type { z } from 'zod';

/** The parts of vitest's JSON report in the schema. Null if the report is missing or cannot be read. */
export function readReport<Schema extends z.ZodType>(schema: Schema, text: string | null): z.infer<Schema> | null {
  if (text === null) return null;
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
