/**
 * The number whose text is in bytes[start, end), exactly as `Number()` converts it.
 * @returns NaN if the text is not a plain decimal (surrounding blanks are allowed, as XML writers indent)
 */
export function parseNumberBytes(bytes: Uint8Array, start: number, end: number): number {
  const text = latinText(bytes, start, end).trim();
  // No two parts of the pattern may match the same digits: a megabyte of them would cause catastrophic backtracking.
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : Number.NaN;
}

function latinText(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');
}
