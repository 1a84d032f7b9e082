import { createHash } from 'node:crypto';
import { departuresBetween } from '@tapeline/db/operations/tapes/departures.ts';
import type { FoundChanges, LoanChange } from '@tapeline/domain/pools/changes.ts';
import {
  type ConvertedRoll,
  convertedRoll,
  type RollForward,
  rollForwardOf,
} from '@tapeline/domain/pools/roll-forward.ts';
import type { TapeSource } from '@tapeline/lake/asset-relation.ts';
import {
  assetsOfRoll,
  changedAssets,
  foundChanges,
  type PairedTapes,
  pairedTapes,
  type RolledChoice,
  rollCells,
} from '@tapeline/lake/roll-forward.ts';
import type { RequestContext } from '../http/context.ts';
import { type AsCaller, type OpenTape, onceOverTapes } from './pool-analyses.server.ts';

type Services = Pick<RequestContext, 'lake'>;

/** Two tapes of a borrower whose assets can be followed, and why the balances of one became those of the other. */
export interface RolledPair {
  readonly before: OpenTape;
  readonly after: OpenTape;
  readonly tapes: PairedTapes<TapeSource>;
  readonly forward: RollForward;
}

/** With what was said of loans that left between the tapes. Null if a tape has no ids or no balances. */
export async function rollPair(
  { lake }: Services,
  asCaller: AsCaller,
  before: OpenTape,
  after: OpenTape,
): Promise<RolledPair | null> {
  const pair = { before: before.source, after: after.source };
  const { companyId, cutOffDate: upTo } = after.tape;
  const departed = await asCaller((session) =>
    departuresBetween(session, { companyId, after: before.tape.cutOffDate, upTo }),
  );
  const key = `roll-forward ${createHash('sha256').update(JSON.stringify(departed)).digest('hex')}`;
  const found = await onceOverTapes({ lake }, key, [pair.before, pair.after], async () => {
    const tapes = await pairedTapes(lake, pair, departed);
    return tapes && { hasRepeatedIds: tapes.hasRepeatedIds, forward: rollForwardOf(await rollCells(lake, tapes)) };
  });
  return (
    found && {
      ...{ before, after, forward: found.forward },
      tapes: { ...pair, departed, hasRepeatedIds: found.hasRepeatedIds },
    }
  );
}

/** The whole pool in the main currency of the later tape. */
export const convertedTotal = ({ before, after, forward }: RolledPair): ConvertedRoll =>
  convertedRoll(forward, after.pool.currency, { before: before.pool.rates, after: after.pool.rates });

/** The changes between the tapes that should not happen. */
export const loanChangesOf = ({ lake }: Services, { tapes }: RolledPair): Promise<FoundChanges> =>
  onceOverTapes({ lake }, 'changes', [tapes.before, tapes.after], () => foundChanges(lake, tapes));

interface Page {
  readonly skip: number;
  readonly limit: number;
}

export const assetsOfLine = ({ lake }: Services, { tapes }: RolledPair, choice: RolledChoice, page: Page) =>
  assetsOfRoll(lake, tapes, choice, page);

export const assetsOfChange = ({ lake }: Services, { tapes }: RolledPair, kind: LoanChange, page: Page) =>
  changedAssets(lake, tapes, kind, page);
