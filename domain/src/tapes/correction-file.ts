/** Column of a file of errored rows that says which row of the sheet each is; it must come back with the corrections. */
export const ROW_HEADER = 'Tapeline row';
/** Column of a file of errored rows with the reasons; not read back. */
export const REASONS_HEADER = 'Tapeline reasons';
