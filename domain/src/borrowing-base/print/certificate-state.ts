import { formatInstant } from '../../dates/instant.ts';

/** Whether a certificate still is the latest of its tape. */
export interface CertificateState {
  /** Null if the loan tape was removed. */
  readonly tape: {
    /** The tape was published again after this calculation: its assets are others now. */
    readonly isRepublished: boolean;
  } | null;
  readonly version: { readonly superseded: { readonly timestamp: string | Date } | null };
}

/** What a reader of the file of a certificate must know before its figures. Empty for the latest of a tape. */
export function stateNotices({ tape, version }: CertificateState): string[] {
  return [
    ...(version.superseded
      ? [`Superseded on ${formatInstant(version.superseded.timestamp)} UTC by a later calculation.`]
      : []),
    ...(tape?.isRepublished
      ? ['The loan tape was republished after this calculation. The figures are those of the earlier assets.']
      : []),
  ];
}
