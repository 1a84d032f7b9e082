/**
 * Distinguishes columns that share a name by their order: "Margin", "Margin" become "Margin (1)" and "Margin (2)", so
 * that a caller can refer to either. A number that another header already has is skipped.
 */
export function numberRepeated(headers: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const header of headers) counts.set(header, (counts.get(header) ?? 0) + 1);
  const taken = new Set(headers);
  const last = new Map<string, number>();
  return headers.map((header) => {
    if (header === '' || counts.get(header) === 1) return header;
    let number = (last.get(header) ?? 0) + 1;
    while (taken.has(numbered(header, number))) number += 1;
    last.set(header, number);
    return numbered(header, number);
  });
}

const numbered = (header: string, number: number): string => `${header} (${number})`;

/** Names shared by several columns, each with the headers that `numberRepeated` assigned. */
export function numberedNames(headers: readonly string[]): Map<string, string[]> {
  const columns = new Map<string, string[]>();
  for (const header of headers) {
    const [, name] = /^(.+) \(\d+\)$/.exec(header) ?? [];
    if (name !== undefined) columns.set(name, [...(columns.get(name) ?? []), header]);
  }
  return new Map([...columns].filter(([name, each]) => each.length > 1 && !headers.includes(name)));
}
