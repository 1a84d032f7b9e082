/** The open rule in an address (`?rule=3`), 0-based. Null if there is none. */
export function ruleOf(search: URLSearchParams): number | null {
  const rule = Number(search.get('rule'));
  return Number.isSafeInteger(rule) && rule > 0 ? rule - 1 : null;
}

/**
 * Whether to reload the editor's page. It is not reloaded when another rule is opened, or when a draft was only
 * previewed or could not be saved. If a preview is answered while the page navigates to another version, this is called
 * for that version, which is always loaded.
 */
export function needsReading({
  currentUrl,
  nextUrl,
  formData,
  actionStatus,
  defaultShouldRevalidate,
}: {
  currentUrl: URL;
  nextUrl: URL;
  formData?: FormData | undefined;
  actionStatus?: number | undefined;
  defaultShouldRevalidate: boolean;
}): boolean {
  const without = (url: URL): string => {
    const search = new URLSearchParams(url.search);
    search.delete('rule');
    search.delete('saved');
    search.sort();
    return `${url.pathname}?${search}`;
  };
  if (without(currentUrl) !== without(nextUrl)) return defaultShouldRevalidate;
  if (!formData) return false;
  const edit = formData.get('edit');
  const isRefused = actionStatus !== undefined && actionStatus >= 400;
  return typeof edit === 'string' && (edit !== 'save' || isRefused) ? false : defaultShouldRevalidate;
}
