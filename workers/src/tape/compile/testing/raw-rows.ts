import { CellTag } from '@tapeline/sheets/cell-tag.ts';
import type { RawBatch, RawColumn } from '@tapeline/sheets/raw-batch.ts';
import { TextArena } from '@tapeline/sheets/text-arena.ts';
import type { Cell } from './held.ts';

/** Rows of cells by header, in the format of the sheet reader's batches. Sheet rows count from 2. */
export function rawRows(headers: readonly string[], rows: readonly Readonly<Record<string, Cell>>[]): RawBatch {
  const arena = new TextArena({ distinct: true });
  const columns = headers.map((header): RawColumn => {
    const cells = rows.map((row) => row[header] ?? ({ tag: 'blank' } as const));
    return {
      tags: Uint8Array.from(cells, (cell) => CellTag[cell.tag]),
      values: Float64Array.from(cells, (cell) => heldNumber(cell, arena)),
    };
  });
  return {
    index: 0,
    firstRow: 2,
    rowCount: rows.length,
    rowNumbers: Int32Array.from(rows, (_, index) => index + 2),
    columns,
    texts: {
      count: arena.count,
      bytes: () => arena.bytes,
      start: (code) => arena.start(code),
      length: (code) => arena.length(code),
      text: (code) => arena.text(code),
    },
    blankRows: 0,
    misfits: new Map(),
  };
}

function heldNumber(cell: Cell, arena: TextArena): number {
  switch (cell.tag) {
    case 'blank':
      return 0;
    case 'number':
      return cell.number;
    case 'boolean':
      return cell.boolean ? 1 : 0;
    case 'date':
      return cell.serial;
    default:
      return arena.addText(cell.text);
  }
}
