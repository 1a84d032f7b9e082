import type { AssetResultFilter } from '@tapeline/domain/borrowing-base/waterfall.ts';

/** The address of the assets behind a figure of this certificate. */
export type AssetsTo = (filter: AssetResultFilter) => string;
