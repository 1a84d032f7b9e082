/** Results of one kind, as the palette and the page of the search show them. */
export interface SearchGroup {
  readonly label: string;
  /** Whether more match than are listed. */
  readonly hasMore: boolean;
  readonly results: readonly { readonly title: string; readonly detail: string | null; readonly to: string }[];
}
