import { Refusal } from '@tapeline/domain/errors/refusal.ts';

/**
 * The tab that an address asks for with `?view=`; the first one without it.
 * @param views the tabs that the actor may read
 * @throws Refusal notFound for a tab that the actor may not read, just as for one that does not exist
 */
export function viewOf<View extends string>({ searchParams }: URL, views: readonly View[]): View {
  const asked = searchParams.get('view');
  const view = asked === null ? views[0] : views.find((one) => one === asked);
  if (view === undefined) throw new Refusal('notFound');
  return view;
}
