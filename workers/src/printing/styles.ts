import type { PrintedTone } from '@tapeline/domain/printing/printed-document.ts';
import { COLOURS, type TextStyle } from './page.ts';

export const BODY: TextStyle = { size: 8.5, weight: 400, colour: COLOURS.ink };
export const HEAD: TextStyle = { size: 7.5, weight: 500, colour: COLOURS.ink2 };
export const TITLE: TextStyle = { size: 10.5, weight: 600, colour: COLOURS.ink };
export const SMALL: TextStyle = { size: 7.5, weight: 400, colour: COLOURS.ink3 };
export const LINE_HEIGHT = 12;

/** Letters have larger text than long lists. */
export const LETTER: TextStyle = { size: 9.25, weight: 400, colour: COLOURS.ink };
export const LETTER_HEAD: TextStyle = { size: 8.25, weight: 400, colour: COLOURS.ink2 };
export const LETTER_TITLE: TextStyle = { size: 9.5, weight: 600, colour: COLOURS.ink };
export const LETTER_SMALL: TextStyle = { size: 7.9, weight: 400, colour: COLOURS.ink2 };

export const strong = (style: TextStyle): TextStyle => ({ ...style, weight: 600 });
export const medium = (style: TextStyle): TextStyle => ({ ...style, weight: 500 });
export const quiet = (style: TextStyle): TextStyle => ({ ...style, colour: COLOURS.ink2 });
export const mono = (style: TextStyle): TextStyle => ({ ...style, family: 'jetbrains-mono', weight: 500 });

export const TONES: Record<PrintedTone, string> = { good: COLOURS.good, danger: COLOURS.danger, quiet: COLOURS.ink3 };
