import { withoutCall } from '@tapeline/db/operations/history/history.ts';
import type { ChangedBy } from '@tapeline/domain/documents/document.schema.ts';

const AUTHORS = new Set(['createdBy', 'changedBy']);

/** Exact number literals and dates are objects too, and are left unchanged. */
export const isPlain = (value: object): value is Record<string, unknown> =>
  Object.getPrototypeOf(value) === Object.prototype;

/**
 * Returns the body without the browser and address of the person who created or changed a document. It processes whole
 * bodies, so that no endpoint can forget it.
 */
export function hideCalls(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(hideCalls);
  if (typeof body !== 'object' || body === null || !isPlain(body)) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      AUTHORS.has(name) && typeof value === 'object' && value !== null
        ? withoutCall(value as ChangedBy)
        : hideCalls(value),
    ]),
  );
}
