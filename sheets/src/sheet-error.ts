/** A file that cannot be read. The message says what is wrong and what to do; reading it again fails in the same way. */
export class SheetError extends Error {
  override readonly name = 'SheetError';
}

/** The workbook has no sheet with the requested name. The message lists its sheets. */
export class SheetNotFoundError extends SheetError {}
