import { z } from 'zod';
import { nameSchema } from '../documents/text.schema.ts';
import { GRID_IDS, MAX_VIEW_LETTERS, viewSearch } from './grids.ts';

export {
  COLLECTION_OF_GRID,
  GRID_IDS,
  GRIDS,
  type GridId,
  MAX_VIEW_LETTERS,
  MAX_VIEWS,
  VIEW_PARAMETERS,
  viewSearch,
} from './grids.ts';

const name = nameSchema(1, 60);
const search = z
  .string()
  .max(MAX_VIEW_LETTERS, `has at most ${MAX_VIEW_LETTERS} characters`)
  // A view of everything in the usual order has none.
  .default('')
  .transform((text) => viewSearch(new URLSearchParams(text)));

export const gridViewCreateSchema = z.object({
  grid: z.enum(GRID_IDS),
  title: name,
  search,
  /** Whether the other users of the manager see it. */
  isShared: z.boolean().default(false),
  /** Whether the grid opens with it for its user. */
  isDefault: z.boolean().default(false),
});
export type GridViewCreate = z.output<typeof gridViewCreateSchema>;

export const gridViewUpdateSchema = gridViewCreateSchema.pick({ title: true, isShared: true, isDefault: true });
export type GridViewUpdate = z.output<typeof gridViewUpdateSchema>;
