import { json } from 'node:stream/consumers';
import { COMPARISON_SECONDS } from '@tapeline/workflows/comparison/activities.ts';
import type { RequestContext } from '../http/context.ts';
import type { Asker } from './previews.server.ts';

/** Who waits for figures that a worker calculates once and stores. */
export type Calculating = Asker & {
  readonly context: Pick<RequestContext, 'lake' | 'objects'>;
  /** When the person leaves, its signal ends the work. */
  readonly request: Pick<Request, 'signal'>;
};

/** The calculation ends earlier, with a refusal that says what to do. */
export const CALCULATED_WITHIN_MS = (COMPARISON_SECONDS + 15) * 1000;

/** The stored figures; the first time, those that a worker calculates and stores with their assets. */
export async function storedOrCalculated<Figures>(
  { context: { objects } }: Pick<Calculating, 'context'>,
  keys: { readonly figures: string; readonly assets: string },
  calculate: () => Promise<Figures>,
): Promise<Figures> {
  const isStored = (await objects.head(keys.figures)) && (await objects.head(keys.assets));
  return isStored ? ((await json(await objects.getStream(keys.figures))) as Figures) : calculate();
}
