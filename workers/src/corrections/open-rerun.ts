import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import type { LoanTape } from '@tapeline/db/entities/tapes.ts';
import type { Attempt } from '@tapeline/db/operations/tapes/generations.ts';
import { readPublishedParts } from '@tapeline/db/operations/tapes/read-tapes.ts';
import { generationPrefix } from '@tapeline/db/operations/tapes/tapes.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { type CorrectionRecord, changedCells, type RowCorrection } from '@tapeline/domain/tapes/corrections.schema.ts';
import type { GenerationManifest, SheetShape } from '@tapeline/domain/tapes/generation.ts';
import { readErroredRows } from '@tapeline/lake/errored-assets.ts';
import type { Lake } from '@tapeline/lake/lake.ts';
import { localPaths } from '@tapeline/lake/storage/object-store.ts';
import { readSheetShape } from '@tapeline/lake/storage/sheet-shape.ts';
import type { WorkerContext } from '../context.ts';
import type { CompiledMapping } from '../tape/compile/compile.ts';
import { earlierTape } from '../tape/earlier-tape.ts';
import { compileForTape, readTapeRecord, TAPE_WORKER } from '../tape/tape-record.ts';
import type { CorrectedInput } from './map-corrected.ts';
import type { OriginFacts, OriginRow } from './raw-cells.ts';

/** A published tape at the start of a re-run. */
export interface RerunBase {
  readonly tape: LoanTape;
  readonly generationId: string;
  readonly manifest: GenerationManifest;
  readonly shape: SheetShape;
  readonly compiled: CompiledMapping;
  readonly facts: OriginFacts;
  readonly assetsPaths: readonly string[];
  readonly erroredPaths: readonly string[];
}

/**
 * Opens the base of a re-run: the published parts, and the mapping compiled in the same way as for the tape.
 * @throws Refusal notFound; badRequest if the tape is not published
 */
export async function openRerunBase(context: WorkerContext, tapeId: string): Promise<RerunBase> {
  const { tape, mapping } = await readTapeRecord(context, tapeId);
  const published = await context.store.read(TAPE_WORKER, (session) => readPublishedParts(session, tapeId));
  if (!published) throw new Refusal('badRequest', 'The tape is not published yet: wait until processing is complete');
  const { generationId, manifest } = published;
  const shape = await readSheetShape(context.objects, { objectPrefix: generationPrefix(tapeId, generationId) });
  const local = (keys: readonly string[]) => localPaths(context.objects, keys);
  const isCsv = (shape.kind ?? (/\.csv$/i.test(tape.attachment.name) ? 'csv' : 'xlsx')) === 'csv';
  return {
    tape,
    generationId,
    manifest,
    shape,
    compiled: compileForTape(tape, mapping, shape),
    facts: { epoch: shape.epoch, isCsv },
    assetsPaths: await local(manifest.assets),
    erroredPaths: await local(manifest.errored),
  };
}

/** The rows with these numbers that are still errored in the base. */
export async function erroredRowsOf(lake: Lake, base: RerunBase, rows: readonly number[]): Promise<OriginRow[]> {
  const { discarded = [] } = base.manifest;
  if (discarded === 'all') return [];
  const gone: ReadonlySet<number> = new Set(discarded);
  const read = await readErroredRows(lake, base.erroredPaths, rows);
  return read.filter(({ row }) => !gone.has(row));
}

/** Complete corrected rows, and the changed cells of each. */
export interface CorrectedRows {
  readonly rows: readonly OriginRow[];
  readonly changes: readonly Pick<CorrectionRecord, 'row' | 'cells'>[];
}

/**
 * Applies corrections to the rows as they were originally read.
 * @throws Refusal badRequest if a row is no longer errored, or a header is not one of the tape's headers
 */
export async function applyCorrections(
  lake: Lake,
  base: RerunBase,
  corrections: readonly RowCorrection[],
): Promise<CorrectedRows> {
  const before = new Map(
    (
      await erroredRowsOf(
        lake,
        base,
        corrections.map(({ row }) => row),
      )
    ).map((found) => [found.row, found.origin]),
  );
  const rows: OriginRow[] = [];
  const changes: CorrectedRows['changes'][number][] = [];
  for (const { row, cells } of corrections) {
    const origin = before.get(row);
    if (!origin) throw new Refusal('badRequest', `Row ${row} is not an errored row of this tape`);
    const foreign = Object.keys(cells).find((header) => !Object.hasOwn(origin, header));
    if (foreign !== undefined) throw new Refusal('badRequest', `The tape does not have the column "${foreign}"`);
    rows.push({ row, origin: { ...origin, ...cells } });
    changes.push({ row, cells: changedCells(cells, origin) });
  }
  return { rows, changes };
}

export async function correctedInput(
  context: WorkerContext,
  base: RerunBase,
  rows: readonly OriginRow[],
): Promise<CorrectedInput> {
  return {
    compiled: base.compiled,
    headers: base.shape.columns,
    facts: base.facts,
    rows,
    assetsPaths: base.assetsPaths,
    earlier: await earlierTape(context, base.tape.companyId, base.tape.cutOffDate),
  };
}

/** All corrections of the tape so far, in the order in which they were made. */
export async function storedCorrections(
  context: Pick<WorkerContext, 'objects'>,
  { manifest }: Pick<RerunBase, 'manifest'>,
): Promise<CorrectionRecord[]> {
  if (!manifest.corrections) return [];
  return (await json(await context.objects.getStream(manifest.corrections))) as CorrectionRecord[];
}

/** Stores all corrections of the tape with its next generation. @returns their object key */
export async function storeCorrections(
  context: Pick<WorkerContext, 'objects'>,
  { objectPrefix }: Pick<Attempt, 'objectPrefix'>,
  records: readonly CorrectionRecord[],
): Promise<string> {
  const key = `${objectPrefix}corrections.json`;
  await context.objects.putStream(key, Readable.from([JSON.stringify(records)]), { type: 'application/json' });
  return key;
}
