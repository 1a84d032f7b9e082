/** Content below a sheet's header that no column shows. */
export interface SheetFacts {
  /** Cells with a formula whose result is missing in the file. */
  readonly formulasWithoutResult: number;
  /** Cells with content in columns without a header. */
  readonly unnamedCells: number;
  /** The columns of these cells: "K", "K to M". */
  readonly unnamedColumns: string | null;
}

export const NO_FACTS: SheetFacts = { formulasWithoutResult: 0, unnamedCells: 0, unnamedColumns: null };
