import { candidatesFor, type NameCandidate } from '@tapeline/db/operations/importer/names.ts';
import { collectionOf } from '@tapeline/db/operations/importer/resolve-names.ts';
import { tenantOf } from '@tapeline/db/operations/permission.ts';
import type { Session } from '@tapeline/db/store.ts';
import type { ImportCheck, ImportRow } from '@tapeline/domain/importer/check.ts';
import { IMPORT_COLUMNS } from '@tapeline/domain/importer/columns.ts';
import { MAX_MATCHED_NAMES, type NamedCollection } from '@tapeline/domain/importer/match-names.ts';

/** A name of the file that is not exactly the name of one document. */
export interface UncertainName {
  readonly collection: NamedCollection;
  readonly label: string;
  readonly text: string;
  readonly rowCount: number;
  readonly candidates: readonly NameCandidate[];
}

const UNCERTAIN = new Set(['uncertainName', 'severalNamed']);

/** The names that a person has to match, each once, those of most rows first. */
export async function uncertainNames(
  session: Session,
  check: ImportCheck,
  rows: readonly ImportRow[],
): Promise<{ shown: UncertainName[]; total: number }> {
  const cellsOf = new Map(rows.map(({ row, cells }) => [row, cells]));
  const labels = new Map(IMPORT_COLUMNS[check.kind].map(({ key, label }) => [key, label]));
  const found = new Map<string, { collection: NamedCollection; label: string; text: string; rowCount: number }>();
  for (const { row, problems } of check.rows) {
    for (const { column, reason } of problems) {
      const cells = cellsOf.get(row);
      if (!cells || column === null || !UNCERTAIN.has(reason?.code ?? '')) continue;
      const collection = collectionOf(column, cells);
      const text = cells[column]?.trim() ?? '';
      if (!collection || text === '') continue;
      const key = `${collection} ${text}`;
      const rowCount = (found.get(key)?.rowCount ?? 0) + 1;
      found.set(key, { collection, label: labels.get(column) ?? column, text, rowCount });
    }
  }
  const all = [...found.values()].toSorted((a, b) => b.rowCount - a.rowCount);
  const shown = all.slice(0, MAX_MATCHED_NAMES);
  if (shown.length === 0) return { shown: [], total: 0 };
  const managerId = await tenantOf(session);
  const candidates = new Map<NamedCollection, Map<string, NameCandidate[]>>();
  for (const collection of new Set(shown.map((one) => one.collection))) {
    const texts = shown.filter((one) => one.collection === collection).map(({ text }) => text);
    candidates.set(collection, await candidatesFor(session, { managerId, collection, texts }));
  }
  return {
    shown: shown.map((one) => ({ ...one, candidates: candidates.get(one.collection)?.get(one.text) ?? [] })),
    total: all.length,
  };
}
