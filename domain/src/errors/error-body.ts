import { z } from 'zod';
import { ERROR_CATALOGUE, type Refusal } from './refusal.ts';

/** The body of every answer that is not a success. */
export const errorBodySchema = z
  .object({
    name: z.string(),
    message: z.string(),
    code: z.int().min(400).max(502),
    flags: z.record(z.string(), z.string()).optional().meta({ description: 'Field path to reason' }),
    traceId: z.string(),
    issues: z.array(z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() })).optional(),
  })
  .meta({ id: 'Error' });
export type ErrorBody = z.infer<typeof errorBodySchema>;

/** The catalogue's body for a refusal. @param traceId of the request, as its log lines have it */
export function errorBodyOf({ code, message, flags, issues }: Refusal, traceId: string): ErrorBody {
  const { name, status } = ERROR_CATALOGUE[code];
  return {
    name,
    message,
    code: status,
    ...(flags ? { flags } : {}),
    traceId,
    ...(issues ? { issues: issues.map(({ path, message: reason }) => ({ path: [...path], message: reason })) } : {}),
  };
}
