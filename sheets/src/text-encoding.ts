import { isUtf8 } from 'node:buffer';

/** The encodings that are read. Any other is named and rejected, since a wrong guess silently corrupts names. */
export type ReadEncoding = 'utf-8' | 'windows-1252';

interface Candidate {
  readonly label: string;
  readonly name: string;
  readonly kind: 'latin' | 'alphabet' | 'ideographs';
}

const WESTERN: Candidate = { label: 'windows-1252', name: 'Windows-1252 (Western European)', kind: 'latin' };
/** In order of preference if several fit equally well. */
const OTHERS: readonly Candidate[] = [
  { label: 'macintosh', name: 'Mac Roman (an old Macintosh file)', kind: 'latin' },
  { label: 'windows-1254', name: 'Windows-1254 (Turkish)', kind: 'latin' },
  { label: 'windows-1250', name: 'Windows-1250 (Central European)', kind: 'latin' },
  { label: 'windows-1251', name: 'Windows-1251 (Cyrillic)', kind: 'alphabet' },
  { label: 'koi8-r', name: 'KOI8-R (Cyrillic)', kind: 'alphabet' },
  { label: 'windows-1253', name: 'Windows-1253 (Greek)', kind: 'alphabet' },
  { label: 'shift_jis', name: 'Shift-JIS (Japanese)', kind: 'ideographs' },
  { label: 'euc-kr', name: 'EUC-KR (Korean)', kind: 'ideographs' },
  { label: 'gb18030', name: 'GBK (Chinese)', kind: 'ideographs' },
  { label: 'big5', name: 'Big5 (Chinese)', kind: 'ideographs' },
];

/** Maximum share of unlikely characters in the right encoding. */
const MAX_UNLIKELY = 0.2;
/** How much likelier another encoding has to be to cast doubt. */
const DOUBT = 0.05;
/** Bytes examined around those beyond ASCII, and in total. */
const CONTEXT_BYTES = 8;
const SAMPLE_BYTES = 64 << 10;

export type EncodingGuess =
  | { readonly encoding: ReadEncoding }
  /** Name of another encoding; null if none fits. */
  | { readonly encoding: null; readonly name: string | null };

/**
 * Determines the encoding of bytes beyond ASCII.
 * @param isWhole whether the bytes end with the file; otherwise the last character may be cut
 */
export function guessEncoding(bytes: Uint8Array, isWhole: boolean): EncodingGuess {
  if (isUtf8(isWhole ? bytes : bytes.subarray(0, wholeCharacters(bytes)))) {
    return { encoding: 'utf-8' };
  }
  const { sound, broken } = countSequences(bytes);
  // A single bad byte in a UTF-8 file is reported with its position, instead of corrupting the rest.
  if (sound >= broken) {
    return { encoding: 'utf-8' };
  }
  const sample = sampleOf(bytes);
  const western = unlikelyShare(sample, WESTERN);
  const others = OTHERS.map((candidate) => ({ candidate, share: unlikelyShare(sample, candidate) }));
  const best = others.reduce((one, other) => (other.share < one.share ? other : one));
  if (western <= MAX_UNLIKELY && western <= best.share + DOUBT) {
    return { encoding: 'windows-1252' };
  }
  return { encoding: null, name: best.share <= MAX_UNLIKELY && best.share < western ? best.candidate.name : null };
}

/** The end of the last complete UTF-8 character, if the bytes may end within one. */
export function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(4, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) {
      return bytes.length;
    }
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return length > back ? bytes.length - back : bytes.length;
    }
  }
  return bytes.length;
}

/** Length of the UTF-8 character that begins at a byte beyond ASCII; 0 if none does. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const byte = bytes[at]!;
  const length = byte >= 0xf0 && byte < 0xf5 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc2 ? 2 : 0;
  return length > 0 && at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length)) ? length : 0;
}

/** Numbers of UTF-8 characters beyond ASCII, and of bytes that belong to none. */
function countSequences(bytes: Uint8Array): { sound: number; broken: number } {
  let sound = 0;
  let broken = 0;
  for (let at = 0; at < bytes.length; ) {
    if (bytes[at]! < 0x80) {
      at += 1;
      continue;
    }
    const length = sequenceLength(bytes, at);
    if (length === 0) {
      broken += 1;
      at += 1;
    } else {
      sound += 1;
      at += length;
    }
  }
  return { sound, broken };
}

/** The position of the first byte that is not UTF-8; the length if there is none. */
export function firstBrokenByte(bytes: Uint8Array): number {
  for (let at = 0; at < bytes.length; ) {
    const length = bytes[at]! < 0x80 ? 1 : sequenceLength(bytes, at);
    if (length === 0) {
      return at;
    }
    at += length;
  }
  return bytes.length;
}

/** The bytes beyond ASCII with their context. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  const sample = new Uint8Array(SAMPLE_BYTES);
  let size = 0;
  let taken = 0;
  for (let at = 0; at < bytes.length && size < SAMPLE_BYTES - 2 * CONTEXT_BYTES; at += 1) {
    if (bytes[at]! < 0x80) {
      continue;
    }
    const start = Math.max(taken, at - CONTEXT_BYTES);
    if (start > taken) {
      sample[size] = 10;
      size += 1;
    }
    // up to the end of a gap that is too short to separate two samples
    let end = at + 1;
    for (let gap = 0; end < bytes.length && gap < 2 * CONTEXT_BYTES; end += 1) {
      gap = bytes[end]! < 0x80 ? gap + 1 : 0;
    }
    const piece = bytes.subarray(start, Math.min(end, start + SAMPLE_BYTES - size));
    sample.set(piece, size);
    size += piece.length;
    taken = start + piece.length;
    at = taken - 1;
  }
  return sample.subarray(0, size);
}

const isLetter = (character: string): boolean => /^\p{L}$/u.test(character);
const isLower = (character: string): boolean => /^\p{Ll}$/u.test(character);
const isUpper = (character: string): boolean => /^\p{Lu}$/u.test(character);
const IDEOGRAPH = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u3000-\u303f\uff01-\uff60ー]$/u;
const HALF_WIDTH = /^[\uff61-\uff9f]$/;
/** Signs that occur in texts of any alphabet. */
const COMMON_SIGN = /^[\u00a0«»„“”‘’–—…№€°§·•£±©®™]$/;

/** The share of characters beyond ASCII that are implausible in their position for the language. */
function unlikelyShare(sample: Uint8Array, { label, kind }: Candidate): number {
  const characters = [...new TextDecoder(label).decode(sample)];
  const rare = kind === 'latin' ? rareLetters(label, new Set(characters)) : '';
  let all = 0;
  let unlikely = 0;
  for (const [at, character] of characters.entries()) {
    if (character.charCodeAt(0) < 0x80) {
      continue;
    }
    all += 1;
    if (
      /[\u0080-\u009f\ue000-\uf8ff\ufffd]/.test(character) ||
      rare.includes(character) ||
      isUnlikely(characters, at, kind)
    ) {
      unlikely += 1;
    }
  }
  return all === 0 ? 1 : unlikely / all;
}

function isUnlikely(characters: readonly string[], at: number, kind: Candidate['kind']): boolean {
  const character = characters[at]!;
  const before = characters[at - 1] ?? '';
  const after = characters[at + 1] ?? '';
  if (kind === 'ideographs') {
    const like = HALF_WIDTH.test(character) ? HALF_WIDTH : IDEOGRAPH;
    return !like.test(character) || !(like.test(before) || like.test(after));
  }
  if (kind === 'latin' && isWithinRun(characters, at)) {
    return true;
  }
  if (!isLetter(character)) {
    return isUnlikelySign(character, before, after) || (kind === 'alphabet' && !COMMON_SIGN.test(character));
  }
  if (/\d/.test(before) || /\d/.test(after) || /[ﬁﬂ]/.test(character)) {
    return true;
  }
  const isForeign = (other: string): boolean =>
    isLetter(other) && (kind === 'alphabet') === /[\p{sc=Latn}]/u.test(other);
  if (isForeign(before) || isForeign(after)) {
    return true;
  }
  return isUpper(character) && isLetter(before) && wordHasLower(characters, at);
}

/** Signs do not occur within words, except for apostrophes, and dashes between names. */
function isUnlikelySign(character: string, before: string, after: string): boolean {
  const isInWord = (other: string): boolean => isLetter(other) || /[^\0-\x7f\s]/.test(other);
  if (!isInWord(before) || !isInWord(after)) {
    return false;
  }
  if (/[’‘´]/.test(character)) {
    return !isUpper(before) && !/[stmdrlv]/.test(after) && !/[ldcjnmts]/i.test(before);
  }
  return !(/[–—·]/.test(character) && isUpper(after));
}

/** Whether the word around a letter has a lowercase letter. */
function wordHasLower(characters: readonly string[], at: number): boolean {
  for (const step of [-1, 1]) {
    for (let index = at + step; Math.abs(index - at) < 32 && isLetter(characters[index] ?? ''); index += step) {
      if (isLower(characters[index]!)) {
        return true;
      }
    }
  }
  return false;
}

/** Whether three characters beyond ASCII follow each other, which does not happen in Latin text. */
function isWithinRun(characters: readonly string[], at: number): boolean {
  const isBeyond = (index: number): boolean => {
    const character = characters[index];
    return character !== undefined && character.charCodeAt(0) >= 0x80;
  };
  let run = 1;
  for (let index = at - 1; isBeyond(index) && run < 3; index -= 1) run += 1;
  for (let index = at + 1; isBeyond(index) && run < 3; index += 1) run += 1;
  return run >= 3;
}

/** Letters that the languages of an encoding only use together with others, if these others are missing. */
function rareLetters(label: string, seen: ReadonlySet<string>): string {
  if (label !== 'windows-1252' && label !== 'windows-1254') {
    return '';
  }
  const has = (letters: string): boolean => [...letters].some((letter) => seen.has(letter));
  const icelandic = label === 'windows-1254' || has('áíóúæÁÍÓÚÆ') ? '' : 'ðþýÐÞÝ';
  const czech = has('ø') && has('ìùè') && !has('åæÅÆ') ? 'øìùè' : '';
  return icelandic + czech;
}

/** Only these bytes are examined, so that every reader of the start of a file gets the same answer. */
const UTF16_BYTES = 4096;
/** A table needs at least this share of digits, spaces, delimiters and line ends to be recognized. */
const MIN_ZEROS = 0.1;

/**
 * UTF-16 without a byte order mark. In Western texts every second byte is zero. In other alphabets the zero bytes are those of
 * digits, delimiters and line ends, and no other encoding may fit the text.
 */
export function guessUtf16(start: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const pairs = Math.min(start.length, UTF16_BYTES) >> 1;
  const bytes = start.subarray(0, pairs * 2);
  const zeros = [0, 0];
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] === 0) {
      zeros[at & 1]! += 1;
    }
  }
  const [even, odd] = zeros as [number, number];
  const isUtf16 = (label: 'utf-16le' | 'utf-16be', one: number, other: number): boolean =>
    pairs > 1 &&
    ((one > pairs * 0.4 && other < one / 20) ||
      (other === 0 && one >= pairs * MIN_ZEROS && !isPaddedText(bytes) && isPlausibleUtf16(bytes, label)));
  return isUtf16('utf-16le', odd, even) ? 'utf-16le' : isUtf16('utf-16be', even, odd) ? 'utf-16be' : undefined;
}

/** Whether the bytes are a text in UTF-8 that NUL only pads. */
function isPaddedText(bytes: Uint8Array): boolean {
  const text = bytes.filter((byte) => byte !== 0);
  return isUtf8(text.subarray(0, wholeCharacters(text))) && !text.some((byte) => byte < 9 || (byte > 13 && byte < 32));
}

/** Whether the bytes are lines of characters that tables have: no controls, nothing private or unassigned. */
function isPlausibleUtf16(bytes: Uint8Array, label: string): boolean {
  try {
    // The last character may be cut.
    const text = new TextDecoder(label, { fatal: true }).decode(bytes, { stream: true });
    return /[\r\n]/.test(text) && !/(?![\t-\r])[\p{Cc}\p{Co}\p{Cn}]/u.test(text);
  } catch {
    return false;
  }
}
