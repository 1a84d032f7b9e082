import { ERROR_CATALOGUE, isRefusal, Refusal, refuseIssues } from '@tapeline/domain/errors/refusal.ts';
import { REFUSAL_FAILURE } from '@tapeline/workflows/queues.ts';
import { z } from 'zod';

/** The body of every answer that is not a success. */
export const errorBodySchema = z
  .object({
    name: z.string(),
    message: z.string(),
    code: z.int().min(400).max(502),
    flags: z.record(z.string(), z.string()).optional(),
    traceId: z.string(),
    issues: z.array(z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() })).optional(),
  })
  .meta({ id: 'Error' });
export type ErrorBody = z.infer<typeof errorBodySchema>;

/** A refusal of a workflow or activity keeps its words on the way here; everything else is not the caller's business. */
export function asRefusal(error: unknown): Refusal | null {
  if (isRefusal(error)) return error;
  if (error instanceof z.ZodError) return refuseIssues(error.issues);
  for (let cause: unknown = error, depth = 0; cause instanceof Error && depth < 8; cause = cause.cause, depth++) {
    const failure = cause as Error & { type?: string; details?: unknown[] };
    if (failure.type === REFUSAL_FAILURE) {
      const [details] = (failure.details ?? []) as [
        { code?: Refusal['code']; flags?: Refusal['flags']; issues?: Refusal['issues'] }?,
      ];
      return new Refusal(details?.code ?? 'badRequest', failure.message, {
        ...(details?.flags ? { flags: details.flags } : {}),
        ...(details?.issues ? { issues: details.issues } : {}),
      });
    }
  }
  return null;
}

/** The catalogue's body for a fault; without inner text where the fault is ours. */
export function errorBody(error: unknown, traceId: string): ErrorBody {
  const refusal = asRefusal(error) ?? new Refusal('serverError');
  const entry = ERROR_CATALOGUE[refusal.code];
  return {
    name: entry.name,
    message: refusal.message,
    code: entry.status,
    ...(refusal.flags ? { flags: refusal.flags } : {}),
    traceId,
    ...(refusal.issues ? { issues: refusal.issues.map(({ path, message }) => ({ path: [...path], message })) } : {}),
  };
}

export function errorResponse(error: unknown, traceId: string): Response {
  const body = errorBody(error, traceId);
  return new Response(JSON.stringify(body), {
    status: body.code,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
  });
}
