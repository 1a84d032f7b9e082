/** A record; null if a quote is not closed, or closes on a later line within other text. */
export type PlainRecord = string[] | null;

/**
 * A second reader of comma-separated text that is obviously correct: character by character, all in memory. It shares
 * no code with the reader that it checks.
 */
export function readPlainCsv(text: string): PlainRecord[] {
  const records: PlainRecord[] = [];
  let at = 0;
  while (at < text.length) {
    const fields: string[] = [];
    for (;;) {
      const rest = text.slice(at);
      const [quoted] = /^=?"(?:[^"]|"")*"(?!")/.exec(rest) ?? [];
      const [opened] = /^=?"/.exec(rest) ?? [];
      if (opened && !quoted) return [...records, null];
      const plain = quoted && /^[ \t]*(?=,|\r|\n|$)/.exec(rest.slice(quoted.length));
      if (quoted && plain) {
        const field = quoted.slice(opened!.length, -1).replaceAll('""', '"');
        fields.push(/^="[^"]*"$/.exec(field) ? field.slice(2, -1) : field);
        at += quoted.length + plain[0].length;
      } else {
        if (quoted && /[\r\n]/.test(quoted)) return [...records, null];
        const literal = (quoted ?? '') + (/^[^,\r\n]*/.exec(rest.slice(quoted?.length ?? 0)) ?? [''])[0];
        fields.push(literal);
        at += literal.length;
      }
      if (text[at] !== ',') break;
      at += 1;
    }
    at += text.startsWith('\r\n', at) ? 2 : 1;
    records.push(fields);
  }
  return records;
}
