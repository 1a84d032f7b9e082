import type { LoanTape } from '@tapeline/db/entities/tapes.ts';
import { assetIdOf } from '@tapeline/db/ids.ts';
import { isId } from '@tapeline/domain/documents/id.schema.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import {
  DELINQUENCY_BUCKETS,
  type DelinquencyBucket,
  ROLL_OUTCOMES,
  type RollOutcome,
} from '@tapeline/domain/pools/delinquency.ts';
import { LIFE_SOURCES } from '@tapeline/domain/pools/loan-lives.ts';
import { FIRST_VALUES, MAX_POOL_VALUES } from '@tapeline/domain/pools/pool-values.ts';
import { VINTAGE_PERIODS, type VintagePeriod } from '@tapeline/domain/pools/vintage-period.ts';
import { assetListCatalog } from '@tapeline/lake/asset-relation.ts';
import { rolledAssets } from '@tapeline/lake/roll-rates.ts';
import {
  askLives,
  askSpeeds,
  curvesOf,
  type OpenTape,
  openPair,
  openSeries,
  openTape,
  rollRatesOf,
  statusMigrationOf,
  strataFields,
  strataOf,
} from '../../../commands/pool-analyses.server.ts';
import { chipsOf, viewFilter } from '../../../components/filters/filter-view.ts';
import type { Screen } from '../../../http/screen.server.ts';
import { pastOf } from './past-base.ts';
import { statusPool } from './pool-by-status.ts';

export const chosen = <const Words extends readonly string[]>(
  text: string | null,
  words: Words,
): Words[number] | null => words.find((word) => word === text) ?? null;

/** The earlier tape of the address that a matrix compares with, by default the previous one, and the others. */
export async function comparedPair({ context, db, url }: Screen, tapeId: string) {
  const against = url.searchParams.get('against');
  const pair = await openPair(context, db, {
    loanTapeId: tapeId,
    against: against === null || against === '' ? undefined : against,
  });
  return {
    ...pair,
    choices: pair.choices.map((tape) => ({ id: tape.id, cutOffDate: tape.cutOffDate, name: tape.attachment.name })),
    measure: url.searchParams.get('measure') === 'count' ? ('count' as const) : ('balance' as const),
  };
}

/** The status migration tab: movements since an earlier tape, and the pool by status. Each is null if it is not known. */
export async function readMigrationView(screen: Screen, tape: Pick<LoanTape, 'id' | 'statistics'>) {
  const { before, after, choices, measure } = await comparedPair(screen, tape.id);
  return {
    kind: 'migration' as const,
    against: before && { id: before.tape.id, cutOffDate: before.tape.cutOffDate },
    choices,
    measure,
    matrix: before && (await statusMigrationOf(screen.context, before, after)),
    pool: tape.statistics ? statusPool(tape.statistics) : null,
  };
}

/** Number of a cell's assets that are shown below the matrix. */
const SHOWN_MOVED = 25;

/** Maximum number of ids in an address, and so of assets that can be opened in the grid. */
const MAX_IDS = 60;

/** Fields that identify a bucket. A filter may only use those that the tape has. */
const heldFacts = ({ source }: OpenTape) =>
  ['assetStatus', 'dates.chargeOffDate'].filter((path) => source.columns.includes(path));

/**
 * The roll rates tab: the matrix compared with an earlier tape, the assets of one of its cells, and the speeds of the
 * last months.
 */
export async function readRollsView(screen: Screen, tapeId: string) {
  const { context, url } = screen;
  const { before, after, choices, measure } = await comparedPair(screen, tapeId);
  const matrix = before && (await rollRatesOf(context, before, after));
  const series = before ? await openSeries(context, screen.db, tapeId) : [];
  const speeds = await askSpeeds(context, series);
  const from = chosen(url.searchParams.get('from'), DELINQUENCY_BUCKETS);
  const to = chosen(url.searchParams.get('to'), ROLL_OUTCOMES);
  return {
    kind: 'rolls' as const,
    against: before && { id: before.tape.id, cutOffDate: before.tape.cutOffDate, held: heldFacts(before) },
    held: heldFacts(after),
    choices,
    measure,
    matrix,
    cell: before && matrix && from && to ? await readCell(screen, before, after, { from, to }) : null,
    speeds: speeds.result,
    speedsRead: speeds.read,
  };
}

async function readCell(
  { context }: Screen,
  before: OpenTape,
  after: OpenTape,
  cell: { from: DelinquencyBucket; to: RollOutcome },
) {
  const pair = { before: before.source, after: after.source };
  const { assets, total } = await rolledAssets(context.lake, pair, { ...cell, limit: MAX_IDS });
  return {
    ...cell,
    total,
    ids: total > MAX_IDS ? null : assets.map(({ assetId }) => assetId),
    assets: assets.slice(0, SHOWN_MOVED).map(({ beforeRow, afterRow, ...asset }) => ({
      ...asset,
      // Link to the asset in the later tape. An asset that left the pool is linked in the earlier tape.
      tapeId: afterRow === null ? before.tape.id : after.tape.id,
      id:
        afterRow === null
          ? assetIdOf(before.source.assetPrefix, beforeRow)
          : assetIdOf(after.source.assetPrefix, afterRow),
    })),
  };
}

/** A period that results in a readable number of vintages. */
function periodFor(months: number): VintagePeriod {
  if (months > 24) return 'year';
  return months > 9 ? 'quarter' : 'month';
}

/** The vintages tab: curves by origination period over the company's tapes up to this one. */
export async function readVintagesView(screen: Screen, tapeId: string) {
  const { context, url } = screen;
  const series = await openSeries(context, screen.db, tapeId);
  const measure = url.searchParams.get('measure') === 'count' ? ('count' as const) : ('balance' as const);
  const source = chosen(url.searchParams.get('source'), LIFE_SOURCES) ?? undefined;
  const { result: lives, read } = await askLives(context, series, source);
  const curvesBy = (by: VintagePeriod) => lives && curvesOf(lives, series, { by, measure });
  const monthly = curvesBy('month');
  const by = chosen(url.searchParams.get('period'), VINTAGE_PERIODS) ?? periodFor(monthly?.curves.vintages.length ?? 0);
  return {
    kind: 'vintages' as const,
    by,
    measure,
    found: by === 'month' ? monthly : curvesBy(by),
    /** Progress of reading the tapes. Null once they are read. */
    read,
    seriesLength: series.length,
    firstCutOffDate: series[0]?.tape.cutOffDate ?? null,
  };
}

/** The borrowing base requested by the address. An invalid id is ignored. */
export const shownBase = (url: URL): string | undefined => [url.searchParams.get('borrowingBase')].find(isId);

/** The default stratification field: the first of these that the tape contains. */
const FIRST_FIELDS = ['interestRate', 'creditScores.grade', 'sums.outstandingSum', 'assetStatus'];

/** The stratification tab: the tape by bands or values of the field named in the address. */
export async function readStrataView(screen: Screen, tapeId: string) {
  const { context, url } = screen;
  const borrowingBase = shownBase(url);
  const open = await openTape(context, screen.db, tapeId, borrowingBase);
  const fields = strataFields(open.source);
  const column =
    url.searchParams.get('column') ??
    FIRST_FIELDS.find((path) => fields.some((field) => field.path === path)) ??
    fields[0]?.path ??
    '';
  const written = { bands: url.searchParams.get('bands') ?? '', top: url.searchParams.get('top') ?? '' };
  const top = Number(written.top || FIRST_VALUES);
  const view = viewFilter(url.searchParams.get('filter'), assetListCatalog([open.source]));
  const problems: { field?: string; bands?: string; top?: string } = {};
  const base = {
    kind: 'strata' as const,
    fields: fields.map(({ path, label, type }) => ({ path, label, type })),
    column,
    written,
    filter: view.text,
    borrowingBase: borrowingBase ?? null,
    past: pastOf(open.published),
    chips: chipsOf(view.filter),
  };
  if (!Number.isInteger(top) || top < 1 || top > MAX_POOL_VALUES) {
    return {
      ...base,
      problems: { ...problems, top: `must be a whole number from 1 to ${MAX_POOL_VALUES}` },
      strata: null,
    };
  }
  try {
    const asked = { field: column, bands: written.bands, top, filter: view.text ?? undefined };
    return { ...base, problems, strata: await strataOf(context, open, asked) };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { ...base, problems: { ...problems, ...error.flags }, strata: null };
  }
}
