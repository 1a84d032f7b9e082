import { Migration } from '@mikro-orm/migrations';

/** Excel has sheets whose names are one letter. */
const sheetNames = `
alter table mappings
  drop constraint mappings_loan_tape_sheet_name_check,
  add constraint mappings_loan_tape_sheet_name_check
    check (char_length(loan_tape_sheet_name) >= 1 and char_length(loan_tape_sheet_name) <= 255) not valid;
alter table mappings validate constraint mappings_loan_tape_sheet_name_check;`;

/** Accepts sheet names of one character. */
export class SheetNames extends Migration {
  override up(): void {
    this.addSql(sheetNames);
  }
}
