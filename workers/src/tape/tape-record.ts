import type { LoanTape } from '@tapeline/db/entities/tapes.ts';
import { getMapping } from '@tapeline/db/operations/mappings/mappings.ts';
import { getTape } from '@tapeline/db/operations/tapes/tapes.ts';
import { systemActor } from '@tapeline/db/store.ts';
import type { SheetShape } from '@tapeline/domain/tapes/generation.ts';
import { type Mapping, parseMapping } from '@tapeline/domain/tapes/mapping.schema.ts';
import type { WorkerContext } from '../context.ts';
import { type CompiledMapping, compileMapping } from './compile/compile.ts';

/** Who the history names for what the workers change. */
export const TAPE_WORKER = systemActor('Tape worker');

/** The tape, and the version of the mapping that it was uploaded with. */
export async function readTapeRecord(
  context: Pick<WorkerContext, 'store'>,
  tapeId: string,
): Promise<{ tape: LoanTape; mapping: Mapping }> {
  return context.store.as(TAPE_WORKER, async (session) => {
    const tape = await getTape(session, tapeId);
    const stored = await getMapping(session, tape.mappingId);
    const mapping = parseMapping({
      rules: stored.rules,
      loanTapeSheetName: stored.loanTapeSheetName,
      extractedOriginColsFromLoanTape: stored.extractedOriginColsFromLoanTape,
      cutOffDate: stored.cutOffDate ?? null,
      primaryCurrency: stored.primaryCurrency,
    });
    return { tape, mapping };
  });
}

/** The mapping compiled for the sheet at hand. @throws Refusal where headers that it reads are missing or doubled */
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

/** The sheet that the tape is on: as uploaded with, else the mapping's. */
export const sheetNameOf = (tape: LoanTape, mapping: Mapping): string => tape.sheetName ?? mapping.loanTapeSheetName;
