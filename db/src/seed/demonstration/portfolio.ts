import type { CalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { makeAlderTape } from './alder-tapes.ts';
import { makeNorthwindTapes } from './northwind-tapes.ts';
import type { TapeSheet } from './tape-sheet.ts';

/** Names by which the seeded documents and the tapes that are uploaded later refer to each other. */
export const DEMONSTRATION_MANAGER = 'Harbour Credit Partners';
export const FIRST_FUND = 'Harbour Private Credit I';
export const NORTHWIND_COMPANY = 'Northwind Consumer Loans';
export const ALDER_COMPANY = 'Alder Auto';
export const SEVERN_COMPANY = 'Severn Motor Finance Limited';
export const KEYSTONE_COMPANY = 'Keystone Dental Partners LLC';
/** The law firms of the borrowers and of the manager, and the manager's fund administrator. */
export const COMPANY_COUNSEL = 'Harcourt Lane LLP';
export const MANAGER_COUNSEL = 'Whitlock and Pryor LLP';
export const FUND_ADMINISTRATOR = 'Granite Fund Administration LLC';
/** The user who uploads the tapes: a user of the manager with the permission to write assets. */
export const UPLOADER_EMAIL = 'manager@tapeline.test';
/** A user of the manager who requests draws that the manager approves. */
export const ANALYST_EMAIL = 'analyst@tapeline.test';
/** A user of an investor of the first fund, who reads documents. */
export const INVESTOR_EMAIL = 'investor@tapeline.test';

export type DemonstrationUpload = {
  readonly company: string;
  readonly cutOffDate: CalendarDate;
  /** Whether the company has a facility. */
  readonly calculateBB: boolean;
  /** Default: USD. */
  readonly mainCurrency?: string;
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
