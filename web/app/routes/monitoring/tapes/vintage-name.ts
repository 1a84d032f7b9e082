const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The label of a vintage: "Mar 2024", "Q1 2024", "2024". All of them together are "All". */
export function vintageName(vintage: string): string {
  if (vintage === 'all') return 'All';
  const [year, part] = vintage.split('-');
  if (!part) return year ?? vintage;
  return `${part.startsWith('Q') ? part : MONTHS[Number(part) - 1]} ${year}`;
}
