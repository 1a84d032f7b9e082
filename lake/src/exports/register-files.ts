import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { minorUnitDigits } from '@tapeline/domain/money/minor-units.ts';
import { joined } from '@tapeline/domain/printing/printed-figures.ts';
import {
  coverageNotes,
  type Register,
  type RegisterColumn,
  totalOfColumn,
} from '@tapeline/domain/printing/register.ts';
import { columnLetters } from '@tapeline/sheets/workbook-parts.ts';
import { type NumberFormat, type WrittenCell, writeWorkbook } from '@tapeline/sheets/workbook-writer.ts';
import type { ExportColumn, ExportTable } from './export-table.ts';
import { linesTable } from './lines-table.ts';

/** A workbook is written in memory. A CSV file is not, and has no limit. */
export const MAX_WORKBOOK_LINES = 5_000;

const WIDTHS = { text: 28, date: 14, amount: 20, percentage: 16, number: 12 } as const;

const formatOf = ({ kind }: RegisterColumn, digits: number): NumberFormat => {
  if (kind === 'amount') return { digits };
  return kind === 'percentage' ? 'percent' : { code: '0' };
};

/**
 * A register as an Excel workbook of one sheet. Its totals and derived figures are formulas, with their exact values.
 * The same register gives the same bytes.
 * @throws Refusal badRequest above `MAX_WORKBOOK_LINES`
 */
export async function registerWorkbook(register: Register): Promise<Buffer> {
  const { title, name, issuer, issueDate, facts, currency, columns, rows, notes } = register;
  if (rows.length > MAX_WORKBOOK_LINES) {
    throw new Refusal(
      'badRequest',
      `An Excel file has at most ${MAX_WORKBOOK_LINES.toLocaleString('en')} lines. Export it as CSV`,
    );
  }
  const digits = minorUnitDigits(currency);
  const above: WrittenCell[][] = [
    [{ text: title, style: 'title' }],
    ...facts.map(([label, value]): WrittenCell[] => [{ text: label }, { text: value }]),
    [{ text: 'Currency' }, { text: currency }],
    [],
    columns.map(({ label, kind }) => ({
      text: label,
      style: kind === 'text' || kind === 'date' ? 'head' : 'headOfNumbers',
    })),
  ];
  const firstRow = above.length + 1;
  const totalsRow = firstRow + rows.length;
  const at = (key: string, row: number): string => {
    const index = columns.findIndex((column) => column.key === key);
    if (index < 0) throw new RangeError(`the register has no column ${key}`);
    return `${columnLetters(index)}${row}`;
  };
  const lines = rows.map((cells, index): WrittenCell[] => {
    const row = firstRow + index;
    return cells.map((value, place): WrittenCell => {
      const column = columns[place]!;
      if (value === null) return column.kind === 'text' || column.kind === 'date' ? null : { text: 'n/a' };
      if (column.kind === 'text') return { text: value };
      if (column.kind === 'date') return { date: value };
      const formula = column.formula?.({ cell: (key) => at(key, row), total: (key) => at(key, totalsRow) });
      return { number: value, format: formatOf(column, digits), ...(formula === undefined ? {} : { formula }) };
    });
  });
  const totals = columns.map((column, index): WrittenCell => {
    if (!column.isTotalled) return index === 0 ? { text: 'Total', style: 'total' } : { text: '', style: 'total' };
    const formula = rows.length === 0 ? undefined : `SUM(${at(column.key, firstRow)}:${at(column.key, totalsRow - 1)})`;
    return {
      number: totalOfColumn(register, index),
      format: formatOf(column, digits),
      style: 'total',
      ...(formula === undefined ? {} : { formula }),
    };
  });
  return writeWorkbook({
    title: joined(title, ...facts.slice(0, 1).map(([, value]) => value)),
    author: issuer,
    created: `${issueDate}T00:00:00.000Z`,
    sheets: [
      {
        name,
        widths: columns.map(({ kind, characters }) => characters ?? WIDTHS[kind]),
        rows: [
          ...above,
          ...lines,
          totals,
          [],
          ...[...notes, ...coverageNotes(register)].map((note): WrittenCell[] => [{ text: note }]),
        ],
        isLandscape: true,
      },
    ],
  });
}

/** Exact in the smallest unit of any currency, and in what a percentage is kept with. */
const TYPES = {
  text: { kind: 'text', type: 'VARCHAR' },
  date: { kind: 'date', type: 'DATE' },
  amount: { kind: 'amount', type: 'DECIMAL(38,4)' },
  percentage: { kind: 'percentage', type: 'DECIMAL(38,8)' },
  number: { kind: 'number', type: 'INTEGER' },
} as const satisfies Record<RegisterColumn['kind'], Pick<ExportColumn, 'kind' | 'type'>>;

/** The lines of a register as a table for a CSV file. */
export const registerTable = ({ columns, rows }: Register): ExportTable =>
  linesTable(
    columns.map(({ key, label, kind }) => ({ name: key, label, ...TYPES[kind] })),
    rows,
  );
