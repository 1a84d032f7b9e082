/** The open rule of an address (`?rule=3`), 0-based; null for none. */
export function ruleOf(search: URLSearchParams): number | null {
  const rule = Number(search.get('rule'));
  return Number.isSafeInteger(rule) && rule > 0 ? rule - 1 : null;
}

/**
 * Whether the editor's page is to be read again: not for another open rule, and not for a draft that was only looked at or could not be
 * saved. A look that is answered while the page goes to another version is asked on behalf of that version, which is always read.
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
