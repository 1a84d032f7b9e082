import type { UIMatch } from '@remix-run/react';

export interface Crumb {
  readonly label: string;
  /** Omitted for the page itself. */
  readonly to?: string;
}

/** A crumb: its label, its label and where it leads, or both by name. */
type ShortCrumb = string | readonly [label: string, to: string] | Crumb;

/** What a page is called: in the breadcrumb, after the group and the rail's item, and in the title of its document. */
export interface PageHandle<Data = unknown> {
  readonly crumbs?: (data: Data) => readonly Crumb[];
  /** Where it is not what the crumbs say. */
  readonly title?: string | ((data: Data) => string);
}

const crumbOf = (crumb: ShortCrumb): Crumb =>
  typeof crumb === 'string' ? { label: crumb } : 'label' in crumb ? crumb : { label: crumb[0], to: crumb[1] };

/**
 * Names a page. The title of its document is its last crumb, or "Edit" and the one before.
 * @param title if it is another one
 * @example export const handle = named<typeof loader>(({ id, name }) => [[name, paths.company(id)], 'Edit']);
 */
export const named = <Loader extends (args: never) => unknown>(
  crumbs: string | ((data: Awaited<ReturnType<Loader>>) => readonly ShortCrumb[]),
  title?: PageHandle<Awaited<ReturnType<Loader>>>['title'],
): PageHandle<Awaited<ReturnType<Loader>>> => ({
  ...(typeof crumbs === 'string' ? { title: crumbs } : {}),
  ...(title === undefined ? {} : { title }),
  crumbs: typeof crumbs === 'string' ? () => [{ label: crumbs }] : (data) => crumbs(data).map(crumbOf),
});

/** The crumbs of the routes of a page. A route whose data could not be read has none. */
export const crumbsOfRoutes = (matches: readonly UIMatch[]): Crumb[] =>
  matches.flatMap(({ id, data, handle }) =>
    data == null && id !== 'root' ? [] : ((handle as PageHandle | undefined)?.crumbs?.(data) ?? []),
  );

/** The title of the document of a page. */
export function documentTitle(matches: readonly UIMatch[]): string {
  const page = matches.at(-1);
  const title = (page?.handle as PageHandle | undefined)?.title;
  const [before, last] = crumbsOfRoutes(matches)
    .slice(-2)
    .map(({ label }) => label);
  const derived = last === undefined ? before : last === 'Edit' ? `Edit ${before}` : last;
  const own = typeof title === 'function' ? (page?.data == null ? undefined : title(page.data)) : title;
  return [own ?? derived, 'Tapeline'].filter(Boolean).join(' · ');
}
