/** The order of day, month and year in a date of figures. */
export const CSV_DATE_LABELS = {
  YMD: 'Year, month, day',
  DMY: 'Day, month, year',
  MDY: 'Month, day, year',
} as const;
export type CsvDateOrder = keyof typeof CSV_DATE_LABELS;

export const CSV_SEPARATOR_LABELS = { ',': 'Comma', ';': 'Semicolon', '\t': 'Tab', '|': 'Bar' } as const;
export type CsvSeparator = keyof typeof CSV_SEPARATOR_LABELS;

export const DECIMAL_MARK_LABELS = { '.': 'Point', ',': 'Comma' } as const;
export type DecimalMark = keyof typeof DECIMAL_MARK_LABELS;

/** How a bank writes its CSV files. Columns are named as their header is. */
export interface CsvMapping {
  readonly separator: CsvSeparator;
  readonly decimal: DecimalMark;
  readonly dateOrder: CsvDateOrder;
  readonly bookedOn: string;
  readonly valuedOn: string | null;
  /** One column whose sign says whether money came in; null where there are two columns. */
  readonly amount: string | null;
  /** What went out, and what came in. */
  readonly debit: string | null;
  readonly credit: string | null;
  readonly balance: string | null;
  readonly currency: string | null;
  readonly reference: string | null;
  readonly charges: string | null;
  readonly counterpartyName: string | null;
  readonly counterpartyAccount: string | null;
  /** Joined where there are several. */
  readonly remittance: readonly string[];
}
