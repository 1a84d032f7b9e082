/**
 * The number whose text stands in bytes[start, end): exactly what `Number()` makes of it.
 * @returns NaN where the text is no plain decimal (surrounding blanks are allowed, as XML writers indent).
 */
export function parseNumberBytes(bytes: Uint8Array, start: number, end: number): number {
  const text = latinText(bytes, start, end).trim();
  // No two parts of the pattern may take the same digits: a megabyte of them would be tried in all its divisions.
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : Number.NaN;
}

function latinText(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');
}
