import type { CalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { makeAlderTape } from './alder-tapes.ts';
import { makeNorthwindTapes } from './northwind-tapes.ts';
import type { TapeSheet } from './tape-sheet.ts';

/** Names by which the seeded documents and the tapes that are uploaded later refer to each other. */
export const DEMONSTRATION_MANAGER = 'Harbour Credit Partners';
export const NORTHWIND_COMPANY = 'Northwind Consumer Loans';
export const ALDER_COMPANY = 'Alder Auto';
/** The user who uploads the tapes: a user of the manager with the permission to write assets. */
export const UPLOADER_EMAIL = 'manager@tapeline.test';

export type DemonstrationUpload = {
  readonly company: string;
  readonly cutOffDate: CalendarDate;
  /** Only Northwind has a facility. */
  readonly calculateBB: boolean;
  readonly sheet: TapeSheet;
};

/** Every tape of the demonstration in upload order: by company, oldest first. */
export function demonstrationUploads(): DemonstrationUpload[] {
  const upload = (company: string, calculateBB: boolean, sheet: TapeSheet): DemonstrationUpload => ({
    company,
    cutOffDate: sheet.cutOffDate,
    calculateBB,
    sheet,
  });
  return [
    ...makeNorthwindTapes().map(({ sheet }) => upload(NORTHWIND_COMPANY, true, sheet)),
    upload(ALDER_COMPANY, false, makeAlderTape().sheet),
  ];
}
