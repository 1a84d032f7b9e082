/**
 * Number of rows to skip, from `?skip=`. Zero if it is missing or not a whole number.
 * @param name of the second list of a page
 */
export function skipOf(search: URLSearchParams, name = 'skip'): number {
  const text = search.get(name) ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : 0;
}
