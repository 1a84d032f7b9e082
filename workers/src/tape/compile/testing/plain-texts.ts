import { createHash } from 'node:crypto';
import { LONGEST_TEXT, longestSearched } from '@tapeline/domain/tapes/longest-text.ts';
import type { SerializationOf } from '@tapeline/domain/tapes/serialization.schema.ts';
import { REASONS } from '../values.ts';
import { fail } from './held.ts';
import { isBlank, lower, trim, upper } from './plain-cells.ts';

type TextStep = SerializationOf<
  'trim' | 'upper' | 'lower' | 'replaceStrings' | 'slice' | 'split' | 'padStart' | 'regexExtract' | 'hash'
>;

/** Applies a string step to a text. A blank text counts as missing, whether it was read or produced. */
export function changeText(step: TextStep, value: string): string | null {
  const changed = change(step, value);
  return changed === null || isBlank(changed) ? null : changed;
}

function change(step: TextStep, value: string): string | null {
  switch (step.type) {
    case 'trim':
      return trim(value);
    case 'upper':
      return upper(value);
    case 'lower':
      return lower(value);
    case 'replaceStrings':
      return joined(value.split(step.value[0] ?? ''), step.value[1] ?? '');
    case 'slice':
      return [...value].slice(step.value[0], step.value[1]).join('');
    case 'split':
      return value.split(step.by).at(step.index) ?? null;
    case 'padStart':
      return padded([...value], step.length, [...step.fill]);
    case 'hash':
      return createHash('sha256').update(value).digest('hex').slice(0, 32);
    case 'regexExtract':
      if ([...value].length > longestSearched(step.pattern)) return fail(REASONS.longForPattern);
      return new RegExp(unicodePattern(step.pattern), 'u').exec(value)?.[step.group] ?? null;
  }
}

/** Joins the pieces with the separator. Checks the length first, because an oversized text must never be built. */
export function joined(pieces: readonly string[], separator: string): string {
  const characters = (text: string): number => [...text].length;
  const length = pieces.reduce((sum, piece) => sum + characters(piece), characters(separator) * (pieces.length - 1));
  return length > LONGEST_TEXT ? fail(REASONS.tooLong) : pieces.join(separator);
}

/** Pads the start to a length in characters. The padding is truncated at its end. */
function padded(letters: readonly string[], length: number, fill: readonly string[]): string {
  const filling: string[] = [];
  while (letters.length + filling.length < length) filling.push(fill[filling.length % fill.length] ?? '');
  return [...filling, ...letters].join('');
}

/**
 * Translates a pattern from the filter language to JavaScript's unicode syntax. A space means an ASCII space, a dot
 * matches anything but the newline, and a backslash before other punctuation escapes it.
 */
function unicodePattern(pattern: string): string {
  const spaces = '\\t-\\r ';
  let inClass = false;
  return pattern.replace(/\\(.)|[[\].]/gsu, (written, escaped: string | undefined) => {
    if (escaped === undefined) {
      if (written === '.') return inClass ? written : '[^\\n]';
      inClass = written === '[';
      return written;
    }
    if (escaped === 's') return inClass ? spaces : `[${spaces}]`;
    if (escaped === 'S') return inClass ? '\\u0000-\\u0008\\u000e-\\u001f!-\\u{10ffff}' : `[^${spaces}]`;
    return /^[a-zA-Z0-9^$\\.*+?()[\]{}|/-]$/.test(escaped) && (inClass || escaped !== '-') ? written : escaped;
  });
}
