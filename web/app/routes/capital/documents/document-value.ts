/** Documents on one page of a list. */
export const DOCUMENTS_PER_PAGE = 30;

/** A statement or report as its checkbox names it: its version tells whether it changed since it was shown. */
export const documentValue = ({ kind, id, version }: { kind: string; id: string; version: number }): string =>
  `${kind}.${id}.${version}`;
