/**
 * The first few of a list, as a sentence names them, and how many more there are: "Alpha, Beta and 3 more", or with
 * another separator "Alpha; Beta; and 3 more".
 * @param list.most how many are named
 * @param list.separator for texts that have commas of their own, or a line for each. Default: a comma
 * @param list.total how many there are, if `items` has only the first of them
 */
export function firstFew(
  items: readonly string[],
  { most, separator = ', ', total = items.length }: { most: number; separator?: string; total?: number },
): string {
  const named = items.slice(0, most);
  const more = total - named.length;
  const before = separator === ', ' ? ' ' : separator;
  return named.join(separator) + (more > 0 ? `${before}and ${more.toLocaleString('en')} more` : '');
}
