import type { SerializationOf } from '@tapeline/domain/tapes/serialization.schema.ts';
import { isBlank, lower, trim, upper } from './plain-cells.ts';

type TextStep = SerializationOf<
  'trim' | 'upper' | 'lower' | 'replaceStrings' | 'slice' | 'split' | 'padStart' | 'regexExtract'
>;

/** What a string step makes of a text; nothing but spaces is missing, whether read or made. */
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
      return value.replaceAll(step.value[0] ?? '', () => step.value[1] ?? '');
    case 'slice':
      return [...value].slice(step.value[0], step.value[1]).join('');
    case 'split':
      return value.split(step.by).at(step.index) ?? null;
    case 'padStart':
      return padded([...value], step.length, [...step.fill]);
    case 'regexExtract':
      return new RegExp(unicodePattern(step.pattern), 'u').exec(value)?.[step.group] ?? null;
  }
}

/** Filled in front to a length in characters, the filling cut at its end. */
function padded(letters: readonly string[], length: number, fill: readonly string[]): string {
  const filling: string[] = [];
  while (letters.length + filling.length < length) filling.push(fill[filling.length % fill.length] ?? '');
  return [...filling, ...letters].join('');
}

/**
 * The filter language's reading of a pattern, in JavaScript's unicode dialect: a space is an ASCII one, the point is
 * anything but the newline, a backslash before other punctuation stands for it.
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
