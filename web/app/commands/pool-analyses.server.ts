import type { LoanTape } from '@tapeline/db/entities/tapes.ts';
import { type PublishedTape, visiblePublishedTapes } from '@tapeline/db/operations/tapes/published-tapes.ts';
import { getTape } from '@tapeline/db/operations/tapes/tapes.ts';
import type { Session } from '@tapeline/db/store.ts';
import { daysBetween } from '@tapeline/domain/dates/calendar-date.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { Field } from '@tapeline/domain/filters/catalog.ts';
import { parseFilter } from '@tapeline/domain/filters/parse.ts';
import { isBanded, parseEdges } from '@tapeline/domain/pools/bands.ts';
import type { PoolCurrency } from '@tapeline/domain/pools/conversion.ts';
import type { LeftOutLoans, LifeSource, LoanLives } from '@tapeline/domain/pools/loan-lives.ts';
import { type PoolSpeeds, poolSpeeds } from '@tapeline/domain/pools/paydown.ts';
import { type RollMatrix, rollMatrix } from '@tapeline/domain/pools/roll-rates.ts';
import { monthsApart } from '@tapeline/domain/pools/speeds.ts';
import { statusMatrix } from '@tapeline/domain/pools/status-migration.ts';
import { type Stratification, stratify } from '@tapeline/domain/pools/stratification.ts';
import type { VintagePeriod } from '@tapeline/domain/pools/vintage-period.ts';
import { type VintageCurves, vintageCurves } from '@tapeline/domain/pools/vintages.ts';
import { filterFields } from '@tapeline/domain/tapes/target-schema.ts';
import { assetListCatalog, heldFields, type TapeSource } from '@tapeline/lake/asset-relation.ts';
import { livesOfOneTape, livesOverTapes } from '@tapeline/lake/loan-lives.ts';
import type { TapePair } from '@tapeline/lake/movements.ts';
import { paydown } from '@tapeline/lake/paydown.ts';
import { rollRates } from '@tapeline/lake/roll-rates.ts';
import { statusMigration } from '@tapeline/lake/status-migration.ts';
import { type StratifiedTape, stratifyTape } from '@tapeline/lake/stratification.ts';
import type { RequestContext } from '../http/context.ts';
import { notOfTheseTapes, sourceOf } from './tape-sources.server.ts';
import { WorkInProgress } from './work-in-progress.server.ts';

/** Runs an operation with the actor's visibility. A tape that the actor cannot see does not exist for the operation. */
export type AsCaller = <Result>(work: (session: Session) => Promise<Result>) => Promise<Result>;

type Services = Pick<RequestContext, 'lake' | 'objects'>;

/** Maximum number of monthly tapes to read: three years and the tape before them. */
const MAX_TAPES = 37;

/**
 * A tape with its currency and exchange rates. The rates of the selected tape are also used for earlier tapes, so that
 * a change in rates does not look like a payment.
 */
export interface OpenTape {
  readonly published: PublishedTape;
  readonly tape: LoanTape;
  readonly source: TapeSource;
  readonly pool: PoolCurrency;
}

const openOne = async (services: Services, published: PublishedTape): Promise<OpenTape> => ({
  published,
  tape: published.tape,
  source: await sourceOf(services, published),
  pool: { currency: published.tape.mainCurrency, rates: published.tape.exchangeRates },
});

async function publishedTape(session: Session, id: string, borrowingBase?: string): Promise<PublishedTape> {
  const tape = await getTape(session, id);
  const choice = { tapeIds: [tape.id], ...(borrowingBase ? { borrowingBase } : {}) };
  const [published] = await visiblePublishedTapes(session, choice);
  if (!published) throw new Refusal('badRequest', 'The tape has no published assets');
  if (borrowingBase && !published.borrowingBase) throw notOfTheseTapes();
  return published;
}

/**
 * @param borrowingBase the one whose results are read with the assets that it was calculated from; by default that of the
 *   first note with the current assets
 * @throws Refusal notFound if not visible, badRequest before it is published, or for a borrowing base that is not the
 * tape's
 */
export const openTape = (
  services: Services,
  asCaller: AsCaller,
  id: string,
  borrowingBase?: string,
): Promise<OpenTape> => asCaller(async (session) => openOne(services, await publishedTape(session, id, borrowingBase)));

/**
 * The published tapes of the same company with an earlier cut-off date, the latest first. None whose ids are row numbers, and
 * none for such a tape: its assets cannot be found on another one.
 */
async function earlierTapes(session: Session, { tape, manifest }: PublishedTape): Promise<PublishedTape[]> {
  if (manifest.unstableIds) return [];
  const all = await visiblePublishedTapes(session, { companyId: tape.companyId, upTo: tape.cutOffDate });
  return all.filter((other) => other.tape.cutOffDate < tape.cutOffDate && !other.manifest.unstableIds);
}

/**
 * A tape and the one it is compared with: the requested one, or the company's previous tape. Null if there is none.
 * @throws Refusal badRequest with the flag `against` if it is not an earlier tape of the company
 */
export function openPair(
  services: Services,
  asCaller: AsCaller,
  asked: { loanTapeId: string; against?: string | undefined },
): Promise<{ after: OpenTape; before: OpenTape | null; choices: LoanTape[] }> {
  return asCaller(async (session) => {
    const published = await publishedTape(session, asked.loanTapeId);
    const earlier = await earlierTapes(session, published);
    const before = asked.against ? earlier.find(({ tape }) => tape.id === asked.against) : earlier[0];
    if (asked.against && !before) {
      throw new Refusal('badRequest', undefined, {
        flags: { against: 'is not an earlier tape of the borrower whose assets can be compared' },
      });
    }
    return {
      after: await openOne(services, published),
      before: before ? await openOne(services, before) : null,
      choices: earlier.map(({ tape }) => tape),
    };
  });
}

/**
 * The company's tapes up to the given one, in ascending order, one per month: the last of each month, and the tape
 * itself for its own month.
 */
export function openSeries(services: Services, asCaller: AsCaller, id: string): Promise<OpenTape[]> {
  return asCaller(async (session) => {
    const published = await publishedTape(session, id);
    const months = new Map([[published.tape.cutOffDate.slice(0, 7), published]]);
    for (const other of await earlierTapes(session, published)) {
      const month = other.tape.cutOffDate.slice(0, 7);
      if (!months.has(month)) months.set(month, other);
    }
    const chosen = [...months.values()].slice(0, MAX_TAPES).reverse();
    return Promise.all(chosen.map((one) => openOne(services, one)));
  });
}

/** Published parts never change, so results computed from them stay valid. They are cached while there is space. */
export async function onceOverTapes<Result>(
  { lake }: Pick<Services, 'lake'>,
  kind: string,
  sources: readonly TapeSource[],
  work: () => Promise<Result>,
): Promise<Result> {
  const key = [kind, ...sources.flatMap(({ cutOffDate, paths }) => [cutOffDate, ...paths])].join('|');
  const kept = await lake.cache.get(key, async () => {
    const result = await work();
    // Two bytes per character of its JSON is an upper bound on its size.
    return { result, bytes: 2 * JSON.stringify(result).length };
  });
  return kept.result;
}

const pairOf = (before: OpenTape, after: OpenTape): TapePair<TapeSource> => ({
  before: before.source,
  after: after.source,
});

/** Null if a tape has no ids or statuses. */
export async function statusMigrationOf({ lake }: Services, before: OpenTape, after: OpenTape) {
  const pair = pairOf(before, after);
  const moves = await onceOverTapes({ lake }, 'statuses', [pair.before, pair.after], () => statusMigration(lake, pair));
  return moves && statusMatrix(moves, after.pool);
}

/** Null if a tape has no ids or days past due. */
export async function rollRatesOf({ lake }: Services, before: OpenTape, after: OpenTape): Promise<RollMatrix | null> {
  const pair = pairOf(before, after);
  const moves = await onceOverTapes({ lake }, 'rolls', [pair.before, pair.after], () => rollRates(lake, pair));
  return moves && rollMatrix(moves, after.pool);
}

/** The speeds from one tape to the next. */
export interface SpeedsBetween {
  readonly from: { readonly id: string; readonly cutOffDate: string };
  readonly to: { readonly id: string; readonly cutOffDate: string };
  /** Null if the tapes are less than half a month or more than a year apart, or have no ids or balances. */
  readonly speeds: PoolSpeeds | null;
}

/** Shows a year of steps between tapes. */
const MAX_STEPS = 12;

/** Number of steps shown for a series. */
const stepsOf = (series: readonly OpenTape[]): number => Math.max(0, Math.min(MAX_STEPS, series.length - 1));

/**
 * Prepayment and default from each tape of a series to the next, the latest last.
 * @param tell called before each step with the number of completed steps
 */
export async function speedsOf(
  { lake }: Services,
  series: readonly OpenTape[],
  tell: (done: number) => void = () => undefined,
): Promise<SpeedsBetween[]> {
  const pool = series[series.length - 1]?.pool;
  const ends = ({ tape }: OpenTape) => ({ id: tape.id, cutOffDate: tape.cutOffDate });
  const listed: SpeedsBetween[] = [];
  const last = series.slice(-MAX_STEPS - 1);
  // Run sequentially, because each step may need a large part of the memory.
  for (const [index, after] of last.slice(1).entries()) {
    tell(index);
    const before = last[index]!;
    const pair = pairOf(before, after);
    const months = monthsApart(daysBetween(before.tape.cutOffDate, after.tape.cutOffDate));
    const cells =
      months === null
        ? null
        : await onceOverTapes({ lake }, 'paydown', [pair.before, pair.after], () => paydown(lake, pair, months));
    const speeds = cells && months !== null && pool ? poolSpeeds(cells, months, pool) : null;
    listed.push({ from: ends(before), to: ends(after), speeds });
  }
  return listed;
}

/** The lives of the loans of a series, and the source that they were read from. */
export interface SeriesLives {
  readonly lives: LoanLives;
  readonly source: LifeSource;
  /** Number of tapes that the lives were read from. */
  readonly tapes: number;
}

/** The tapes of a series that lives are read from. Null if the last one has no origination dates. */
function lifeSources(series: readonly OpenTape[], asked: LifeSource | undefined) {
  const last = series[series.length - 1];
  if (!last?.source.columns.includes('dateFinanced')) return null;
  const source = asked ?? (series.length > 1 ? 'tapes' : 'dates');
  return { source, sources: source === 'tapes' ? series.map((one) => one.source) : [last.source] };
}

/**
 * The lives of the loans of a series that ends with the selected tape. Null if that tape has no origination dates.
 * @param tell called before each tape with the number of tapes read
 */
async function livesOf(
  { lake }: Services,
  series: readonly OpenTape[],
  asked: LifeSource | undefined,
  tell: (done: number) => void,
): Promise<SeriesLives | null> {
  const found = lifeSources(series, asked);
  if (!found) return null;
  const { source, sources } = found;
  const lives = await onceOverTapes({ lake }, `lives by ${source}`, sources, () =>
    source === 'tapes' ? livesOverTapes(lake, sources, tell) : livesOfOneTape(lake, sources[0]!),
  );
  return { lives, source, tapes: sources.length };
}

export interface Vintages {
  readonly curves: VintageCurves;
  readonly leftOut: LeftOutLoans;
  readonly source: LifeSource;
  /** Number of tapes that the lives were read from. */
  readonly tapes: number;
}

interface VintageQuery {
  readonly by: VintagePeriod;
  readonly measure: 'balance' | 'count';
}

/** Vintage curves over a series of tapes that ends with the selected one. */
export function curvesOf(
  { lives, source, tapes }: SeriesLives,
  series: readonly OpenTape[],
  asked: VintageQuery,
): Vintages {
  return {
    curves: vintageCurves(lives.cells, asked, series[series.length - 1]!.pool),
    leftOut: lives.leftOut,
    source,
    tapes,
  };
}

/**
 * Vintage curves over a series of tapes that ends with the selected one. Null if that tape has no origination dates.
 */
export async function vintagesOf(
  services: Services,
  series: readonly OpenTape[],
  asked: VintageQuery & { source?: LifeSource | undefined },
): Promise<Vintages | null> {
  const lives = await livesOf(services, series, asked.source, () => undefined);
  return lives && curvesOf(lives, series, asked);
}

const inHand = new WorkInProgress();
const seriesKey = (kind: string, series: readonly OpenTape[]): string =>
  [kind, ...series.flatMap(({ tape }) => [tape.id, tape.generationId])].join('|');

/** The lives of a series for a screen, or the number of tapes read so far if reading takes too long. */
export const askLives = (services: Services, series: readonly OpenTape[], asked: LifeSource | undefined) =>
  inHand.ask(
    seriesKey(`lives ${asked}`, series),
    lifeSources(series, asked)?.sources.length ?? 0,
    (tell): Promise<SeriesLives | null> => livesOf(services, series, asked, tell),
  );

/** The speeds of a series for a screen, or the number of completed steps so far if the calculation takes too long. */
export const askSpeeds = (services: Services, series: readonly OpenTape[]) =>
  inHand.ask(seriesKey('speeds', series), stepsOf(series), (tell) => speedsOf(services, series, tell));

/**
 * The fields that a tape can be stratified by: all that it contains, and the borrowing base's results for each asset.
 */
export function strataFields(source: TapeSource): Field[] {
  const catalog = assetListCatalog([source]);
  const results = source.borrowingBase ? catalog.fields.filter(({ path }) => path.startsWith('borrowingBase.')) : [];
  return [...heldFields([source]).flatMap(filterFields), ...results];
}

export interface TapeStrata extends Stratification {
  readonly field: Field;
  readonly keys: StratifiedTape['keys'];
  readonly measures: StratifiedTape['measures'];
  readonly edges: StratifiedTape['edges'];
}

/** @throws Refusal badRequest with a flag `field`, `bands` or `filter` */
export async function strataOf(
  { lake }: Services,
  { source, pool }: OpenTape,
  asked: { field: string; bands?: string | undefined; top: number; filter?: string | undefined },
): Promise<TapeStrata> {
  const catalog = assetListCatalog([source]);
  const found = catalog.resolve(asked.field);
  const field = 'field' in found ? strataFields(source).find(({ path }) => path === found.field.path) : undefined;
  if (!field) {
    const could = 'candidates' in found ? found.candidates.map(({ path }) => path) : [];
    const reason =
      could.length > 1
        ? `"${asked.field}" could be ${could.join(' or ')}`
        : `"${asked.field}" is not a field of the tape`;
    throw new Refusal('badRequest', undefined, { flags: { field: reason } });
  }
  const bands = asked.bands?.trim();
  const edges = bands ? parseEdges(bands, field) : null;
  const filter = parseFilter(asked.filter, catalog);
  const key = `strata ${JSON.stringify([field.path, edges, isBanded(field) ? null : asked.top, asked.filter ?? null, pool, source.borrowingBase?.id ?? null])}`;
  const strata = await onceOverTapes({ lake }, key, [source], () =>
    stratifyTape(lake, source, { field, edges, top: asked.top, filter }, pool),
  );
  return { ...stratify(strata.keys, strata.sums, pool), ...strata, field };
}
