/** The kind of a cell. The number is stored in batches. */
export const CellTag = { blank: 0, number: 1, text: 2, boolean: 3, date: 4, error: 5 } as const;
export type CellTag = (typeof CellTag)[keyof typeof CellTag];
