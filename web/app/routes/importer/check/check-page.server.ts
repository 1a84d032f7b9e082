import { redirect } from '@remix-run/node';
import { formatCalendarDate, isCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import type { ImportCheck, ImportProblem, ImportRow } from '@tapeline/domain/importer/check.ts';
import { IMPORT_COLUMNS, type ImportColumn } from '@tapeline/domain/importer/columns.ts';
import { type ImportKind, isFileKind } from '@tapeline/domain/importer/kinds.ts';
import { sameCells } from '@tapeline/domain/importer/propose.ts';
import { formatFigure } from '../../../components/figures/format.ts';
import { skipOf } from '../../../components/page/skip.ts';
import type { Screen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { checkOrWait, warningsKey } from '../check-draft.server.ts';
import { type OpenDraft, openDraft } from '../draft-page.server.ts';
import { ROWS_PER_PAGE } from './check-form.ts';
import { controlTotalsOf } from './control-total.ts';
import { uncertainNames } from './names.server.ts';
import { proposalsFor } from './proposals.server.ts';

export const VIEWS = ['problems', 'corrected', 'ok', 'all'] as const;
export type View = (typeof VIEWS)[number];

export interface ShownCell {
  readonly index: number;
  /** As it would be imported. */
  readonly text: string;
  /** As people read it: with grouped digits, or as a date in words. */
  readonly shown: string;
  /** What the file has, if it was corrected. */
  readonly original: string | null;
  readonly isProblem: boolean;
  /** What the code in the cell stands for. */
  readonly title: string | null;
}

export interface ShownProblem {
  readonly label: string | null;
  readonly message: string;
  /** A value that was probably meant, and how many rows have the same text in this column with a problem. */
  readonly proposed: {
    readonly index: number;
    readonly value: string;
    readonly title: string | null;
    readonly rowCount: number;
  } | null;
}

export interface ShownRow {
  readonly row: number;
  /** The cell of the file, if its columns were turned into rows. */
  readonly source: string | null;
  readonly cells: readonly ShownCell[];
  readonly problems: readonly ShownProblem[];
  readonly isCorrected: boolean;
  readonly isRemoved: boolean;
  /** All its cells can be edited. */
  readonly isOpen: boolean;
}

const grouped = (text: string): string => {
  const [whole = '', fraction] = text.replace(/^-/, '').split('.');
  const digits = whole.replaceAll(/\B(?=(\d{3})+(?!\d))/g, ',');
  return `${text.startsWith('-') ? '−' : ''}${digits}${fraction === undefined ? '' : `.${fraction}`}`;
};

function shownText({ type }: ImportColumn, text: string): string {
  if (type === 'decimal' && /^-?\d+(\.\d+)?$/.test(text)) return grouped(text);
  return type === 'date' && isCalendarDate(text) ? formatCalendarDate(text) : text;
}

/** Columns that the file has, and those with a problem. */
function columnsOf(draft: OpenDraft, problems: Iterable<readonly ImportProblem[]>) {
  const wanted = new Set(Object.keys(draft.content.mapping ?? {}));
  for (const list of problems) for (const { column } of list) if (column !== null) wanted.add(column);
  return IMPORT_COLUMNS[draft.content.kind].flatMap((column, index) =>
    wanted.has(column.key) ? [{ ...column, index }] : [],
  );
}

type Propose = Awaited<ReturnType<typeof proposalsFor>>;

function problemsOf(
  kind: ImportKind,
  row: Pick<ImportRow, 'cells'> & { problems: readonly ImportProblem[] },
  propose: Propose,
  counts: ReadonlyMap<string, number>,
): ShownProblem[] {
  const columns = IMPORT_COLUMNS[kind];
  return row.problems.map((problem) => {
    const index = columns.findIndex(({ key }) => key === problem.column);
    const column = columns[index];
    const proposed = propose(row, problem);
    const rowCount = (column && counts.get(sameCells(column, row.cells) ?? '')) ?? 1;
    return {
      label: column?.label ?? null,
      message: problem.message,
      proposed: proposed && { index, rowCount, ...proposed },
    };
  });
}

/** How many rows have a problem in a cell that means the same. */
function countProblems(check: ImportCheck, cellsOf: ReadonlyMap<number, ImportRow['cells']>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { row, problems } of check.rows) {
    const wrong = new Set(problems.flatMap((one) => one.column ?? []));
    for (const column of IMPORT_COLUMNS[check.kind].filter(({ key }) => wrong.has(key))) {
      const same = sameCells(column, cellsOf.get(row) ?? {});
      if (same !== null) counts.set(same, (counts.get(same) ?? 0) + 1);
    }
  }
  return counts;
}

/** What one page of the check shows. @throws Response where the draft's current step is, if it is another */
export async function readCheckPage(screen: Screen) {
  const draft = await openDraft(screen);
  const { id, version, content, table, createdAt } = draft;
  if (draft.importId) throw redirect(paths.importRecord(draft.importId));
  if (isFileKind(content.kind)) throw redirect(paths.importFiles(id));
  if (!content.sheet || !table || !content.mapping) throw redirect(paths.importColumns(id));
  const { check, tookMs: checkedMs } = await checkOrWait(screen, draft);
  const results = new Map(check.rows.map(({ row, problems }) => [row, problems]));
  const removed = new Set(content.removedRows);
  const changed = new Set(content.changes.map(({ row }) => row));
  const now = new Map(draft.rows.map((one) => [one.row, one.cells]));
  const inView = (view: View) =>
    draft.original.filter(({ row }) => {
      const hasProblem = (results.get(row) ?? []).length > 0;
      if (view === 'problems') return hasProblem;
      if (view === 'corrected') return changed.has(row) || removed.has(row);
      return view === 'all' || (!hasProblem && !removed.has(row));
    });
  const counts = Object.fromEntries(VIEWS.map((view) => [view, inView(view).length])) as Record<View, number>;
  const { searchParams } = screen.url;
  const asked = VIEWS.find((view) => view === searchParams.get('show'));
  const view = asked ?? (counts.problems > 0 ? 'problems' : 'all');
  const skip = Math.min(skipOf(searchParams), Math.max(0, counts[view] - 1));
  const opened = Number(searchParams.get('row') ?? 0);
  const columns = columnsOf(draft, results.values());
  const titles = new Map(check.references.map(({ column, code, title }) => [`${column} ${code}`, title]));
  const onPage = inView(view)
    .slice(skip, skip + ROWS_PER_PAGE)
    .map(({ row, source = null, cells: before }) => ({
      row,
      source,
      before,
      cells: now.get(row) ?? before,
      problems: results.get(row) ?? [],
    }));
  const propose = await screen.db((session) => proposalsFor(session, content.kind, onPage));
  const problemCounts = countProblems(check, now);
  const rows = onPage.map((one): ShownRow => {
    const { row, before, cells, problems } = one;
    return {
      row,
      source: one.source,
      cells: columns.map((column) => {
        const text = cells[column.key] ?? '';
        const original = before[column.key] ?? '';
        return {
          index: column.index,
          text,
          shown: shownText(column, text),
          original: original === text ? null : shownText(column, original),
          isProblem: problems.some((problem) => problem.column === column.key),
          title: titles.get(`${column.key} ${text}`) ?? null,
        };
      }),
      problems: problemsOf(content.kind, one, propose, problemCounts),
      isCorrected: changed.has(row),
      isRemoved: removed.has(row),
      isOpen: row === opened,
    };
  });
  const problemCount = [...results.values()].reduce((sum, list) => sum + list.length, 0);
  return {
    id,
    version,
    kind: content.kind,
    status: content.status,
    createdAt: createdAt.toISOString(),
    checkedMs,
    file: { ...content.sheet, sheetName: table.sheetName, isWorkbook: table.kind === 'xlsx' },
    notes: notesOf(draft),
    shared: sharedOf(draft),
    mapped: Object.keys(content.mapping).length,
    columns: columns.map(({ key, label, type, index }) => ({
      key,
      label,
      index,
      isNumber: type === 'decimal',
    })),
    rows,
    view,
    counts,
    problemCount,
    totalCount: check.totalCount,
    readyCount: check.readyCount,
    skip,
    removedCount: removed.size,
    changeCount: content.changes.length,
    blankRows: table.blankRows,
    before: check.before,
    after: check.after,
    funds: check.funds ?? [],
    warnings: {
      count: check.warnings?.length ?? 0,
      first: check.warnings?.slice(0, MAX_WARNINGS) ?? [],
      key: warningsKey(check),
    },
    names: await screen.db((session) => uncertainNames(session, check, draft.rows)),
    control: controlTotalsOf(content.kind, {
      rows: draft.rows,
      results: check.rows,
      totalRows: draft.totalRows,
      mapping: content.mapping,
    }),
    references: referencesOf(check, draft.rows),
  };
}

/** What a person gave for columns that the file does not have: "Fund code: Harbour". */
function sharedOf({ content: { kind, mapping, values = {}, valuesBy = {} }, table }: OpenDraft): string[] {
  const headers = new Map((table?.columns ?? []).map(({ letters, header }) => [letters, header]));
  return IMPORT_COLUMNS[kind].flatMap(({ key, label }) => {
    if (mapping && key in mapping) return [];
    const by = valuesBy[key];
    if (by) return [`${label} by ${headers.get(by.letters) ?? by.letters}`];
    return values[key] ? [`${label}: ${values[key]}`] : [];
  });
}

const MAX_TOTALS = 10;
const MAX_WARNINGS = 10;

/** What the reader left out or could not know. */
function notesOf({ table, original, totalRows, headings }: OpenDraft): string[] {
  if (!table) return [];
  const { facts, misfits, rows } = table;
  const left = rows.length - original.length - totalRows.length - headings.length;
  const totals = totalRows.slice(0, MAX_TOTALS).map(({ row }) => row);
  return [
    ...(facts.formulasWithoutResult > 0
      ? [
          `${facts.formulasWithoutResult === 1 ? '1 formula has' : `${formatFigure(facts.formulasWithoutResult)} formulas have`} no stored result and ${facts.formulasWithoutResult === 1 ? 'is' : 'are'} read as empty. Open the file in Excel, save it and upload it again.`,
        ]
      : []),
    ...(facts.unnamedCells > 0 ? [`Columns without a header are not read: ${facts.unnamedColumns}.`] : []),
    ...(misfits.size > 0
      ? [
          `Rows with more fields than the header: ${[...misfits.keys()].slice(0, 10).join(', ')}${misfits.size > 10 ? ' and more' : ''}. Check the quotes around texts with commas.`,
        ]
      : []),
    ...(totalRows.length > 0
      ? [
          totalRows.length === 1
            ? `Row ${totals[0]} is a total. It is compared with the rows, and is not imported.`
            : `Rows ${totals.join(', ')}${totalRows.length > MAX_TOTALS ? ' and more' : ''} are totals, and are not imported.`,
        ]
      : []),
    ...(headings.length > 0
      ? [
          headings.length === 1
            ? `Row ${headings[0]} is a heading, and is not imported.`
            : `Rows ${headings.slice(0, MAX_TOTALS).join(', ')}${headings.length > MAX_TOTALS ? ' and more' : ''} are headings, and are not imported.`,
        ]
      : []),
    ...(left > 0
      ? [
          left === 1
            ? '1 row fills none of the columns that are read, and is left out.'
            : `${formatFigure(left)} rows fill none of the columns that are read, and are left out.`,
        ]
      : []),
  ];
}

/** Documents that codes stand for, with the number of rows that refer to each. */
function referencesOf(check: ImportCheck, rows: readonly ImportRow[]) {
  const counts = new Map<string, number>();
  for (const { cells } of rows) {
    for (const [column, code] of Object.entries(cells)) {
      const key = `${column} ${code}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  const labels = new Map(IMPORT_COLUMNS[check.kind].map(({ key, label }) => [key, label]));
  return check.references
    .map(({ column, collection, code, id, title, isRemembered = false }) => ({
      label: labels.get(column) ?? column,
      collection,
      code,
      id,
      title,
      isRemembered,
      rowCount: counts.get(`${column} ${code}`) ?? 0,
    }))
    .toSorted((a, b) => b.rowCount - a.rowCount);
}
