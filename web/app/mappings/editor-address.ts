/** The open rule of an address (`?rule=3`), 0-based; null for none. */
export function ruleOf(search: URLSearchParams): number | null {
  const rule = Number(search.get('rule'));
  return Number.isSafeInteger(rule) && rule > 0 ? rule - 1 : null;
}

/** Whether the editor's page is to be read again: not for another open rule, and not for a draft that was only looked at. */
export function needsReading({
  currentUrl,
  nextUrl,
  formData,
  defaultShouldRevalidate,
}: {
  currentUrl: URL;
  nextUrl: URL;
  formData?: FormData | undefined;
  defaultShouldRevalidate: boolean;
}): boolean {
  const edit = formData?.get('edit');
  if (typeof edit === 'string' && edit !== 'save') return false;
  const without = (url: URL): string => {
    const search = new URLSearchParams(url.search);
    search.delete('rule');
    search.delete('saved');
    search.sort();
    return `${url.pathname}?${search}`;
  };
  return formData === undefined && without(currentUrl) === without(nextUrl) ? false : defaultShouldRevalidate;
}
