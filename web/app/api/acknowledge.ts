import { staleRefusal } from '@tapeline/db/database-refusals.ts';
import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import { type Actor, can, type PermissionKey, readKeyOf } from '@tapeline/domain/people/actor.ts';
import type { Endpoint } from './endpoint.ts';
import { isPlain } from './hide-calls.ts';

/**
 * Whether the caller may see the documents that the call answers with: a call that changes documents shows them to who
 * may read them.
 */
export function mayReadAnswer({ access }: Pick<Endpoint, 'access'>, actor: Actor | null): boolean {
  if (!actor || !access.endsWith('/write')) return true;
  return can(actor, readKeyOf(access as PermissionKey));
}

/**
 * What a person who may change documents, but not read them, is told about them: their ids and versions. It processes
 * whole bodies, so that no endpoint can forget it.
 */
export function acknowledge(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(acknowledge);
  if (typeof body !== 'object' || body === null || !isPlain(body)) return body;
  if ('id' in body) return 'version' in body ? { id: body.id, version: body.version } : { id: body.id };
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, acknowledge(value)]));
}

/** The refusal of a change that came too late, as `acknowledge` has documents: without who changed it, and when. */
export function acknowledgeRefusal(error: unknown): unknown {
  if (!isRefusal(error)) return error;
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (!isRefusal(cause) || !cause.conflict) continue;
    return new Refusal(error.code, staleRefusal().message, {
      ...(error.flags ? { flags: error.flags } : {}),
      cause: error,
    });
  }
  return error;
}
