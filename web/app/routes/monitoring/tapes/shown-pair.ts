/** The two tapes of a roll-forward: their ids, and their cut-off dates. */
export interface ShownPair {
  readonly tapeId: string;
  readonly against: string;
  readonly before: string;
  readonly after: string;
}
