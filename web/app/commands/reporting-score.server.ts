import { type ReportingScore, reportingScore } from '@tapeline/domain/pools/reporting-score.ts';
import type { RequestContext } from '../http/context.ts';
import { type AsCaller, type OpenTape, openSeries } from './pool-analyses.server.ts';
import { convertedTotal, loanChangesOf, rollPair } from './roll-forward.server.ts';
import { type TapesRead, WorkInProgress } from './work-in-progress.server.ts';

type Services = Pick<RequestContext, 'lake' | 'objects'>;

/** Months that are scored. */
const MAX_MONTHS = 12;

export interface ScoredMonth extends ReportingScore {
  readonly tapeId: string;
  /** The tape of the month before; null for the first one. */
  readonly against: string | null;
  readonly cutOffDate: string;
}

/** The tapes of the last months up to the given one, and the one before them. */
const scoredSeries = async (services: Services, asCaller: AsCaller, tapeId: string): Promise<readonly OpenTape[]> =>
  (await openSeries(services, asCaller, tapeId)).slice(-MAX_MONTHS - 1);

/** @param tell called before each comparison with the number of completed ones */
async function scoresOf(
  services: Services,
  asCaller: AsCaller,
  tapes: readonly OpenTape[],
  tell: (done: number) => void,
): Promise<ScoredMonth[]> {
  const months: ScoredMonth[] = [];
  // Run sequentially, because each comparison may need a large part of the memory.
  for (const [index, after] of tapes.slice(-MAX_MONTHS).entries()) {
    tell(index);
    const before = tapes[tapes.indexOf(after) - 1];
    const rolled = before ? await rollPair(services, asCaller, before, after) : null;
    const found = rolled && (await loanChangesOf(services, rolled));
    const { tape } = after;
    months.push({
      tapeId: tape.id,
      against: before?.tape.id ?? null,
      cutOffDate: tape.cutOffDate,
      ...reportingScore({
        cutOffDate: tape.cutOffDate,
        uploadedOn: tape.metadata.iat.slice(0, 10),
        rows: { assets: tape.counts?.assets ?? 0, errored: tape.counts?.errored ?? 0 },
        restatements: tape.restatements,
        since: rolled && found && { total: convertedTotal(rolled), ...found },
      }),
    });
  }
  return months.reverse();
}

/** The scores of the borrower's last months up to a tape, the latest first. */
export const readScores = async (services: Services, asCaller: AsCaller, tapeId: string): Promise<ScoredMonth[]> =>
  scoresOf(services, asCaller, await scoredSeries(services, asCaller, tapeId), () => undefined);

const inHand = new WorkInProgress();

/** The same for a screen, or how many months have been read if it takes too long. */
export async function askScores(
  services: Services,
  asCaller: AsCaller,
  tapeId: string,
): Promise<{ result: ScoredMonth[]; read: null } | { result: null; read: TapesRead }> {
  const series = await scoredSeries(services, asCaller, tapeId);
  const key = series.map(({ tape }) => `${tape.id} ${tape.generationId}`).join('|');
  return inHand.ask(`scores|${key}`, Math.min(MAX_MONTHS, series.length), (tell) =>
    scoresOf(services, asCaller, series, tell),
  );
}
