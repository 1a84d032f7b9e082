import {
  type DictionaryMapping,
  dictionarySources,
  dictionaryVersion,
  type StoredDictionaryTape,
} from '@tapeline/db/operations/tapes/dictionary-tapes.ts';
import type { Session } from '@tapeline/db/store.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import {
  columnsOverTapes,
  type DictionaryLine,
  describeCalculated,
  describeColumns,
  type FilledField,
  type MappedColumns,
  planVersion,
  type TapeWithColumns,
  versionsOfColumns,
  withPlannedColumns,
} from '@tapeline/domain/tapes/data-dictionary.ts';
import { filledFields } from '@tapeline/lake/filled-fields.ts';
import { readSheetColumns } from '@tapeline/lake/storage/sheet-shape.ts';
import type { RequestContext } from '../http/context.ts';
import { tapeSources } from './tape-sources.server.ts';

/** Headers of all tapes together that are read: 1,000 for each tape if there are as many as can be listed. */
const MAX_HEADERS = 240_000;
/** Lines of a dictionary: enough for a sheet with as many columns as Excel allows. */
const MAX_LINES = 20_000;
/** Sheets whose headers are read at the same time. */
const AT_ONCE = 8;
/** Mappings whose last tape is counted. What the others have is unknown. */
const MAX_COUNTED = 20;
const COUNTING_SECONDS = 60;

/** A company's data dictionary. */
export interface DataDictionary {
  readonly company: { readonly id: string; readonly name: string };
  /** Published tapes, and how many of them the dictionary covers: the last ones whose columns are known. */
  readonly tapes: { readonly all: number; readonly read: number };
  readonly lines: readonly DictionaryLine[];
}

interface Caller {
  readonly context: Pick<RequestContext, 'lake' | 'objects'>;
  /** Runs operations as the caller. */
  readonly db: <Result>(work: (session: Session) => Promise<Result>) => Promise<Result>;
  readonly signal: AbortSignal;
}

type ReadMapping = Omit<DictionaryMapping, 'tapes'> & { readonly tapes: readonly TapeWithColumns[] };

/**
 * What each column of a company's published tapes is mapped to, and each field that is calculated without a column, as
 * far as the caller sees the tapes and mappings.
 * @throws Refusal notFound; forbidden without the permissions for mappings and tapes; badRequest if there are more than
 *   20,000 lines, or if counting takes longer than a minute
 */
export async function dataDictionary(caller: Caller, companyId: string): Promise<DataDictionary> {
  const { company, mappings, allTapes } = await caller.db((session) => dictionarySources(session, companyId));
  const read = await readColumns(caller, mappings);
  const lines: DictionaryLine[] = [];
  for (const [index, mapping] of read.entries()) {
    caller.signal.throwIfAborted();
    const filled = index < MAX_COUNTED ? await filledOf(caller, mapping.tapes[0]) : new Map<string, FilledField>();
    for (const line of await caller.db((session) => linesOf(session, mapping, filled))) lines.push(line);
    if (lines.length > MAX_LINES) {
      const most = MAX_LINES.toLocaleString('en');
      throw new Refusal('badRequest', `The tapes have more columns than the ${most} that a data dictionary can list`);
    }
  }
  const tapes = read.reduce((count, mapping) => count + mapping.tapes.length, 0);
  return { company, tapes: { all: allTapes, read: tapes }, lines };
}

/** The mappings with the columns of their tapes, from the last tape on until there are enough headers. */
async function readColumns(
  { context: { objects }, signal }: Caller,
  mappings: readonly DictionaryMapping[],
): Promise<ReadMapping[]> {
  const found = new Map<StoredDictionaryTape, readonly string[]>();
  const tapes = mappings
    .flatMap((mapping) => mapping.tapes)
    .sort((a, b) => Number(a.cutOffDate < b.cutOffDate) - Number(a.cutOffDate > b.cutOffDate));
  let headers = 0;
  for (let at = 0; at < tapes.length && headers < MAX_HEADERS; at += AT_ONCE) {
    signal.throwIfAborted();
    const some = tapes.slice(at, at + AT_ONCE);
    const columns = await Promise.all(some.map((tape) => readSheetColumns(objects, tape)));
    for (const [index, tape] of some.entries()) {
      const named = columns[index];
      if (!named) continue;
      headers += named.length;
      if (headers <= MAX_HEADERS) found.set(tape, named);
    }
  }
  return mappings.map(({ inUseId, tapes: own }) => ({
    inUseId,
    tapes: own.flatMap((tape) => {
      const columns = found.get(tape);
      return columns ? [{ ...tape, columns }] : [];
    }),
  }));
}

/** What the fields of the tape have, by path. */
async function filledOf(
  { context, db, signal }: Caller,
  tape: TapeWithColumns | undefined,
): Promise<ReadonlyMap<string, FilledField>> {
  const [source] = tape ? await db((session) => tapeSources(context, session, { tapeIds: [tape.id] })) : [];
  if (!source) return new Map();
  const late = AbortSignal.timeout(COUNTING_SECONDS * 1000);
  try {
    return await filledFields(context.lake, source, AbortSignal.any([signal, late]));
  } catch (error) {
    if (!late.aborted || signal.aborted) throw error;
    throw new Refusal(
      'badRequest',
      `Counting the values of ${tape?.name} took longer than ${COUNTING_SECONDS} seconds. Try again later.`,
    );
  }
}

/** The lines of one mapping: its columns in order, then the fields that are calculated without a column. */
async function linesOf(
  session: Session,
  { inUseId, tapes }: ReadMapping,
  filled: ReadonlyMap<string, FilledField>,
): Promise<DictionaryLine[]> {
  const inUse = planVersion(await dictionaryVersion(session, inUseId));
  const columns = withPlannedColumns(columnsOverTapes(tapes), inUse);
  const [lastTape] = tapes;
  const last = lastTape && {
    tape: lastTape,
    version: lastTape.mappingId === inUseId ? inUse : planVersion(await dictionaryVersion(session, lastTape.mappingId)),
    filled,
  };
  const mapped: MappedColumns = { columns, inUse, last: last ?? null };
  const versions = versionsOfColumns(mapped);
  const described: ReturnType<typeof describeColumns> = new Map();
  for (const [id, own] of Map.groupBy(columns, (column) => versions.get(column) ?? inUseId)) {
    const version = id === inUseId ? inUse : planVersion(await dictionaryVersion(session, id));
    for (const [column, lines] of describeColumns(own, version, mapped)) described.set(column, lines);
  }
  return [...columns.flatMap((column) => described.get(column) ?? []), ...describeCalculated(mapped)];
}
