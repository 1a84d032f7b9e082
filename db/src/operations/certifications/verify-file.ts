import { type Store, SYSTEM } from '../../store.ts';
import { countLimitedCall } from '../identity/limits.ts';
import { isSameHash } from '../identity/secrets.ts';

const PER_ADDRESS = { calls: 30, windowMs: 15 * 60_000 };
/** An address without a certificate is compared as well, so that the answer and its time say nothing. */
const NOTHING = '0'.repeat(64);

/**
 * Whether a file is the accepted certificate of an address. It says nothing else: an address that does not exist is answered the same.
 * @throws Refusal tooMany beyond 30 files from one network address in 15 minutes
 */
export const isAcceptedFile = (
  store: Store,
  command: { verification: string; sha256: string; address: string; now: Date; limitFactor?: number },
): Promise<boolean> =>
  store.as(
    SYSTEM,
    async (session) => {
      const { verification, sha256, address, limitFactor = 1 } = command;
      await countLimitedCall(session, {
        [`verify/address/${address}`]: { ...PER_ADDRESS, calls: PER_ADDRESS.calls * limitFactor },
      });
      const [found] = await session.query<{ sha256: string }>(
        `select sha256 from certifications where verification = $1 and status = 'Accepted'`,
        [verification],
      );
      return isSameHash(found?.sha256 ?? NOTHING, sha256) && found !== undefined;
    },
    { now: command.now },
  );
