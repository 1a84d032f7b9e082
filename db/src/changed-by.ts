import type { ChangedBy } from '@tapeline/domain/documents/document.schema.ts';
import type { Actor } from '@tapeline/domain/people/actor.ts';

/** The call that caused a change, for the history. */
export interface CallOrigin {
  readonly agent?: string | null;
  readonly ip?: string | null;
  readonly locale?: string | null;
}

/** Who changes documents in one transaction, from where, and when. */
export interface Author {
  readonly actor: Actor;
  readonly origin: CallOrigin;
  readonly now: Date;
}

/** The author of a change, in the form that documents and the history use. */
export function changedBy({ actor, origin, now }: Author): ChangedBy {
  return {
    agent: origin.agent ?? null,
    ip: origin.ip ?? null,
    locale: origin.locale ?? null,
    timestamp: now.toISOString(),
    entity:
      actor.kind === 'user'
        ? { id: actor.userId, firstName: actor.firstName, lastName: actor.lastName }
        : { apiName: actor.name },
  };
}
