/** Names that Windows reserves for devices, with any extension. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)$/i;
/** Of UTF-8: file systems take 255 for a name, including its extension and a number that makes it unique. */
const MAX_BYTES = 180;

/** The length of a character in UTF-8. */
function bytesOf(character: string): number {
  const point = character.codePointAt(0) ?? 0;
  return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
}

/**
 * A name for a file that every file system accepts, without a path: letters of any script, digits, spaces and common
 * punctuation. @returns the name without an extension
 */
export function safeFileName(name: string): string {
  const plain = name
    .normalize('NFC')
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .replaceAll(/[<>:"/\\|?*]/g, '-')
    .replaceAll(/\s+/g, ' ');
  let safe = '';
  let length = 0;
  for (const character of plain) {
    length += bytesOf(character);
    if (length > MAX_BYTES) break;
    safe += character;
  }
  // A name that begins with a dot is hidden; Windows drops dots and spaces at the end.
  safe = safe.replace(/^[. ]+/, '').replace(/[. ]+$/, '');
  if (safe === '') return 'document';
  return RESERVED.test(safe) ? `${safe}-` : safe;
}

/** Names files of one folder: a name that another file already has is followed by a number. */
export function uniqueFileNames(): (name: string, extension: string) => string {
  const taken = new Set<string>();
  const next = new Map<string, number>();
  return (name, extension) => {
    const safe = safeFileName(name);
    // Most file systems do not distinguish upper case.
    const key = `${safe}.${extension}`.toLowerCase();
    let candidate = `${safe}.${extension}`;
    let number = next.get(key) ?? 2;
    while (taken.has(candidate.toLowerCase())) {
      candidate = `${safe} (${number}).${extension}`;
      number += 1;
    }
    next.set(key, number);
    taken.add(candidate.toLowerCase());
    return candidate;
  };
}

/** "CALL-04 Northern Pension": the number has at least two digits, so that names sort. */
export const noticeFileName = (kind: 'CALL' | 'DIST' | 'NET', callNumber: string, investor: string): string =>
  `${kind}-${/^\d+$/.test(callNumber) ? callNumber.padStart(2, '0') : callNumber} ${investor}`;
