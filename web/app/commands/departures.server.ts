import type { Departure } from '@tapeline/db/entities/tapes.ts';
import { enterDeparture } from '@tapeline/db/operations/tapes/departures.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { type DepartureBody, MAX_DEPARTED } from '@tapeline/domain/pools/departure.schema.ts';
import { departedAmong } from '@tapeline/lake/roll-forward.ts';
import type { RequestContext } from '../http/context.ts';
import { type AsCaller, openPair } from './pool-analyses.server.ts';
import { assetsOfLine, type RolledPair, rollPair } from './roll-forward.server.ts';

type Services = Pick<RequestContext, 'lake' | 'objects'>;

/** A tape with the previous one of its borrower. @throws Refusal badRequest if there is none to compare with */
async function rolledSincePrevious(services: Services, asCaller: AsCaller, tapeId: string): Promise<RolledPair> {
  const { before, after } = await openPair(services, asCaller, { loanTapeId: tapeId });
  const rolled = before && (await rollPair(services, asCaller, before, after));
  if (!rolled) throw new Refusal('badRequest', 'There is no earlier tape of the borrower with the same ids');
  return rolled;
}

/** Ids of the loans that left since the previous tape and are unexplained, those with the largest balance first. */
export async function unexplainedIds(
  services: Services,
  asCaller: AsCaller,
  tapeId: string,
): Promise<{ before: string; ids: string[]; total: number }> {
  const rolled = await rolledSincePrevious(services, asCaller, tapeId);
  const { assets, total } = await assetsOfLine(services, rolled, { line: 'left' }, { skip: 0, limit: MAX_DEPARTED });
  return {
    before: rolled.before.tape.cutOffDate,
    ids: assets.flatMap(({ assetId }) => assetId ?? []),
    total,
  };
}

/** Ids that a refusal names. */
const NAMED = 5;

/**
 * Says what happened to loans that left since the previous tape.
 * @throws Refusal as `enterDeparture`; badRequest with the flag `assetIds` if one of them did not leave
 */
export async function sayWhatHappened(
  services: Services,
  asCaller: AsCaller,
  { tapeId, body }: { tapeId: string; body: DepartureBody },
): Promise<Departure> {
  const rolled = await rolledSincePrevious(services, asCaller, tapeId);
  const left = new Set(await departedAmong(services.lake, rolled.tapes, body.assetIds));
  const others = body.assetIds.filter((id) => !left.has(id));
  if (others.length > 0) {
    const named = others.slice(0, NAMED).join(', ');
    const more = others.length > NAMED ? ` and ${others.length - NAMED} more` : '';
    throw new Refusal('badRequest', undefined, {
      flags: { assetIds: `did not leave since the previous tape: ${named}${more}` },
    });
  }
  return asCaller((session) => enterDeparture(session, { tapeId, body }));
}
