import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { type Store, systemActor } from '../../store.ts';

/** The program that runs what is queued. */
export const IMPORTER = systemActor('Importer');

/** Workers that may be lost during an import, or a check, before it fails. */
export const MAX_ATTEMPTS = 3;

const TOO_OFTEN = `was started ${MAX_ATTEMPTS} times and stopped each time before all rows were`;
const FEWER = 'Import fewer rows at once, or contact the support.';

const COUNTED = {
  import: {
    counting: `imports set attempts = attempts + 1, done_count = 0 where status = 'Processing' and attempts`,
    refusal: `Nothing was imported. The import ${TOO_OFTEN} written. ${FEWER}`,
  },
  check: {
    counting: `import_drafts set check_attempts = check_attempts + 1, check_began_at = now(), check_done = 0
      where check_status = 'Processing' and check_attempts`,
    refusal: `The check ${TOO_OFTEN} checked. ${FEWER}`,
  },
} as const;

/**
 * Counts the start of an import, or of the check of a draft, in a transaction of its own: the count stays if the worker
 * is killed.
 * @throws Refusal badRequest if it was started too often
 */
export const countAttempt = (store: Store, what: keyof typeof COUNTED, id: string): Promise<void> =>
  store.as(IMPORTER, async (session) => {
    const { counting, refusal } = COUNTED[what];
    const counted = await session.query<{ id: string }>(
      `update ${counting} < ${MAX_ATTEMPTS} and id = $1 returning id`,
      [id],
    );
    if (counted.length === 0) throw new Refusal('badRequest', refusal);
  });
