/** Number of rows to skip, from `?skip=`. Zero if it is missing or not a whole number. */
export function skipOf(search: URLSearchParams): number {
  const text = search.get('skip') ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : 0;
}
