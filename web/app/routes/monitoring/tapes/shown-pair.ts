/** The two tapes of a roll-forward: their ids, and their cut-off dates. */
export interface ShownPair {
  readonly tapeId: string;
  readonly against: string;
  readonly before: string;
  readonly after: string;
}

/** Assets on a page of a list behind a figure. */
export const LISTED_ASSETS = 25;
