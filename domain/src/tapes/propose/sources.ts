/** Where a proposal comes from. Screens show it after "From": "From the file name". */
export const PROPOSAL_SOURCE_LABELS = {
  fileName: 'the file name',
  sheetName: 'the sheet name',
  title: 'a title row',
  column: 'a column',
  columns: 'the columns of its earlier tapes',
  earlierFile: 'the file name of an earlier tape',
  cells: 'the amounts, headers or formats of the file',
  company: 'the borrower',
  mapping: 'the mapping',
  account: 'your account',
  chosen: 'your choice',
} as const;
export type ProposalSource = keyof typeof PROPOSAL_SOURCE_LABELS;

/** A proposal, with where it comes from. */
export interface Sourced<Value> {
  readonly value: Value;
  readonly source: ProposalSource;
  /** What was read there, as written: "larkfield-2026-10.xlsx". */
  readonly text: string;
}

/** The start of a file, as the proposals read it. */
export interface ProposedFile {
  readonly fileName: string;
  /** Null for a file without named sheets. */
  readonly sheetName: string | null;
  /** The texts above the header, in the order of the sheet. */
  readonly titles: readonly string[];
}

/** The texts of a file that can name its borrower and its cut-off date, the most telling first. */
export const namingTexts = ({
  fileName,
  sheetName,
  titles,
}: ProposedFile): { source: ProposalSource; text: string }[] => [
  ...titles.map((text) => ({ source: 'title' as const, text })),
  { source: 'fileName' as const, text: fileName },
  ...(sheetName === null ? [] : [{ source: 'sheetName' as const, text: sheetName }]),
];
