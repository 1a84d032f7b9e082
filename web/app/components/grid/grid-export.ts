import { COLLECTION_OF_GRID } from '@tapeline/domain/grid-views/grid-view.schema.ts';

/** Most rows that are selected for one file: their ids are in its address. */
export const MAX_SELECTED = 400;

/** The grids whose rows can be exported. The assets of a tape have an export of their own. */
export const EXPORTED_GRIDS = Object.keys(COLLECTION_OF_GRID) as (keyof typeof COLLECTION_OF_GRID)[];
export type ExportedGrid = (typeof EXPORTED_GRIDS)[number];

export const isExported = (grid: string): grid is ExportedGrid => EXPORTED_GRIDS.some((one) => one === grid);

/** The formats of the files, with the words for them. */
export const GRID_FORMATS = { xlsx: 'Excel', csv: 'CSV' } as const;
