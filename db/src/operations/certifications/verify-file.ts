import { type Store, SYSTEM } from '../../store.ts';
import { countLimitedCall } from '../identity/limits.ts';
import { isSameHash } from '../identity/secrets.ts';

const PER_ADDRESS = { calls: 30, windowMs: 15 * 60_000 };
/** An address without a certificate is compared as well, so that the answer and its time say nothing. */
const NOTHING = '0'.repeat(64);

/**
 * Counts a file that is to be verified. Call it before the file is read.
 * @throws Refusal tooMany beyond 30 files from one network address in 15 minutes
 */
export const countVerification = (
  store: Store,
  { address, now, limitFactor = 1 }: { address: string; now: Date; limitFactor?: number },
): Promise<unknown> =>
  store.as(
    SYSTEM,
    (session) =>
      countLimitedCall(session, {
        [`verify/address/${address}`]: { ...PER_ADDRESS, calls: PER_ADDRESS.calls * limitFactor },
      }),
    { now },
  );

/** Whether a file is the accepted certificate of an address. It says nothing else: an address that does not exist is answered the same. */
export const isAcceptedFile = (
  store: Store,
  { verification, sha256, now }: { verification: string; sha256: string; now: Date },
): Promise<boolean> =>
  store.as(
    SYSTEM,
    async (session) => {
      const [found] = await session.query<{ sha256: string }>(
        `select sha256 from certifications where verification = $1 and status = 'Accepted'`,
        [verification],
      );
      return isSameHash(found?.sha256 ?? NOTHING, sha256) && found !== undefined;
    },
    { now },
  );
