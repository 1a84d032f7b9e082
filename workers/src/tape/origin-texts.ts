import { shownNumber } from '@tapeline/domain/tapes/shown-number.ts';
import { CellTag } from '@tapeline/sheets/cell-tag.ts';
import type { Epoch, RawBatch } from '@tapeline/sheets/raw-batch.ts';
import { originKeys } from './compile/origin.ts';

/**
 * The cells of each row as JSON text, header to value. Gives the same result as the SQL of `originJson`, for rows that
 * are not in a table.
 */
export function originTexts(
  batch: RawBatch,
  sheet: { readonly headers: readonly string[]; readonly epoch: Epoch },
): string[] {
  const named = originKeys(sheet.headers).flatMap((key, place) =>
    key === null ? [] : [{ place, prefix: `${JSON.stringify(key)}:` }],
  );
  return Array.from({ length: batch.rowCount }, (_, row) => {
    const entries = named.map(({ place, prefix }) => prefix + cellJson(batch, place, row, sheet.epoch));
    return `{${entries.join(',')}}`;
  });
}

function cellJson(batch: RawBatch, place: number, row: number, epoch: Epoch): string {
  const { tags, values } = batch.columns[place]!;
  const value = values[row]!;
  switch (tags[row]) {
    case CellTag.blank:
      return 'null';
    case CellTag.number:
      return JSON.stringify(value);
    case CellTag.boolean:
      return value === 1 ? 'true' : 'false';
    case CellTag.date:
      return JSON.stringify(shownDate(value, epoch));
    default:
      return JSON.stringify(batch.texts.text(value));
  }
}

const DAY_SECONDS = 86_400;
const DAY_MS = DAY_SECONDS * 1000;
/** Day zero for serials from 61 on. Because of the false leap day of 1900, serials below 60 are one day later. */
const ORIGIN_1900_MS = Date.UTC(1899, 11, 30);
const ORIGIN_1904_MS = Date.UTC(1904, 0, 1);

/** '2026-10-31', with the time of day if there is one. A serial that has no day is shown as a number. */
function shownDate(serial: number, epoch: Epoch): string {
  const day = Math.floor(serial);
  const midnight = midnightMs(serial, day, epoch);
  if (midnight === null) return shownNumber(serial);
  const seconds = Math.round((serial - day) * DAY_SECONDS);
  const hasTime = seconds >= 1 && seconds < DAY_SECONDS;
  return new Date(midnight + (hasTime ? seconds * 1000 : 0)).toISOString().slice(0, hasTime ? 19 : 10);
}

function midnightMs(serial: number, day: number, epoch: Epoch): number | null {
  if (epoch === 1904) return serial >= 0 && serial < 2_957_004 ? ORIGIN_1904_MS + day * DAY_MS : null;
  if (serial >= 61 && serial < 2_958_466) return ORIGIN_1900_MS + day * DAY_MS;
  return serial >= 1 && serial < 60 ? ORIGIN_1900_MS + (day + 1) * DAY_MS : null;
}
