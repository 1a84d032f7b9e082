import type { LoanTape } from '@tapeline/db/entities/tapes.ts';
import { readTapeAndMapping } from '@tapeline/db/operations/tapes/read-tapes.ts';
import { systemActor } from '@tapeline/db/store.ts';
import type { SheetShape } from '@tapeline/domain/tapes/generation.ts';
import { type Mapping, parseMapping } from '@tapeline/domain/tapes/mapping.schema.ts';
import { isAboutCurrency } from '@tapeline/domain/tapes/tape-questions.ts';
import type { WorkerContext } from '../context.ts';
import { type CompiledMapping, compileMapping } from './compile/compile.ts';

/** The actor that the history shows for changes made by the workers. */
export const TAPE_WORKER = systemActor('Tape worker');

/**
 * The rules in the currency that a person answered. If the file names one currency only and that is the answer, a step that
 * names another one of those in doubt has the answer instead. Otherwise the answer is for amounts that name none: a file
 * with several currencies says of each amount which one it is.
 */
export function inAnsweredCurrency<Rules>(
  rules: Rules,
  { primaryCurrency, settledQuestions }: Pick<LoanTape, 'primaryCurrency' | 'settledQuestions'>,
): Rules {
  const doubted = new Set(
    settledQuestions
      .filter(isAboutCurrency)
      .flatMap(({ code, data }) => (code === 'amountCurrency' && data.file === primaryCurrency ? data.choices : [])),
  );
  const answered = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(answered);
    if (typeof value !== 'object' || value === null) return value;
    const fields = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, answered(part)]));
    return fields.type === 'SerializedSum' && doubted.has(String(fields.currency))
      ? { ...fields, currency: primaryCurrency }
      : fields;
  };
  return answered(rules) as Rules;
}

export interface TapeRecord {
  readonly tape: LoanTape;
  readonly mapping: Mapping;
  /** Which stored mapping that is. */
  readonly version: { readonly id: string; readonly version: number };
}

/**
 * The tape and the version of the mapping that it is processed with, in the currency that a person answered, if any.
 * @param mappingId another version to process it with
 */
export async function readTapeRecord(
  context: Pick<WorkerContext, 'store'>,
  tapeId: string,
  mappingId: string | null = null,
): Promise<TapeRecord> {
  const { tape, mapping: stored } = await context.store.read(TAPE_WORKER, (session) =>
    readTapeAndMapping(session, tapeId, mappingId),
  );
  const mapping = parseMapping({
    rules: tape.primaryCurrency ? inAnsweredCurrency(stored.rules, tape) : stored.rules,
    loanTapeSheetName: stored.loanTapeSheetName,
    extractedOriginColsFromLoanTape: stored.extractedOriginColsFromLoanTape,
    cutOffDate: stored.cutOffDate ?? null,
    primaryCurrency: tape.primaryCurrency ?? stored.primaryCurrency,
  });
  return { tape, mapping, version: { id: stored.id, version: stored.mappingVersion } };
}

/**
 * Compiles the mapping for this sheet.
 * @throws Refusal if headers that it reads are missing or duplicated
 */
export function compileForTape(
  tape: LoanTape,
  mapping: Mapping,
  sheet: Pick<SheetShape, 'columns' | 'epoch'>,
): CompiledMapping {
  return compileMapping(
    mapping,
    { headers: sheet.columns, epoch: sheet.epoch },
    { cutOffDate: tape.cutOffDate, primaryCurrency: mapping.primaryCurrency },
  );
}

/** The name of the tape's sheet: the one given at upload, otherwise the mapping's. */
export const sheetNameOf = (tape: LoanTape, mapping: Mapping): string => tape.sheetName ?? mapping.loanTapeSheetName;
