/** A call or distribution whose status changes. */
export interface Stepped {
  /** "call" or "distribution". */
  noun: string;
  label: string;
  version: number;
  drafts: number;
  issued: number;
  investors: number;
  /** What it is netted with: "distribution 4". */
  netted: { readonly id: string; readonly version: number; readonly name: string } | null;
}

/** Names what a call or distribution is netted with, and the version that was shown: "65f0…/3". */
export const otherValue = ({ id, version }: { readonly id: string; readonly version: number }): string =>
  `${id}/${version}`;
