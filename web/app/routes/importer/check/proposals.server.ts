import { meantCodes } from '@tapeline/db/operations/importer/codes.ts';
import { collectionOf } from '@tapeline/db/operations/importer/resolve-names.ts';
import type { ReadSession } from '@tapeline/db/read-session.ts';
import type { ImportProblem, ImportRow } from '@tapeline/domain/importer/check.ts';
import { IMPORT_COLUMNS } from '@tapeline/domain/importer/columns.ts';
import type { ImportKind } from '@tapeline/domain/importer/kinds.ts';
import { NAMED_COLLECTIONS } from '@tapeline/domain/importer/match-names.ts';
import { type Proposal, proposalOf } from '@tapeline/domain/importer/propose.ts';

/** A row with what is wrong with it. */
interface ProblemRow {
  readonly cells: ImportRow['cells'];
  readonly problems: readonly ImportProblem[];
}

/**
 * What was probably meant by the cells with problems of some rows: a function that returns it for a problem of a row. The
 * codes are looked up in one statement for each collection.
 */
export async function proposalsFor(session: ReadSession, kind: ImportKind, rows: readonly ProblemRow[]) {
  const columns = new Map(IMPORT_COLUMNS[kind].map((column) => [column.key, column]));
  const wanted = { funds: new Set<string>(), mainFunds: new Set<string>(), LPs: new Set<string>() };
  for (const { cells, problems } of rows) {
    for (const { column } of problems) {
      const collection = column === null ? null : collectionOf(column, cells);
      const text = column === null ? '' : (cells[column] ?? '');
      if (collection && text !== '') wanted[collection].add(text);
    }
  }
  const found = new Map<string, Awaited<ReturnType<typeof meantCodes>>>();
  for (const collection of NAMED_COLLECTIONS) {
    if (wanted[collection].size > 0)
      found.set(collection, await meantCodes(session, collection, [...wanted[collection]]));
  }
  return ({ cells }: Pick<ProblemRow, 'cells'>, problem: ImportProblem): Proposal | null => {
    const column = problem.column === null ? undefined : columns.get(problem.column);
    if (!column) return null;
    const text = cells[column.key] ?? '';
    const collection = collectionOf(column.key, cells);
    if (!collection) return proposalOf(column, text, problem);
    // A code that names something is right, whatever else is wrong with it.
    if (problem.kind !== 'reference' && problem.kind !== 'value') return null;
    const meant = found.get(collection)?.get(text);
    return meant ? { value: String(meant.code), title: meant.title } : null;
  };
}
