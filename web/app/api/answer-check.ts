import { flattenIssues } from '@tapeline/domain/errors/issues.ts';
import type { z } from 'zod';

const pathOf = (path: readonly PropertyKey[]): string => path.map(String).join('.') || 'the answer';

/** Lists the fields of an answer that its schema does not name. Parsing drops these fields. */
function undocumented(answer: unknown, parsed: unknown, path: readonly PropertyKey[]): string[] {
  if (typeof answer !== 'object' || answer === null) return [];
  if (typeof parsed !== 'object' || parsed === null) return [];
  return Object.entries(answer).flatMap(([name, value]) =>
    Object.hasOwn(parsed, name)
      ? undocumented(value, (parsed as Record<string, unknown>)[name], [...path, name])
      : [`${pathOf([...path, name])} is not in the schema`],
  );
}

/** Lists how an answer, as JSON, differs from the schema of its call. One line per difference, empty if it matches. */
export function mismatches(schema: z.ZodType, answer: unknown): string[] {
  const result = schema.safeParse(answer);
  if (result.success) return undocumented(answer, result.data, []);
  return flattenIssues(result.error.issues).map(({ path, message }) => `${pathOf(path)}: ${message}`);
}
